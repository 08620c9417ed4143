"""hookwright questions presence: say that you are away, or back. Nobody guesses it from silence."""

from __future__ import annotations

import time

import click

from hookwright.cli.output import as_json, print_json
from hookwright.cli.questions.around import Span, keeper, options, when


@click.command("presence", epilog="Example:  hookwright questions presence away --for 2h")
@click.argument("where", type=click.Choice(["present", "away"]), required=False)
@click.option("--for", "span", type=Span(or_date=True), metavar="2h", help="Come back by itself after that time.")
@as_json
def presence(*, where: str | None, span: float | None, as_json: bool) -> int:
    """Say that you are away, or back; without a word: show what counts.

    What becomes of undecided questions meanwhile says the option `away` of [questions].
    """
    kept = keeper()
    if span and where != "away":
        raise click.UsageError("--for belongs to `away`")
    if where is not None:
        kept.set_away(None if where == "present" else round(time.time() + span, 3) if span else 0)
    in_force = options()
    until = kept.away_until()
    is_away = until is not None or in_force["presence"] == "away"
    if as_json:
        print_json({"presence": "away" if is_away else "present", "until": until or None, "away": in_force["away"]})
        return 0
    if not is_away:
        print("present: undecided questions are asked")
        return 0
    print(f"away{f' until {when(until)}' if until else ''}: undecided questions: {in_force['away']}")
    if in_force["away"] == "ask":
        print('  they are still asked; set away = "recommended" or "deny" in [questions] to change that')
    return 0
