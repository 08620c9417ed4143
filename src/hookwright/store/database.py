"""The ledger: the journal as SQLite tables, for queries about the past.

journal → ingest → [ledger.db] → log, why, stats, learned durations, `datasette ledger.db`
One file per user, WAL, rows keyed by the record's id. A damaged file is moved aside and rebuilt from the journal.
The hook process never opens it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import time
from typing import TYPE_CHECKING, Any

from hookwright.errors import UserError
from hookwright.store.paths import make_private

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FILE = "ledger.db"
SCHEMA_VERSION = 1
KEEP_DAYS = 90

# Columns that a record fills by name; its other fields are kept as JSON in `extra`.
COLUMNS = (
    *("id", "time", "event", "session_id", "prompt_id", "tool_use_id", "agent_id", "project", "tool", "command"),
    *("key", "intent", "answer", "duration_ms", "outcome", "exit_code", "task_id", "us", "version"),
)
JSON_COLUMNS = ("decisions", "changed", "masked", "truncated")  # stored as JSON text

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schema.sql")

INSERT_EVENT = (
    f"INSERT OR IGNORE INTO events ({', '.join((*COLUMNS, *JSON_COLUMNS, 'extra'))}) "  # noqa: S608  our own names
    f"VALUES ({', '.join('?' * (len(COLUMNS) + len(JSON_COLUMNS) + 1))})"
)

INSERT_DECISION = "INSERT OR IGNORE INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_KNOWN = frozenset((*COLUMNS, *JSON_COLUMNS, "v"))


def _build_encoder() -> Callable[[Any], str]:
    """A function that encodes JSON values; builds the C encoder once instead of once per value."""
    make: Any = getattr(json.encoder, "c_make_encoder", None)  # not on every interpreter
    if make is None:
        return json.JSONEncoder(ensure_ascii=False).encode
    quote = json.encoder.encode_basestring
    encode = make(None, None, quote, None, ": ", ", ", False, False, True)
    return lambda value: "".join(encode(value, 0))


_encode = _build_encoder()


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
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("PRAGMA synchronous = NORMAL")
        version = store.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            _create_schema(store)
        elif version > SCHEMA_VERSION:
            what = f"the ledger is from a newer hookwright (schema {version}, this one knows {SCHEMA_VERSION})"
            raise UserError(what, where=path, fix="update hookwright")  # noqa: TRY301  the connection is closed below
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
        with open(SCHEMA, encoding="utf-8") as file:
            for statement in _split_statements(file.read()):
                store.execute(statement)
        store.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    store.execute("COMMIT")


def _split_statements(text: str) -> list[str]:
    """The statements one by one: `executescript` would commit, these run inside our transaction."""
    found, part = [], ""
    for line in text.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            found.append(part)
            part = ""
    return found


def event_row(record: Mapping[str, Any]) -> tuple[Any, ...]:
    """A journal record as a row of `events`; for values that SQLite refuses see `plain_row`."""
    get = record.get
    extra = None
    if not record.keys() <= _KNOWN:
        extra = _encode({name: value for name, value in record.items() if name not in _KNOWN})
    lists = [value if value is None else _encode(value) for value in map(get, JSON_COLUMNS)]
    return (*map(get, COLUMNS), *lists, extra)


def plain_row(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """The row with every value that SQLite has no type for as JSON."""
    return tuple(map(_to_sqlite, row))


def decision_rows(record: Mapping[str, Any]) -> tuple[int | None, list[tuple[Any, ...]]]:
    """The total time of a record's hooks in µs, and rows for the hooks that decided something or failed."""
    total, rows = None, []
    for position, decision in enumerate(record.get("decisions") or ()):
        if not isinstance(decision, dict):
            continue
        us = decision.get("us")
        if isinstance(us, int):
            total = us if total is None else total + us
        if decision.get("verdict") == "none" and "failure" not in decision:
            continue
        values = (decision.get("hook"), decision.get("verdict"), decision.get("reason"), us, decision.get("mode"))
        rows.append((record["id"], position, record["time"], *map(_to_sqlite, (*values, decision.get("failure")))))
    return total, rows


def _to_sqlite(value: Any) -> Any:
    if value is None or isinstance(value, (str, float)) or (isinstance(value, int) and abs(value) < 1 << 63):
        return value
    return _encode(value)
