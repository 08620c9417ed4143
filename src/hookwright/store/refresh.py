"""Bring the ledger up to date: what a reader does first, and what the background refresh does beyond it.

reader: journal → [open_ledger] → ledger.db
background: the same, then ends of background commands, sums, publishing, retention ← [refresh]
A reader costs as much as there are new events, whatever the past holds: it never fits, publishes or deletes.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hookwright.store.database import open_store
from hookwright.store.ingest import IngestResult, ingest

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

ALIVE_S = 3600.0  # a session with an event within so many seconds


def open_ledger(
    state: str | None, now: float | None = None, progress: Callable[[str, int, int], None] | None = None
) -> tuple[sqlite3.Connection, IngestResult]:
    """Open the ledger and ingest the journal, so that a result includes the last event."""
    now = time.time() if now is None else now
    store = open_store(state)
    assert state is not None
    return store, bring_up_to_date(store, state, now, progress)


def bring_up_to_date(
    store: sqlite3.Connection, state: str, now: float, progress: Callable[[str, int, int], None] | None = None
) -> IngestResult:
    """Ingest new lines of the journal, and key, sample and count them."""
    report = (lambda done, total: progress("reading the journal", done, total)) if progress else None
    result = ingest(store, state, now, report)
    if not result.busy and has_news(store):
        from hookwright.store.duration_samples import derive_rows  # noqa: PLC0415  parses commands; often there is none

        derive_rows(store, now)
    return result


def has_news(store: sqlite3.Connection) -> bool:
    """Whether there are events that were not keyed, sampled and counted yet."""
    row = store.execute(
        "SELECT coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'derived'), 0) "
        "< coalesce((SELECT max(seq) FROM event_rows), 0)"
    ).fetchone()
    return bool(row[0])


def refresh(
    store: sqlite3.Connection, state: str, now: float, progress: Callable[[str, int, int], None] | None = None
) -> int:
    """Everything that is not a reader's work; returns the number of projects that were published."""
    from hookwright.store import demotions, duration_sums, learn, publish, retention  # noqa: PLC0415  not for readers

    if bring_up_to_date(store, state, now, progress).busy:
        return 0
    if learn.learn_background_ends(store, now).background_ends:
        bring_up_to_date(store, state, now)
    retention.retire(store, state, now)
    if not duration_sums.are_current(store):
        duration_sums.rebuild_sums(store)
    if _is_new_since(store, "demotions"):  # they are computed from a month of moves
        demotions.publish_demotions(store, state, now)
        _save_session_gains(store, state, now)
    return publish.publish_changed(store, state, now)


def _is_new_since(store: sqlite3.Connection, name: str) -> bool:
    """Whether events arrived since this was asked for the last time."""
    last = str(store.execute("SELECT coalesce(max(seq), 0) FROM event_rows").fetchone()[0])
    row = store.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    if row is not None and row["value"] == last:
        return False
    store.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, last))
    return True


def _save_session_gains(store: sqlite3.Connection, state: str, now: float) -> None:
    """Write the seconds not waited of sessions that are alive, for the hook `summary` and the status line."""
    from hookwright.proc.atomic_write import write_atomic  # noqa: PLC0415
    from hookwright.store.filter import Filter  # noqa: PLC0415
    from hookwright.store.gain import read_gain  # noqa: PLC0415
    from hookwright.store.paths import make_private, session_dir  # noqa: PLC0415
    from hookwright.store.session_tally import SAVED_FILE  # noqa: PLC0415

    alive = "SELECT session_id, first FROM sessions WHERE moved AND last > ?"
    for session, first in store.execute(alive, (now - ALIVE_S,)).fetchall():
        found = read_gain(store, Filter(session=session, since=first))
        folder = session_dir(state, session)
        try:
            if make_private(folder):
                write_atomic(f"{folder}/{SAVED_FILE}", f"{found.seconds_saved:.0f}".encode())
        except (OSError, ValueError):
            continue
