"""Match paths against file patterns in the style of .gitignore.

*.py             any Python file, at any depth       src/**/*.ts     below src, at any depth
/setup.py        only at the top                     docs/           everything below docs
*.{js,ts}        one of several                      !*.min.js       but not these
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_PIECES = re.compile(r"\*\*/|\*\*|\*|\?|\[!?[^\]/]+\]|\{[^{}/]*\}|.", re.DOTALL)


def matches_patterns(patterns: Sequence[str], path: str) -> bool:
    """True if the path (relative to the project) matches: the last matching pattern wins, an empty list matches all."""
    matches = not patterns or all(pattern.startswith("!") for pattern in patterns)
    for pattern in patterns:
        if _compile_pattern(pattern.lstrip("!")).fullmatch(path):
            matches = not pattern.startswith("!")
    return matches


@lru_cache(maxsize=256)
def _compile_pattern(pattern: str) -> re.Pattern[str]:
    anchored = "/" in pattern.rstrip("/")
    body = pattern.removeprefix("./").lstrip("/")
    if body.endswith("/"):
        body += "**"
    return re.compile(
        ("" if anchored else "(?:.*/)?") + "".join(map(_translate_piece, _PIECES.findall(body))), re.DOTALL
    )


def _translate_piece(piece: str) -> str:
    if piece == "**/":
        return "(?:.*/)?"
    if piece == "**":
        return ".*"
    if piece == "*":
        return "[^/]*"
    if piece == "?":
        return "[^/]"
    if piece.startswith("[") and len(piece) > 2:
        return "[" + piece[1:].replace("\\", "\\\\").replace("!", "^", piece[1] == "!")
    if piece.startswith("{") and len(piece) > 1:
        return (
            "(?:"
            + "|".join("".join(map(_translate_piece, _PIECES.findall(one))) for one in piece[1:-1].split(","))
            + ")"
        )
    return re.escape(piece)
