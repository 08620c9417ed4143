"""hookwright log: what happened, oldest first; `-f` goes on with what happens now."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from hookwright.cli.past import (
    folder,
    local_time,
    opened,
    plain,
    project_option,
    seconds,
    session_option,
    since_option,
    state_folder,
)
from hookwright.history import ledger

if TYPE_CHECKING:
    import sqlite3

SHOWN = 50  # events for a person who gave no limit
PAUSE_S = 0.5


@click.command("log", epilog="Example:  hookwright log --since 1h --decision deny")
@click.option("-f", "--follow", is_flag=True, help="Go on with what happens now, until interrupted.")
@session_option
@project_option
@click.option("--hook", default="", metavar="NAME", help="Only events in which this hook spoke.")
@click.option("--decision", default="", metavar="WORD", help="Only this decision: deny, ask, rewrite, context, …")
@click.option("--event", default="", metavar="NAME", help="Only this event, such as PreToolUse.")
@since_option
@click.option("-n", "--limit", type=click.IntRange(min=1), help=f"The latest so many (people: {SHOWN}, machines: all).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, nothing else.")
def command(*, follow: bool, limit: int | None, as_json: bool, since: float, project: str, **which: str) -> int:
    """Show the record of events: what came, which hooks spoke, what was answered, how it ended."""
    chosen = ledger.Filter(project=folder(project), since=since, **which)
    store = opened()
    if limit is None and not as_json:
        limit = SHOWN
    last = _last(store)
    shown = 0
    for record in ledger.events(store, chosen, limit or 0):
        show(record, as_json=as_json)
        shown += 1
    if not shown and not follow and not as_json:
        print("No events yet." if chosen == ledger.Filter() else "No events match.", file=sys.stderr)
    while follow:
        sys.stdout.flush()
        time.sleep(PAUSE_S)
        store.close()
        store, _ = ledger.bring_up(state_folder())
        for record in ledger.events(store, chosen, after=last):
            show(record, as_json=as_json)
        last = _last(store)
    return 0


def show(record: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(record, ensure_ascii=False))
        return
    words = "; ".join(filter(None, map(_said, record["decisions"])))
    ended = f" [{record['outcome']}{_code(record)}]" if record["outcome"] else ""
    took = f" {seconds(record['duration_ms'] / 1000)}" if record["duration_ms"] is not None else ""
    what = record["command"] or record["tool"] or record.get("problem") or ""
    line = f"{local_time(record['time'])}  {record['event'] or 'problem':18} {plain(what, 80)}{ended}{took}"
    print(f"{line}  {record['id'][:16]}" + (f"\n    {plain(words, 160)}" if words else ""))


def _said(row: dict[str, Any]) -> str:
    """What one hook said, or how it failed; "" for silence."""
    failed = f"{row['hook']}: failed ({row['failure']})" if row.get("failure") else ""
    if row["verdict"] in (None, "none"):
        return failed
    unsent = " [shadow: not sent]" if row["mode"] == "shadow" else ""
    return f"{failed + ', so ' if failed else ''}{row['hook']}: {row['verdict']}{unsent} ({row['reason']})"


def _code(record: dict[str, Any]) -> str:
    return f" {record['exit_code']}" if record["exit_code"] else ""


def _last(store: sqlite3.Connection) -> int:
    found: int = store.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0]
    return found
