"""hookwright why: for one past event, which hooks decided what and why, and how the call ended."""

from __future__ import annotations

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.ledger_context import open_ledger
from hookwright.cli.output import print_json
from hookwright.cli.views.why_view import show_event
from hookwright.errors import UserError
from hookwright.store import queries


@click.command("why", epilog="Example:  hookwright why last")
@click.argument("name", metavar="ID|last", default="last")
@json_option
def command(*, name: str, as_json: bool) -> int:
    """Explain one event: what came in, which hooks ran, what each decided, what was sent, how the call ended.

    ID is an event's id or a prefix of it (`hookwright log` shows it), or a tool use id; `last` is the last event that
    got an answer.
    """
    store = open_ledger()
    row = queries.find_event(store, name)
    if row is None:
        what = "no events are recorded yet" if name == "last" else f"there is no event {name!r}"
        raise UserError(what, where="the ledger", fix="hookwright log")
    found = queries.explain_event(store, row)
    if as_json:
        print_json(found)
    else:
        show_event(found)
    return 0
