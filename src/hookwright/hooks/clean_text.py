"""Clean the output of programs and the contents of repositories before Claude or the user reads them.

Escape sequences and control characters are removed, secrets are masked, lengths are capped.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hookwright.store.redact import mask

if TYPE_CHECKING:
    from collections.abc import Sequence

# CSI (colours, cursor), OSC and the like (titles, links), and two-character sequences.
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P^_X][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[ -/]*[0-~]?")
# C0 and C1 controls, bidirectional overrides, zero-width and tag characters: invisible to a reader.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f\ud800-\udfff]"
)


_MOST_MASKED = 64 << 10  # bytes or characters at the end of an output


def clean_text(text: str | bytes) -> str:
    """Plain lines; of a line that was overwritten with carriage returns (a progress bar) only the last state."""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "replace")
    lines = (line.rstrip("\r").rpartition("\r")[2] for line in _ESCAPES.sub("", text).split("\n"))
    return "\n".join(_INVISIBLE.sub("", line).replace("\t", "    ") for line in lines)


def one_line(text: str | bytes, most: int) -> str:
    """The text as one line of at most `most` characters, secrets masked."""
    return truncate_text(mask(" ".join(clean_text(text).split()))[0], most)


def first_line(text: str | bytes, most: int) -> str:
    """The first line that is not blank."""
    return next((one_line(line, most) for line in clean_text(text).splitlines() if line.strip()), "")


def last_lines(text: str | bytes, lines: int, most: int) -> str:
    """The last lines, secrets masked, at most `most` characters."""
    if len(text) > _MOST_MASKED:
        text = text[-_MOST_MASKED:]
    # Masked before it is cut: the first line of a key block tells that the others are secret.
    kept = [line.rstrip() for line in mask(clean_text(text))[0].splitlines() if line.strip()][-lines:]
    whole = "\n".join(kept)
    return whole if len(whole) <= most else "…" + whole[-most + 1 :]


def truncate_text(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def format_list(names: Sequence[str], most: int) -> str:
    """`a, b, c and 4 more`."""
    shown = [one_line(name, 120) for name in names[:most]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def format_count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
