"""On a terminal: choose a question or a preference by number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hookwright.cli.past import plain
from hookwright.errors import UserError
from hookwright.history.questions import Entry, kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST = 20


def decision(found: list[Entry]) -> dict[str, Any]:
    """Ask which question, and what is to become of it."""
    asked = [kind for kind in kinds(found).values() if not kind.one_way][:MOST]
    if not asked:
        raise UserError("no question that could be decided is on record yet", fix="hookwright questions set --help")
    chosen = asked[number("Which question?", [_line(kind.latest, kind.asked) for kind in asked])].latest
    labels = list(chosen.get("options") or [])
    ways = [f"answer: {plain(label)}" for label in labels] + ["take what it recommends", "always ask"]
    way = number("What is to become of it?", ways)
    given: dict[str, Any] = {"identity": chosen["fingerprint"]}
    if way < len(labels):
        given["answers"] = (labels[way],)
    else:
        given["never_ask" if way == len(labels) else "always_ask"] = True
    return given


def number(question: str, lines: Sequence[str]) -> int:
    """The place of the line that the user chooses."""
    for place, line in enumerate(lines, 1):
        click.echo(f"{place:3}  {line}", err=True)
    chosen: int = click.prompt(question, type=click.IntRange(1, len(lines)), err=True)
    return chosen - 1


def _line(row: dict[str, Any], asked: int) -> str:
    options = " / ".join(row.get("options") or [])
    return f"{plain(row.get('question'), 60)}  [{plain(options, 50)}]  asked {asked}\u00d7"
