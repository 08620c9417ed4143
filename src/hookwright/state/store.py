"""The store: the journal as plain SQLite tables, for every question about the past.

journal → ingest → [ledger.db] → log, why, stats, learned durations, `datasette ledger.db`
One file per user, WAL, rows keyed by the record's id. A damaged file is set aside and made again from the journal.
Cold: nothing on the door's way opens it.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from typing import TYPE_CHECKING, Any

from hookwright.errors import UserError
from hookwright.state.paths import make_private

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FILE = "ledger.db"
VERSION = 1
KEEP_DAYS = 90

# Columns that a record fills by name; what it holds beyond them is kept as JSON in `extra`.
COLUMNS = (
    *("id", "time", "event", "session_id", "prompt_id", "tool_use_id", "agent_id", "project", "tool", "command"),
    *("key", "intent", "answer", "duration_ms", "outcome", "exit_code", "task_id", "us", "version"),
)
LISTS = ("decisions", "changed", "masked", "truncated")  # kept as JSON text

SCHEMA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "schema.sql")

INSERT_EVENT = (
    f"INSERT OR IGNORE INTO events ({', '.join((*COLUMNS, *LISTS, 'extra'))}) "  # noqa: S608  our own names
    f"VALUES ({', '.join('?' * (len(COLUMNS) + len(LISTS) + 1))})"
)

INSERT_DECISION = "INSERT OR IGNORE INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_KNOWN = frozenset((*COLUMNS, *LISTS, "v"))


def _encoder() -> Callable[[Any], str]:
    """JSON text of what was JSON before. The C encoder made once: `encode` makes it anew for every value."""
    make: Any = getattr(json.encoder, "c_make_encoder", None)  # not on every interpreter
    if make is None:
        return json.JSONEncoder(ensure_ascii=False).encode
    quote = json.encoder.encode_basestring
    encode = make(None, None, quote, None, ": ", ", ", False, False, True)
    return lambda value: "".join(encode(value, 0))


_encode = _encoder()


def open_store(state: str | None) -> sqlite3.Connection:
    """The user's ledger, made if it is not there; a damaged one is set aside first."""
    if state is None:
        raise UserError("there is no place for the ledger: HOME is not set", fix="export HOME")
    if not make_private(state):
        raise UserError("the state folder cannot be used", where=state, fix=f"ls -ld {state}")
    path = f"{state}/{FILE}"
    try:
        return _opened(path)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and "malformed" not in str(error):
            raise UserError(f"the ledger cannot be opened: {error}", where=path, fix=f"ls -l {path}") from error
        set_aside(path)
        return _opened(path)


def set_aside(path: str) -> str:
    """Move a damaged store out of the way; it is made again from the journal."""
    target = f"{path}.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    for end in ("", "-wal", "-shm"):
        if os.path.exists(path + end):
            os.replace(path + end, target + end)
    return target


def _opened(path: str) -> sqlite3.Connection:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    store = sqlite3.connect(path, timeout=30, isolation_level=None)
    store.row_factory = sqlite3.Row
    try:
        store.execute("PRAGMA journal_mode = WAL")
        store.execute("PRAGMA synchronous = NORMAL")
        version = store.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            _make(store)
        elif version > VERSION:
            what = f"the ledger was made by a newer hookwright (form {version}, known is {VERSION})"
            raise UserError(what, where=path, fix="update hookwright")  # noqa: TRY301  closed below
        store.execute("SELECT count(*) FROM (SELECT 1 FROM events LIMIT 1)").fetchone()
    except BaseException:
        store.close()
        raise
    return store


def _make(store: sqlite3.Connection) -> None:
    store.execute("BEGIN IMMEDIATE")
    if store.execute("PRAGMA user_version").fetchone()[0] == 0:  # nobody was quicker
        with open(SCHEMA, encoding="utf-8") as file:
            for statement in _statements(file.read()):
                store.execute(statement)
        store.execute(f"PRAGMA user_version = {VERSION}")
    store.execute("COMMIT")


def _statements(text: str) -> list[str]:
    """`executescript` would commit by itself; these run inside our transaction."""
    found, part = [], ""
    for line in text.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            found.append(part)
            part = ""
    return found


def event_row(record: Mapping[str, Any]) -> tuple[Any, ...]:
    """A journal record as a row of `events`, as it is; `plain_row` mends one that SQLite refuses."""
    get = record.get
    extra = None
    if not record.keys() <= _KNOWN:
        extra = _encode({name: value for name, value in record.items() if name not in _KNOWN})
    lists = [value if value is None else _encode(value) for value in map(get, LISTS)]
    return (*map(get, COLUMNS), *lists, extra)


def plain_row(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """SQLite takes numbers and texts; anything else that a strange record holds becomes JSON."""
    return tuple(map(_plain, row))


def decision_rows(record: Mapping[str, Any]) -> tuple[int | None, list[tuple[Any, ...]]]:
    """What all hooks of a record took together, and rows for those that had something to say, or failed."""
    total, rows = None, []
    for place, said in enumerate(record.get("decisions") or ()):
        if not isinstance(said, dict):
            continue
        us = said.get("us")
        if isinstance(us, int):
            total = us if total is None else total + us
        if said.get("verdict") == "none" and "failure" not in said:
            continue
        values = (said.get("hook"), said.get("verdict"), said.get("reason"), us, said.get("mode"))
        rows.append((record["id"], place, record["time"], *map(_plain, values), _plain(said.get("failure"))))
    return total, rows


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (str, float)) or (isinstance(value, int) and abs(value) < 1 << 63):
        return value
    return _encode(value)
