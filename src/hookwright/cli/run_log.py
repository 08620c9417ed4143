"""What `hookwright log` and `why` do, without the parser of their arguments: cli/start.py runs them on its own.

Filter → ledger → [run_log, run_why] → views
"""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

from hookwright.cli.ledger_context import open_ledger, require_state_dir
from hookwright.cli.output import print_json, print_line
from hookwright.errors import UserError
from hookwright.store import queries, refresh
from hookwright.store.filter import Filter

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

DEFAULT_LIMIT = 50  # events on the screen; --json has no limit
POLL_S = 0.1


def run_log(which: Filter, *, follow: bool = False, limit: int | None = None, as_json: bool = False) -> int:
    store = open_ledger()
    if limit is None and not as_json:
        limit = DEFAULT_LIMIT
    last = _last_seq(store)
    print_record = _choose_form(as_json=as_json)
    shown = 0
    for record in queries.read_events(store, which, limit or 0):
        print_record(record)
        shown += 1
    if not shown and not follow and not as_json:
        print_line("No events yet." if which in (Filter(), Filter(spoken=True)) else "No events match.", stderr=True)
    if follow:
        _follow_events(store, which, last, print_record)
    return 0


def _follow_events(
    store: sqlite3.Connection, which: Filter, last: int, print_record: Callable[[dict[str, Any]], None]
) -> None:
    """Print new events as soon as the journal grows; ends by an interrupt."""
    state = require_state_dir()
    seen: object = None
    while True:
        sys.stdout.flush()
        grown = _read_sizes(state)
        if grown == seen:
            time.sleep(POLL_S)
            continue
        if not refresh.bring_up_to_date(store, state, time.time()).busy:
            seen = grown
        for record in queries.read_events(store, which, after=last):
            print_record(record)
        last = _last_seq(store)


def _read_sizes(state: str) -> object:
    """Name and size of every segment: whatever is appended changes them."""
    try:
        with os.scandir(f"{state}/journal") as entries:
            return {entry.name: entry.stat(follow_symlinks=False).st_size for entry in entries}
    except OSError:
        return {}


def _choose_form(*, as_json: bool) -> Callable[[dict[str, Any]], None]:
    if as_json:
        return lambda record: print_json(record, one_line=True)
    from hookwright.cli.views.log_view import show_record  # noqa: PLC0415  for people

    return show_record


def _last_seq(store: sqlite3.Connection) -> int:
    found: int = store.execute("SELECT coalesce(max(seq), 0) FROM event_rows").fetchone()[0]
    return found


def run_why(name: str = "last", *, as_json: bool = False) -> int:
    store = open_ledger()
    row = queries.find_event(store, name)
    if row is None:
        what = "no events are recorded yet" if name == "last" else f"there is no event {name!r}"
        raise UserError(what, where="the ledger", fix="hookwright log")
    found = queries.explain_event(store, row)
    if as_json:
        print_json(found)
    else:
        from hookwright.cli.views.why_view import show_event  # noqa: PLC0415  for people

        show_event(found)
    return 0
