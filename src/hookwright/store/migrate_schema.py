"""Upgrade a ledger of an older version in place: one transaction, so that a kill at any moment leaves the old one.

open_store → [upgrade] → tables of schema.sql
Nothing that was learned or recorded is lost. What is computed from the rows (counts per day, sums of durations) is
computed again by the next ingest and refresh.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookwright.store.event_rows import hash_text
from hookwright.store.sql_files import read_statements

if TYPE_CHECKING:
    import sqlite3

_REPLACED_V1 = (
    *("events_session", "events_project", "events_call", "events_key", "events_answered", "events_questions"),
    *("events_problems", "events_behind", "samples_project"),
)


def upgrade(store: sqlite3.Connection, version: int) -> None:
    """Bring the tables to this version; another process may have been faster."""
    store.create_function("hash_text", 1, lambda text: None if text is None else hash_text(str(text)))
    store.execute("BEGIN IMMEDIATE")
    try:
        if store.execute("PRAGMA user_version").fetchone()[0] == 1:
            _replace_tables_v1(store)
            store.execute(f"PRAGMA user_version = {version}")
        store.execute("COMMIT")
    except BaseException:
        store.execute("ROLLBACK")
        raise
    store.execute("PRAGMA auto_vacuum = INCREMENTAL")
    store.execute("VACUUM")  # the old tables' pages go, and from now on freed pages can be given back


def _replace_tables_v1(store: sqlite3.Connection) -> None:
    store.execute("DROP VIEW IF EXISTS calls")
    for name in _REPLACED_V1:
        store.execute(f"DROP INDEX IF EXISTS {name}")
    store.execute("ALTER TABLE events RENAME TO old_events")
    store.execute("ALTER TABLE samples RENAME TO old_samples")
    kept = {row[0] for row in store.execute("SELECT name FROM sqlite_master WHERE name IS NOT NULL")}
    for statement in read_statements("schema.sql"):
        if _created_name(statement) not in kept:
            store.execute(statement)
    for statement in read_statements("upgrade_from_1.sql"):
        store.execute(statement)


def _created_name(statement: str) -> str:
    """The table, index or view that a statement of the schema creates."""
    code = "\n".join(line.partition("--")[0] for line in statement.splitlines())
    return code.split()[2]
