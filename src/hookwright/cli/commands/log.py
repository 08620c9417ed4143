"""hookwright log: the recorded events, oldest first; `-f` follows new ones."""

from __future__ import annotations

from typing import Any

import click

from hookwright.cli.arguments import project_option, session_option, since_option
from hookwright.cli.run_log import DEFAULT_LIMIT, run_log
from hookwright.store.filter import Filter


@click.command("log", epilog="Example:  hookwright log --since 1h --decision deny")
@click.option("-f", "--follow", is_flag=True, help="Follow new events until interrupted.")
@session_option
@project_option
@click.option("--hook", default="", metavar="NAME", help="Only events that this hook decided.")
@click.option(
    "--decision", default="", metavar="WORD", help="Only this decision: deny, ask, background, rewrite, context, …"
)
@click.option("--event", default="", metavar="NAME", help="Only this event, such as PreToolUse.")
@since_option
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(min=1),
    help=f"Only the latest events. [default: {DEFAULT_LIMIT}, with --json all]",
)
@click.option("--all", "everything", is_flag=True, help="Also events without a tool about which no hook said anything.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line and nothing else.")
def command(*, follow: bool, limit: int | None, everything: bool, as_json: bool, **which: Any) -> int:
    """Show the recorded events: what came in, which hooks decided, what was answered, how it ended."""
    spoken = not everything and not as_json and not which["event"]
    return run_log(Filter(spoken=spoken, **which), follow=follow, limit=limit, as_json=as_json)
