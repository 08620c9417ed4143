"""POSIX extended regular expressions, as `grep -E` takes them, translated for Python's `re`.

Loaded only if one is configured: importing `re` is expensive.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_CLASSES = {
    "[:alpha:]": "a-zA-Z",
    "[:digit:]": "0-9",
    "[:alnum:]": "a-zA-Z0-9",
    "[:space:]": r"\s",
    "[:blank:]": r" \t",
    "[:upper:]": "A-Z",
    "[:lower:]": "a-z",
    "[:punct:]": r"!-/:-@\[-`{-~",
    "[:xdigit:]": "0-9a-fA-F",
}


def to_python_regex(expression: str) -> str:
    for name, members in _CLASSES.items():
        expression = expression.replace(name, members)
    return expression


def matches_ere(expression: str, text: str, facts: dict[str, Any]) -> bool:
    """Whether it matches anywhere; an invalid expression matches nothing and is noted in `facts`."""
    try:
        return re.search(to_python_regex(expression), text) is not None
    except re.error as error:
        facts["bad_extra"] = str(error)
        return False
