"""Read the EXAMPLES of a hook file: inputs and the expected decisions, beside the code.

hook file → [load_examples] → cases
    EXAMPLES = {"git push --force": "deny: --force-with-lease", "git push": None}
A string is what the hook inspects: a command, a path, a prompt. A pair with a mapping gives more keys.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Mapping
from typing import Any

from hookwright.errors import UserError
from hookwright.testing import expect
from hookwright.testing.cases import Case, Given, given_from_example

NAME = "EXAMPLES"
IMPORT = "from hookwright import"
FORM = 'write {"a command": "deny"}, or [({"tool": "Write", "file_path": "x"}, "deny")]'


def has_examples(path: str) -> bool:
    """Whether this Python file imports hookwright and assigns EXAMPLES."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError):
        return False
    return NAME in text and IMPORT in text and _find_examples(text) is not None


def load_examples(path: str) -> list[Case]:
    """The examples of a hook file as cases. The file is parsed, not run."""
    with open(path, encoding="utf-8-sig") as file:
        text = file.read()
    try:
        compile(text, path, "exec")
    except (SyntaxError, ValueError) as error:
        where = f"{path}:{getattr(error, 'lineno', 1)}"
        raise UserError(f"this hook file is not Python: {error}", where=where) from None
    value = _find_examples(text)
    if value is None:
        return []
    try:
        examples = ast.literal_eval(value)
    except ValueError:
        what = f"{NAME} is not a literal: it is read without running the file, so it can have plain values only"
        raise UserError(what, where=f"{path}:{value.lineno}", fix=FORM) from None
    pairs = (
        list(examples.items()) if isinstance(examples, Mapping) else _check_pairs(examples, f"{path}:{value.lineno}")
    )
    return [
        _build_case(given, expected, path, line)
        for (given, expected), line in zip(pairs, _example_lines(value), strict=True)
    ]


def _check_pairs(examples: Any, where: str) -> list[tuple[Any, Any]]:
    if not isinstance(examples, (list, tuple)) or not all(isinstance(one, tuple) and len(one) == 2 for one in examples):
        raise UserError(f"{NAME} is not understood", where=where, fix=FORM)
    return list(examples)


def _build_case(given: Any, expected: Any, path: str, line: int) -> Case:
    if not isinstance(given, (str, Mapping)) or not (expected is None or isinstance(expected, str)):
        raise UserError(f"an example is not understood: {given!r}: {expected!r}", where=f"{path}:{line}", fix=FORM)
    try:
        lines = expect.parse_example(expected)
    except expect.ExpectationError as error:
        raise UserError(str(error), where=f"{path}:{line}") from None
    about: Given = given_from_example(given, line)
    about.hooks = [(os.path.abspath(path), line)]
    return Case(_format_title(given), path, line, about, lines, kind="example")


def _format_title(given: str | Mapping[str, Any]) -> str:
    text = given if isinstance(given, str) else ", ".join(f"{name}={value!r}" for name, value in given.items())
    text = " ".join(text.split()) or "(empty)"
    return text if len(text) <= 100 else text[:97] + "…"


def _example_lines(value: ast.expr) -> list[int]:
    """The line of each example, in order."""
    if isinstance(value, ast.Dict):
        lines = {ast.literal_eval(key): key.lineno for key in value.keys if key is not None}
        return list(lines.values())  # of a duplicate key the last counts, as in a dict
    return [one.lineno for one in value.elts] if isinstance(value, (ast.List, ast.Tuple)) else []


def _find_examples(text: str) -> ast.expr | None:
    """The expression assigned to EXAMPLES; None if there is none."""
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
