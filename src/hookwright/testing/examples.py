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
    """The examples of a hook file as cases. They are data: the file is read, not run."""
    with open(path, encoding="utf-8-sig") as file:
        text = file.read()
    try:
        compile(text, path, "exec")
    except (SyntaxError, ValueError) as error:
        where = f"{path}:{getattr(error, 'lineno', 1)}"
        raise UserError(f"this hook file is not Python: {error}", where=where) from None
    value = _assigned(text)
    if value is None:
        return []
    try:
        examples = ast.literal_eval(value)
    except ValueError:
        what = f"{NAME} is not written out: it is read without running the file, so it holds plain values only"
        raise UserError(what, where=f"{path}:{value.lineno}", fix=FORM) from None
    pairs = list(examples.items()) if isinstance(examples, Mapping) else _pairs(examples, f"{path}:{value.lineno}")
    return [_case(given, expected, path, line) for (given, expected), line in zip(pairs, _lines(value), strict=True)]


def _pairs(examples: Any, where: str) -> list[tuple[Any, Any]]:
    if not isinstance(examples, (list, tuple)) or not all(isinstance(one, tuple) and len(one) == 2 for one in examples):
        raise UserError(f"{NAME} is not understood", where=where, fix=FORM)
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


def _lines(value: ast.expr) -> list[int]:
    """The line of each example, in order."""
    if isinstance(value, ast.Dict):
        lines = {ast.literal_eval(key): key.lineno for key in value.keys if key is not None}
        return list(lines.values())  # of a key that stands twice the last counts, as in the mapping itself
    return [one.lineno for one in value.elts] if isinstance(value, (ast.List, ast.Tuple)) else []


def _assigned(text: str) -> ast.expr | None:
    """What EXAMPLES is in this text; None if there is no such thing."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
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
