"""The ledger as the page sees it: opened read-only, and brought up to date by the same step as every other reader.

ledger.db → [open_read_only] → queries; journal → [LedgerUpdater] → ledger.db
A ledger that is locked, damaged or of another version is named and left as it is.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from typing import TYPE_CHECKING
from urllib.parse import quote

from hookwright.errors import UserError
from hookwright.page.live import list_segments
from hookwright.page.run_hookwright import run_hookwright
from hookwright.store.database import FILE, SCHEMA_VERSION, open_store
from hookwright.store.ingest import backlog_bytes
from hookwright.store.refresh import bring_up_to_date, has_news

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookwright.page.run_hookwright import RunningCommands

BUSY_S = 3.0  # how long a lock of another process is waited for
LARGE_BYTES = 1 << 20  # of new journal: more is ingested by a process of its own, which then gives its memory back
INGEST_TIMEOUT_S = 3600.0
PAUSE_S = 0.5  # between two updates: a busy session writes several records a second
TABLES = ("event_rows", "sessions", "projects", "commands", "decisions", "daily", "samples", "sums", "segments", "meta")


def open_read_only(state: str) -> sqlite3.Connection:
    """A connection that cannot write. UserError if the ledger is locked, damaged or of another version."""
    path = f"{state}/{FILE}"
    if not os.path.isfile(path):  # SQLite would wait for a fifo
        raise UserError("the ledger cannot be opened: it is not a file", where=path, fix=f"ls -ld {path}")
    try:
        return _check_store(sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True, timeout=BUSY_S), path)
    except sqlite3.Error as error:
        raise describe_error(error, path) from error


def _check_store(store: sqlite3.Connection, path: str) -> sqlite3.Connection:
    try:
        store.row_factory = sqlite3.Row
        _check_version(store.execute("PRAGMA user_version").fetchone()[0], path)
        for table in TABLES:
            store.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone()  # noqa: S608  our own names
    except BaseException:
        store.close()
        raise
    return store


def _check_version(version: int, path: str) -> None:
    if version > SCHEMA_VERSION:
        what = f"the ledger is from a newer hookwright (schema {version}, this one knows {SCHEMA_VERSION})"
        raise UserError(what, where=path, fix="update hookwright")
    if version < SCHEMA_VERSION:
        what = f"the ledger is from an older hookwright (schema {version}, this one reads {SCHEMA_VERSION})"
        raise UserError(what, where=path, fix="hookwright log    (it upgrades the ledger), then open the page again")


def describe_error(error: sqlite3.Error, path: str) -> UserError:
    """What a person is told about an error of SQLite."""
    text = str(error)
    if "locked" in text or "busy" in text:
        return UserError("the ledger is locked by another process", where=path, fix="wait for it, then try again")
    if isinstance(error, sqlite3.OperationalError) and "unable to open" in text:
        return UserError(f"the ledger cannot be opened: {text}", where=path, fix=f"ls -l {path}")
    what = f"the ledger is damaged ({text}); it was left as it is"
    return UserError(
        what, where=path, fix="hookwright log    (it moves the damaged file aside and reads the journal again)"
    )


def prepare_ledger(state: str) -> None:
    """Create a missing ledger; UserError for one that cannot be read, which stays untouched."""
    path = f"{state}/{FILE}"
    if not os.path.lexists(path) or (os.path.isfile(path) and not os.path.getsize(path)):
        open_store(state).close()
    open_read_only(state).close()


class LedgerUpdater:
    """Keeps the ledger up to date while the page is open: ingests what is new, as `hookwright log` does."""

    def __init__(self, state: str, commands: RunningCommands, on_update: Callable[[], None]) -> None:
        self._state = state
        self._commands = commands
        self._on_update = on_update
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._closed = False
        self._stamp: object = None
        self.problem = ""  # why the last update failed
        self.is_catching_up = False

    def start(self) -> None:
        threading.Thread(target=self._run, name="ledger", daemon=True).start()
        self.wake()

    def wake(self) -> None:
        """Look soon whether the journal has grown."""
        self._wake.set()

    def close(self) -> None:
        self._closed = True
        self._wake.set()

    def update(self) -> bool:
        """Ingest now what is new; True if there was something."""
        with self._lock:
            stamp = list_segments(f"{self._state}/journal")  # changes with every record
            if stamp == self._stamp:
                return False
            try:
                self._ingest()
                self.problem = ""
            except UserError as error:
                self.problem = str(error)
            except sqlite3.Error as error:
                self.problem = str(describe_error(error, f"{self._state}/{FILE}"))
            self._stamp = stamp
            return True

    def _ingest(self) -> None:
        store = open_read_only(self._state)
        try:
            backlog = backlog_bytes(store, self._state)
            if backlog > LARGE_BYTES:
                self.is_catching_up = True
                run_hookwright(self._commands, ["log", "-n", "1"], cwd=self._state, seconds=INGEST_TIMEOUT_S)
                return
            if not backlog and not has_news(store):
                return
        finally:
            self.is_catching_up = False
            store.close()
        writer = sqlite3.connect(f"{self._state}/{FILE}", timeout=BUSY_S, isolation_level=None)
        try:
            writer.row_factory = sqlite3.Row
            bring_up_to_date(writer, self._state, time.time())
        finally:
            writer.close()

    def _run(self) -> None:
        while True:
            self._wake.wait()
            self._wake.clear()
            if self._closed:
                return
            if self.update():
                self._on_update()
            time.sleep(PAUSE_S)
