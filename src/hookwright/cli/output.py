"""Print what commands have to say: lines and tables for people, JSON for programs, plain text into a pipe.

command, view → [this] → stdout or stderr
The only place that writes styled text. Every line is escaped here, so that text from a payload, a settings file or a
transcript cannot control the terminal; on a terminal lines are wrapped to its width, in a pipe they are left whole.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from hookwright.cli.text import escape_line, split_at_width

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence
    from typing import TextIO

PIPE_WIDTH = 200  # columns of a table that goes into a pipe
_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Styled(NamedTuple):
    """A piece of a line with a style: words of _CODES, such as `bold red`."""

    text: str
    style: str


OK = Styled("✓", "green")
FAILED = Styled("✗", "red")
WARNING = Styled("!", "yellow")
NOTE = Styled("·", "dim")


def dim(text: str) -> Styled:
    return Styled(text, "dim")


def bold(text: str) -> Styled:
    return Styled(text, "bold")


def print_line(*parts: str | Styled, hang: int = 4, wrap: bool = True, stderr: bool = False) -> None:
    """Print one line made of these parts; `hang` is the indentation of what is wrapped."""
    stream = sys.stderr if stderr else sys.stdout
    pieces = [Styled(escape_line(text), style) for text, style in map(_as_styled, parts)]
    text = "".join(piece.text for piece in pieces)
    if not stream.isatty():
        stream.write(text.rstrip() + "\n")
        return
    lines = split_at_width(text, screen_width(), hang) if wrap else [(0, len(text))]
    for number, (start, end) in enumerate(lines):
        stream.write(" " * hang * (number > 0) + _style_range(pieces, start, end, stream) + "\n")


def screen_width() -> int:
    return shutil.get_terminal_size().columns


def _as_styled(part: str | Styled) -> Styled:
    return part if isinstance(part, Styled) else Styled(part, "")


def _style_range(pieces: Sequence[Styled], start: int, end: int, stream: TextIO) -> str:
    """The characters from `start` to `end` with the terminal's codes for their styles."""
    found = ""
    at = 0
    for text, style in pieces:
        shown = text[max(0, start - at) : max(0, end - at)]
        codes = ";".join(_CODES[word] for word in style.split()) if shown and has_colour(stream) else ""
        found += f"\x1b[{codes}m{shown}\x1b[0m" if codes else shown
        at += len(text)
    return found


def has_colour(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str | Styled]], right: Container[str] = ()) -> None:
    """Print a table; `right` names the columns of numbers. Long cells are folded, never cut."""
    from rich.console import Console  # noqa: PLC0415  costs more than most commands' work
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(escape_line(text), style=style) for text, style in map(_as_styled, row)))
    is_terminal = sys.stdout.isatty()
    Console(width=None if is_terminal else PIPE_WIDTH, soft_wrap=not is_terminal).print(table)


def print_json(value: Any) -> None:
    indent = 1 if sys.stdout.isatty() else None
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate: JSON can escape it, UTF-8 cannot encode it
        text = json.dumps(value, indent=indent)
    sys.stdout.write(text + "\n")
