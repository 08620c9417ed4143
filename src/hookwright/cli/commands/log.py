"""hookwright log: the recorded events, oldest first; `-f` follows new ones."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from hookwright.cli.arguments import project_option, session_option, since_option
from hookwright.cli.ledger_context import open_ledger, require_state_dir
from hookwright.cli.output import print_json, print_line
from hookwright.cli.views.log_view import show_record
from hookwright.store import queries, refresh
from hookwright.store.filter import Filter

if TYPE_CHECKING:
    import sqlite3

DEFAULT_LIMIT = 50  # events on the screen; --json has no limit
POLL_S = 0.5


@click.command("log", epilog="Example:  hookwright log --since 1h --decision deny")
@click.option("-f", "--follow", is_flag=True, help="Follow new events until interrupted.")
@session_option
@project_option
@click.option("--hook", default="", metavar="NAME", help="Only events that this hook decided.")
@click.option("--decision", default="", metavar="WORD", help="Only this decision: deny, ask, rewrite, context, …")
@click.option("--event", default="", metavar="NAME", help="Only this event, such as PreToolUse.")
@since_option
@click.option(
    "-n",
    "--limit",
    type=click.IntRange(min=1),
    help=f"Only the latest events. [default: {DEFAULT_LIMIT}, with --json all]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line and nothing else.")
def command(*, follow: bool, limit: int | None, as_json: bool, **which: Any) -> int:
    """Show the recorded events: what came in, which hooks decided, what was answered, how it ended."""
    chosen = Filter(**which)
    store = open_ledger()
    if limit is None and not as_json:
        limit = DEFAULT_LIMIT
    last = _last_seq(store)
    print_record = _print_json_line if as_json else show_record
    shown = 0
    for record in queries.read_events(store, chosen, limit or 0):
        print_record(record)
        shown += 1
    if not shown and not follow and not as_json:
        print_line("No events yet." if chosen == Filter() else "No events match.", stderr=True)
    while follow:
        sys.stdout.flush()
        time.sleep(POLL_S)
        store.close()
        store, _ = refresh.open_ledger(require_state_dir())
        for record in queries.read_events(store, chosen, after=last):
            print_record(record)
        last = _last_seq(store)
    return 0


def _print_json_line(record: dict[str, Any]) -> None:
    print_json(record, one_line=True)


def _last_seq(store: sqlite3.Connection) -> int:
    found: int = store.execute("SELECT coalesce(max(seq), 0) FROM event_rows").fetchone()[0]
    return found
