"""EXAMPLES of a hook file: what it is to say to what, beside the code that says it.

hook file → [cases_of] → cases
    EXAMPLES = {"git push --force": "deny: --force-with-lease", "git push": None}
A mere text is what the hook looks at: a command, a path, a prompt. Pairs with a mapping say more.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Mapping
from typing import Any

from hookwright.errors import UserError
from hookwright.testing import expect
from hookwright.testing.cases import Case, Given, given_of

NAME = "EXAMPLES"
ABOUT = "from hookwright import"
FORM = 'write {"a command": "deny"}, or [({"tool": "Write", "file_path": "x"}, "deny")]'


def are_in(path: str) -> bool:
    """Does this file of Python say EXAMPLES, and is it about hookwright?"""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return False
    return NAME in text and ABOUT in text and _assigned(text) is not None


def cases_of(path: str) -> list[Case]:
    """The examples of a hook file as cases; UserError if it cannot be loaded or they are not understood."""
    with open(path, encoding="utf-8-sig") as file:
        text = file.read()
    try:
        tree = compile(text, path, "exec")
    except SyntaxError as error:
        where = f"{path}:{error.lineno}"
        raise UserError(f"this hook file is not Python: {error.msg}", where=where) from None
    from hookwright.plan.compiler import user_module  # noqa: PLC0415  heavier than a look at the text

    try:
        module = user_module(path, tree)
    except Exception as error:  # noqa: BLE001  a user's file may fail in any way
        raise UserError(f"this hook file cannot be loaded: {type(error).__name__}: {error}", where=path) from None
    examples = getattr(module, NAME, None)
    if examples is None:
        return []
    pairs = list(examples.items()) if isinstance(examples, Mapping) else _pairs(examples, path)
    lines = _lines(text)
    return [
        _case(given, expected, path, lines[place] if place < len(lines) else lines[-1] if lines else 1)
        for place, (given, expected) in enumerate(pairs)
    ]


def _pairs(examples: Any, path: str) -> list[tuple[Any, Any]]:
    if not isinstance(examples, (list, tuple)) or not all(isinstance(one, tuple) and len(one) == 2 for one in examples):
        raise UserError(f"{NAME} is not understood", where=path, fix=FORM)
    return list(examples)


def _case(given: Any, expected: Any, path: str, line: int) -> Case:
    if not isinstance(given, (str, Mapping)) or not (expected is None or isinstance(expected, str)):
        raise UserError(f"an example is not understood: {given!r}: {expected!r}", where=f"{path}:{line}", fix=FORM)
    try:
        lines = expect.lines_of(expected)
    except expect.NotUnderstood as error:
        raise UserError(str(error), where=f"{path}:{line}") from None
    about: Given = given_of(given, line)
    about.hooks = [(os.path.abspath(path), line)]
    return Case(_title(given), path, line, about, lines, kind="example")


def _title(given: str | Mapping[str, Any]) -> str:
    text = given if isinstance(given, str) else ", ".join(f"{name}={value!r}" for name, value in given.items())
    text = " ".join(text.split()) or "(empty)"
    return text if len(text) <= 100 else text[:97] + "…"


def _lines(text: str) -> list[int]:
    """The line of each example, in order."""
    value = _assigned(text)
    if isinstance(value, ast.Dict):
        return [(key or item).lineno for key, item in zip(value.keys, value.values, strict=True)]
    if isinstance(value, (ast.List, ast.Tuple)):
        return [one.lineno for one in value.elts]
    return []


def _assigned(text: str) -> ast.expr | None:
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return ast.Constant(None) if f"\n{NAME}" in text else None
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets, value = [node.target], node.value
        else:
            continue
        if any(isinstance(target, ast.Name) and target.id == NAME for target in targets):
            return value
    return None
