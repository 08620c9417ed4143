"""Text of programs and repositories, made fit for Claude's eyes and the user's: data, short, one line where said.

Control characters and escape sequences are gone, secrets masked, lengths capped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hookwright.state.redact import mask

if TYPE_CHECKING:
    from collections.abc import Sequence

# Colours and cursor moves, titles and links, and the short two-character sequences.
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?")
# C0 and C1 controls, bidirectional overrides, zero-width and tag characters: nothing a reader would see.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f\ud800-\udfff]"
)


def cleaned(text: str | bytes) -> str:
    """Lines of plain characters; a line that was drawn over (a progress bar) keeps its last state."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    lines = (line.rstrip("\r").rpartition("\r")[2] for line in _ESCAPES.sub("", text).split("\n"))
    return "\n".join(_INVISIBLE.sub("", line).replace("\t", "    ") for line in lines)


def one_line(text: str | bytes, most: int) -> str:
    """Everything in one line of at most so many characters, without secrets."""
    return cut(mask(" ".join(cleaned(text).split()))[0], most)


def first_line(text: str | bytes, most: int) -> str:
    """The first line that says something."""
    return next((one_line(line, most) for line in cleaned(text).splitlines() if line.strip()), "")


def tail(text: str | bytes, lines: int, most: int) -> str:
    """The last lines, without secrets."""
    kept = [line.rstrip() for line in cleaned(text).splitlines() if line.strip()][-lines:]
    whole = mask("\n".join(kept))[0]
    return whole if len(whole) <= most else "…" + whole[-most + 1 :]


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def listed(names: Sequence[str], most: int) -> str:
    """`a, b, c and 4 more`."""
    shown = [one_line(name, 120) for name in names[:most]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
