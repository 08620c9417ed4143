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

NEGLECTED_DAYS = 7  # a reader deletes what is old only if the background refresh has not run for so long


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
    demotions.publish_demotions(store, state, now)
    return publish.publish_changed(store, state, now)
