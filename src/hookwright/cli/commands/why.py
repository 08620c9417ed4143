"""hookwright why: for one past event, which hooks decided what and why, and how the call ended."""

from __future__ import annotations

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.run_log import run_why


@click.command("why", epilog="Example:  hookwright why last")
@click.argument("name", metavar="ID|last", default="last")
@json_option
def command(*, name: str, as_json: bool) -> int:
    """Explain one event: what came in, which hooks ran, what each decided, what was sent, how the call ended.

    ID is an event's id or a prefix of it (`hookwright log` shows it), or a tool use id; `last` is the last event that
    got an answer.
    """
    return run_why(name, as_json=as_json)
