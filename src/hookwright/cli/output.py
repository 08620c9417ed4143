"""Print what commands have to say: lines and tables for people, JSON for programs, plain text into a pipe.

command, view → [this] → stdout or stderr
The only place of the commands that writes to a terminal (tests/cli/test_one_way_out.py). Everything is escaped here, so
that text from a payload, a settings file, a repository or a transcript cannot control the terminal. On a terminal lines
are wrapped to its width, in a pipe they are left whole.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from hookwright.cli.text import escape_block, escape_line, escape_name, split_at_width

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence
    from typing import TextIO

    import click

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
    """As $COLUMNS says, else the terminal, else 80."""
    words = os.environ.get("COLUMNS", "")
    if words.isdecimal() and int(words):
        return int(words)
    for stream in (sys.__stdout__, sys.__stderr__):
        try:
            return os.get_terminal_size(stream.fileno()).columns or 80  # type: ignore[union-attr]
        except (AttributeError, ValueError, OSError):
            continue
    return 80


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
    """Print a table; `right` names the columns of numbers. On a terminal long cells are folded, never cut."""
    from hookwright.cli.table_layout import lay_out  # noqa: PLC0415  many commands have no table

    stream = sys.stdout
    cells = [[Styled(escape_line(text), style) for text, style in map(_as_styled, row)] for row in rows]
    styles = [["bold"] * len(columns), *([style for _, style in row] for row in cells)]
    screen = screen_width() if stream.isatty() else 0
    table = lay_out(columns, [[text for text, _ in row] for row in cells], right, screen)
    for lines, row_styles in zip(table, styles, strict=True):
        for line in lines:
            texts = ["", *line]
            last = max((number for number, text in enumerate(texts) if text.strip()), default=0)
            texts = [*texts[:last], texts[last].rstrip()] if last else []
            pieces = [Styled(text, style) for text, style in zip(texts[1:], row_styles, strict=False)]
            shown = [_style_range([piece], 0, len(piece.text), stream) for piece in pieces]
            stream.write(" " * bool(shown) + "  ".join(shown) + "\n")


def print_block(text: str) -> None:
    """Print the content of a file: several lines, in which every escape sequence is visible."""
    sys.stdout.write(escape_block(text).rstrip() + "\n")


def print_json(value: Any, *, one_line: bool = False) -> None:
    r"""Print a value as JSON, with \uXXXX for whatever is not printable; on a terminal indented, unless `one_line`."""
    import json  # noqa: PLC0415  only where it is asked for

    indent = 1 if sys.stdout.isatty() and not one_line else None
    sys.stdout.write(escape_name(json.dumps(value, ensure_ascii=False, indent=indent), "\n") + "\n")


# --- questions to the user
def ask_yes_or_no(question: str, *, default: bool | None = False) -> None:
    """Ask on stderr; anything but yes ends the command."""
    import click  # noqa: PLC0415  printing needs none of it

    click.confirm(escape_line(question), default=default, abort=True, err=True)


def ask_letter(question: str, letters: str) -> str:
    """Ask on stderr for one of these letters; the first one is what Return means."""
    shown = "/".join([letters[0].upper(), *letters[1:]])
    while True:
        given: str = click.prompt(
            f"{escape_line(question)} [{shown}]", default=letters[0], show_default=False, err=True, type=str
        )
        if given.strip().lower()[:1] in tuple(letters):
            return given.strip().lower()[:1]


def ask_number(question: str, most: int) -> int:
    """Ask on stderr for a number from 1 to `most`."""
    import click  # noqa: PLC0415

    chosen: int = click.prompt(escape_line(question), type=click.IntRange(1, most), err=True)
    return chosen


def print_usage_error(error: click.ClickException) -> None:
    """Print what click found wrong with the arguments, which it quotes."""
    import click  # noqa: PLC0415

    context = error.ctx if isinstance(error, click.UsageError) else None
    lines = context.get_usage().splitlines() if context else []
    if context and context.command.get_help_option(context):
        lines.append(f"Try '{context.command_path} {context.help_option_names[-1]}' for help.")
    for line in (*lines, "", *f"Error: {error.format_message()}".splitlines()) if lines else [error.format_message()]:
        print_line(line, stderr=True)
