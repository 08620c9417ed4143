"""Ask the user on the terminal: confirm a change, choose from a list."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from hookwright.cli.output import ask_number, ask_yes_or_no, print_line
from hookwright.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Sequence


def confirm_change(question: str, command: str, *, yes: bool) -> None:
    """Ask before a file is changed. Without a terminal and without --yes it is an error that names both ways."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise UserError(
            "nothing was changed: confirmation needs a terminal", fix=f"{command} --yes, or --dry-run to see the diff"
        )
    ask_yes_or_no(question, default=True)


def choose_line(question: str, lines: Sequence[str]) -> int:
    """The index of the line that the user chooses by its number."""
    for number, line in enumerate(lines, 1):
        print_line(f"{number:3}  {line}", stderr=True)
    return ask_number(question, len(lines)) - 1
