"""Ask the user on the terminal: confirm a change, choose from a list."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from hookwright.cli.output import ask_letter, ask_number, ask_yes_or_no, print_line
from hookwright.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def confirm_change(question: str, command: str, *, yes: bool) -> None:
    """Ask before a file is changed. Without a terminal and without --yes it is an error that names both ways."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise UserError(
            "nothing was changed: confirmation needs a terminal",
            fix=f"{command} --yes, or --dry-run to see what it would do",
        )
    ask_yes_or_no(question, default=True)


def confirm_or_show(question: str, command: str, show_more: Callable[[], None], *, yes: bool) -> None:
    """As `confirm_change`, with a third answer, d, that shows the diff and asks again."""
    if yes or not sys.stdin.isatty():
        confirm_change(question, command, yes=yes)
        return
    while True:
        letter = ask_letter(f"{question} d shows the diff", "ynd")
        if letter != "d":
            break
        show_more()
    if letter == "n":
        raise click.Abort


def wants_it(question: str) -> bool:
    """Ask whether to do something that is no change; False without a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty() and ask_letter(question, "yn") == "y"


def choose_line(question: str, lines: Sequence[str]) -> int:
    """The index of the line that the user chooses by its number."""
    for number, line in enumerate(lines, 1):
        print_line(f"{number:3}  {line}", stderr=True)
    return ask_number(question, len(lines)) - 1
