"""Keep the ledger and the journal within their limits: once a day, in the background refresh.

refresh → [retire] → closed segments compressed; old rows, questions, hook runs, transcripts and sessions deleted; freed
pages given back to the file system
Deletes a few days of rows at once and none after a pause: the clock may be wrong (journal_rotation).
"""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING

from hookwright.proc.atomic_write import Replacement
from hookwright.proc.safe_read import open_regular
from hookwright.store.daily import delete_old_days
from hookwright.store.database import KEEP_DAYS
from hookwright.store.journal import first_id, format_date
from hookwright.store.journal_rotation import DAYS_AT_ONCE
from hookwright.store.session_cleanup import sweep_sessions

if TYPE_CHECKING:
    import sqlite3

SAMPLE_DAYS = 120  # durations are learned from samples younger than this
QUESTION_DAYS = 365  # preferences are suggested from questions younger than this
HOOK_RUN_DAYS = 90
PAUSE_DAYS = 30  # after a longer pause nothing is deleted on the first day
VACUUM_PAGES = 4096  # given back at once: 16 MiB; the rest on the next day
CHUNK = 1 << 20


def is_due(store: sqlite3.Connection, now: float, days: int = 1) -> bool:
    """Whether the last time was at least so many days ago, or in the future."""
    row = store.execute("SELECT value FROM meta WHERE name = 'retired'").fetchone()
    return row is None or not format_date(now - (days - 1) * 86400) <= row["value"] <= format_date(now)


def retire(store: sqlite3.Connection, state: str, now: float) -> None:
    """Compress closed segments and delete what is beyond its retention, once a day."""
    if not is_due(store, now):
        return
    row = store.execute("SELECT value FROM meta WHERE name = 'retired'").fetchone()
    for segment in store.execute("SELECT name FROM segments WHERE closed = 1").fetchall():
        _compress_segment(f"{state}/journal/{segment['name']}")
    store.execute("BEGIN IMMEDIATE")
    try:
        if row is None or row["value"] >= format_date(now - PAUSE_DAYS * 86400):  # else perhaps a jump of the clock
            sweep_sessions(state, now)
            _delete_old_rows(store, now)
            _delete_unread_segments(store, state)
        store.execute("INSERT OR REPLACE INTO meta VALUES ('retired', ?)", (format_date(now),))
        store.execute("COMMIT")
    except BaseException:
        store.execute("ROLLBACK")
        raise
    # Not `execute`: that would take the first of as many steps as there are pages.
    store.executescript(f"PRAGMA incremental_vacuum({VACUUM_PAGES})")


def _delete_old_rows(store: sqlite3.Connection, now: float) -> None:
    first = store.execute("SELECT min(id) FROM event_rows").fetchone()[0] or ""
    oldest = min(first_id(now - KEEP_DAYS * 86400), _add_days(first, DAYS_AT_ONCE))
    gone = store.execute("DELETE FROM event_rows WHERE id < ?", (oldest,)).rowcount
    store.execute("DELETE FROM decisions WHERE event_id < ?", (oldest,))
    for table, days in (("samples", SAMPLE_DAYS), ("questions", QUESTION_DAYS), ("hook_runs", HOOK_RUN_DAYS)):
        gone += _delete_before(store, table, now - days * 86400)
    _delete_before(store, "sums", now - SAMPLE_DAYS * 86400)
    delete_old_days(store, now)
    if gone:
        _delete_unused_texts(store)


def _delete_before(store: sqlite3.Connection, table: str, moment: float) -> int:
    first = store.execute(f"SELECT min(time) FROM {table}").fetchone()[0] or 0.0  # noqa: S608  our own names
    moment = min(moment, first + DAYS_AT_ONCE * 86400)
    return store.execute(f"DELETE FROM {table} WHERE time < ?", (moment,)).rowcount  # noqa: S608


def _delete_unused_texts(store: sqlite3.Connection) -> None:
    """Delete sessions, prompts, projects and commands that no row mentions any more."""
    for table, rows in (
        ("sessions", ("event_rows.session", "samples.session")),
        ("prompts", ("event_rows.prompt",)),
        ("projects", ("event_rows.project", "samples.project")),
        ("commands", ("event_rows.command", "samples.command")),
    ):
        used = " AND ".join(
            f"no NOT IN (SELECT {column} FROM {owner} WHERE {column} IS NOT NULL)"  # noqa: S608
            for owner, _, column in (name.partition(".") for name in rows)
        )
        store.execute(f"DELETE FROM {table} WHERE {used}")  # noqa: S608


def _delete_unread_segments(store: sqlite3.Connection, state: str) -> None:
    """Forget segments and transcripts whose files are gone."""
    for row in store.execute("SELECT name FROM segments WHERE closed = 1").fetchall():
        path = f"{state}/journal/{row['name']}"
        if not os.path.lexists(path) and not os.path.lexists(path + ".gz"):
            store.execute("DELETE FROM segments WHERE name = ?", (row["name"],))
    for row in store.execute("SELECT path FROM transcripts").fetchall():
        if not os.path.lexists(row["path"]):
            store.execute("DELETE FROM transcripts WHERE path = ?", (row["path"],))


def _add_days(record_id: str, days: int) -> str:
    """A prefix that sorts before every id of so many days later; an id of another form counts as the oldest."""
    try:
        return first_id(int(record_id[:12], 16) / 1000 + days * 86400)
    except ValueError:
        return first_id(days * 86400)


def _compress_segment(path: str) -> None:
    """Replace a segment with its gzip copy; the original is removed only when the copy is complete."""
    pack = zlib.compressobj(6, wbits=31)  # with a gzip header
    try:
        if os.path.lexists(path + ".gz"):
            return  # after a jump of the clock the day was written again: each file keeps its own records
        with open(open_regular(path)[0], "rb") as source, Replacement(path + ".gz") as target:
            while chunk := source.read(CHUNK):
                target.write(pack.compress(chunk))
            target.write(pack.flush())
            target.commit()
        os.unlink(path)
    except OSError:  # swept just now; or a full disk: keep the uncompressed file
        return
