"""The ledger: the journal as SQLite tables, for queries about the past.

journal → ingest → [ledger.db] → log, why, stats, learned durations, `datasette ledger.db`
One file per user, WAL, rows keyed by the record's id. A damaged file is moved aside and rebuilt from the journal, one
of an older version is upgraded in place. The hook process never opens it.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time

from hookwright.errors import UserError
from hookwright.store.paths import make_private
from hookwright.store.sql_files import read_statements

FILE = "ledger.db"
SCHEMA_VERSION = 2
KEEP_DAYS = 90


def open_store(state: str | None) -> sqlite3.Connection:
    """Open the user's ledger; create it if it is missing, rebuild it if it is damaged."""
    if state is None:
        raise UserError("the ledger has no directory: HOME is not set", fix="export HOME")
    if not make_private(state):
        raise UserError("the state directory is not a private directory of yours", where=state, fix=f"ls -ld {state}")
    path = f"{state}/{FILE}"
    try:
        return _open_database(path)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "malformed" not in str(error):
            raise UserError(f"the ledger cannot be opened: {error}", where=path, fix=f"ls -l {path}") from error
        move_aside(path)
        return _open_database(path)


def move_aside(path: str) -> str:
    """Rename a damaged ledger, so that it is rebuilt from the journal; returns the new path."""
    target = f"{path}.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    for end in ("", "-wal", "-shm"):
        if os.path.exists(path + end):
            os.replace(path + end, target + end)
    return target


def _open_database(path: str) -> sqlite3.Connection:
    _create_file(path)
    store = sqlite3.connect(path, timeout=30, isolation_level=None)
    store.row_factory = sqlite3.Row
    try:
        version = store.execute("PRAGMA user_version").fetchone()[0]
        if version > SCHEMA_VERSION:
            what = f"the ledger is from a newer hookwright (schema {version}, this one knows {SCHEMA_VERSION})"
            raise UserError(what, where=path, fix="update hookwright")  # noqa: TRY301  the connection is closed below
        if version == 0:
            store.execute("PRAGMA auto_vacuum = INCREMENTAL")  # before anything is written
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("PRAGMA synchronous = NORMAL")
        if version == 0:
            _create_schema(store)
        elif version < SCHEMA_VERSION:
            from hookwright.store.migrate_schema import upgrade  # noqa: PLC0415  once

            upgrade(store, SCHEMA_VERSION)
        store.execute("SELECT count(*) FROM (SELECT 1 FROM events LIMIT 1)").fetchone()
    except BaseException:
        store.close()
        raise
    return store


def _create_file(path: str) -> None:
    """Create the file with its mode, and refuse what is no file: SQLite would wait for a fifo."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
        regular = stat.S_ISREG(os.fstat(descriptor).st_mode)
        os.close(descriptor)
    except OSError as error:
        what = f"the ledger cannot be opened: {error.strerror}"
        raise UserError(what, where=path, fix=f"ls -l {path}") from None
    if not regular:
        raise UserError("the ledger is not a regular file", where=path, fix=f"mv {path} {path}.odd")


def _create_schema(store: sqlite3.Connection) -> None:
    store.execute("BEGIN IMMEDIATE")
    if store.execute("PRAGMA user_version").fetchone()[0] == 0:  # no other process was faster
        for statement in read_statements("schema.sql"):
            store.execute(statement)
        store.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    store.execute("COMMIT")
