"""POSIX extended regular expressions, as `grep -E` takes them, in Python's spelling.

Loaded only for users who have configured one: it brings `re` along.
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


def as_python(expression: str) -> str:
    for name, members in _CLASSES.items():
        expression = expression.replace(name, members)
    return expression


def found_in(expression: str, text: str, facts: dict[str, Any]) -> bool:
    """Whether it matches anywhere; one that cannot be read matches nothing and is noted."""
    try:
        return re.search(as_python(expression), text) is not None
    except re.error as error:
        facts["bad_extra"] = str(error)
        return False
