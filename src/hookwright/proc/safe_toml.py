"""Parse TOML that somebody else wrote in bounded time and memory.

text → [parse_toml] → table, or NotToml that says why not
`tomllib` recurses for each bracket and is quadratic in the parts of a dotted key: 500 bytes end it with RecursionError,
one key of 1e5 parts takes minutes. Both are counted in one linear pass first. Cold: imports `re` and `tomllib`.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

MAX_DEPTH = 32  # brackets inside of each other
MAX_KEY_PARTS = 32  # of a dotted key

_SIGN = re.compile(r"[\"'#\[\]{}.,=\n]")
_STRINGS = {
    '"""': re.compile(r'"""[^"\\]*(?:(?:\\.|""?(?!"))[^"\\]*)*"{3,5}', re.DOTALL),
    "'''": re.compile(r"'''[^']*(?:''?(?!')[^']*)*'{3,5}"),
    '"': re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'),
    "'": re.compile(r"'[^'\n]*'"),
}


class NotToml(ValueError):
    """The text is not TOML, or more than we parse; the message says why."""


def parse_toml(text: str) -> dict[str, Any]:
    """The table that the text holds; NotToml for whatever is wrong with it."""
    excess = find_excess(text)
    if excess:
        raise NotToml(excess)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:  # ValueError: also of int(), 5,000 digits
        raise NotToml(str(error) or type(error).__name__) from None


def find_excess(text: str) -> str:
    """What makes the text too costly to parse; "" if nothing does."""
    at = depth = parts = 0
    while found := _SIGN.search(text, at):
        at = found.end()
        sign = found[0]
        if sign == ".":
            parts += 1
            if parts >= MAX_KEY_PARTS:
                return f"a key has more than {MAX_KEY_PARTS} parts"
        elif sign in "\"'":
            start = found.start()
            triple = text[start : start + 3]
            string = _STRINGS[triple if triple in _STRINGS else sign].match(text, start)
            if string is None:
                return ""  # it does not end: an error that tomllib comes to before anything behind it
            at = string.end()
        elif sign == "#":
            at = text.find("\n", at)
            if at < 0:
                return ""
        else:
            parts = 0
            if sign in "[{":
                depth += 1
                if depth > MAX_DEPTH:
                    return f"more than {MAX_DEPTH} brackets inside of each other"
            elif sign in "]}":
                depth = max(0, depth - 1)
    return ""
