"""hookwright questions presence: say that you are away, or back. It is never guessed."""

from __future__ import annotations

import time

import click

from hookwright.cli.arguments import DurationType, json_option
from hookwright.cli.commands.questions.common import effective_options, open_preferences
from hookwright.cli.output import print_json, print_line
from hookwright.cli.require_person import require_person
from hookwright.cli.text import format_moment


@click.command("presence", epilog="Example:  hookwright questions presence away --for 2h")
@click.argument("where", type=click.Choice(["present", "away"]), required=False)
@click.option("--for", "span", type=DurationType(or_date=True), metavar="2h", help="Be present again after this time.")
@json_option
def presence_command(*, where: str | None, span: float | None, as_json: bool) -> int:
    """Say that you are away, or back; without an argument show the current state.

    The option `away` of [questions] says what happens to undecided questions meanwhile.
    """
    kept = open_preferences()
    if span and where != "away":
        raise click.UsageError("--for applies to `away` only")
    if where == "away":
        require_person("hookwright questions presence away")
    if where is not None:
        kept.set_away(None if where == "present" else round(time.time() + span, 3) if span else 0)
    in_force = effective_options()
    until = kept.away_until()
    is_away = until is not None or in_force["presence"] == "away"
    if as_json:
        print_json({"presence": "away" if is_away else "present", "until": until or None, "away": in_force["away"]})
        return 0
    if not is_away:
        print_line("present: undecided questions are asked")
        return 0
    print_line(f"away{f' until {format_moment(until)}' if until else ''}: undecided questions: {in_force['away']}")
    if in_force["away"] == "ask":
        print_line('  they are still asked; set away = "recommended" or "deny" in [questions] to change that')
    return 0
