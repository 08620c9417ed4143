"""The ledger: the journal as SQLite tables, for queries about the past.

journal → ingest → [ledger.db] → log, why, stats, learned durations, `datasette ledger.db`
One file per user, WAL, rows keyed by the record's id. A damaged file is moved aside and rebuilt from the journal, one
of an older version is upgraded in place. The hook process never opens it.
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
    from collections.abc import Callable, Mapping, Sequence

FILE = "ledger.db"
SCHEMA_VERSION = 2
KEEP_DAYS = 90

# Fields of a record that are columns; its other fields are kept as JSON in `extra`.
COLUMNS = (
    *("id", "time", "event", "session_id", "prompt_id", "tool_use_id", "agent_id", "project", "tool", "command"),
    *("key", "answer", "duration_ms", "outcome", "exit_code", "task_id", "us", "version", "agent", "policy"),
)
JSON_COLUMNS = ("decisions", "changed", "masked", "truncated")  # stored as JSON text
# Field → table of its texts, the column there, the column of `event_rows` with the text's number.
NUMBERED = {
    "session_id": ("sessions", "session_id", "session"),
    "prompt_id": ("prompts", "prompt_id", "prompt"),
    "project": ("projects", "project", "project"),
}

DEFAULT_AGENT = "claude"
_ROW_COLUMNS = [NUMBERED[name][2] if name in NUMBERED else name for name in COLUMNS]
_PLACES = {name: place for place, name in enumerate(COLUMNS)}

INSERT_EVENT = (
    f"INSERT OR IGNORE INTO event_rows ({', '.join((*_ROW_COLUMNS, *JSON_COLUMNS, 'extra'))}) "  # noqa: S608  our names
    f"VALUES ({', '.join('?' * (len(COLUMNS) + len(JSON_COLUMNS) + 1))})"
)
INSERT_COMMAND = "INSERT OR IGNORE INTO commands (no, command) VALUES (?, ?)"
INSERT_DECISION = "INSERT OR IGNORE INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_KNOWN = frozenset((*COLUMNS, *JSON_COLUMNS, "v"))
_SILENT = {"verdict": "none", "reason": "", "mode": "on"}  # what a decision of two words stands for


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

            upgrade(store)
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


def read_statements(name: str) -> list[str]:
    """The statements of an SQL file beside this module."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as file:
        return _split_statements(file.read())


def _split_statements(text: str) -> list[str]:
    """The statements one by one: `executescript` would commit, these run inside our transaction."""
    found, part = [], ""
    for line in text.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            found.append(part)
            part = ""
    return found


def insert_events(store: sqlite3.Connection, rows: list[list[Any]]) -> None:
    """Insert events (`event_row`) that are not there yet, in the caller's transaction."""
    numbers: dict[tuple[str, str], int] = {}
    commands = {}
    for row in rows:
        for field in NUMBERED:
            place = _PLACES[field]
            if row[place] is not None:
                row[place] = number_text(store, field, row[place], numbers)
        command = row[_PLACES["command"]]
        if command is not None:
            command = command if isinstance(command, str) else _encode(command)
            row[_PLACES["command"]] = no = hash_text(command)
            row[_PLACES["key"]] = None  # of a command it is in `commands`
            commands[no] = command
        if row[_PLACES["agent"]] == DEFAULT_AGENT:
            row[_PLACES["agent"]] = None
    store.executemany(INSERT_COMMAND, commands.items())
    try:
        store.executemany(INSERT_EVENT, rows)
    except (sqlite3.Error, OverflowError):  # a value that SQLite has no type for
        store.executemany(INSERT_EVENT, map(plain_row, rows))


def number_text(
    store: sqlite3.Connection, field: str, text: Any, numbers: dict[tuple[str, str], int] | None = None
) -> int:
    """The number that stands for this session, prompt or project in other tables; a new text gets the next one."""
    text = text if isinstance(text, str) else _encode(text)
    if numbers is not None and (field, text) in numbers:
        return numbers[field, text]
    table, column, _ = NUMBERED[field]
    found = store.execute(f"SELECT no FROM {table} WHERE {column} = ?", (text,)).fetchone()  # noqa: S608  our own names
    if found is None:
        store.execute(f"INSERT INTO {table} ({column}) VALUES (?)", (text,))  # noqa: S608
        found = store.execute("SELECT last_insert_rowid()").fetchone()
    no: int = found[0]
    if numbers is not None:
        numbers[field, text] = no
    return no


def hash_text(text: str) -> int:
    """The number of a command: 63 bits of a cryptographic hash, so that no second index has to hold the text."""
    from _blake2 import blake2b  # noqa: PLC0415  only where rows are written

    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") >> 1


def event_row(record: Mapping[str, Any]) -> list[Any]:
    """The values of a journal record in the order of COLUMNS, JSON_COLUMNS and `extra`."""
    get = record.get
    extra = None
    if not record.keys() <= _KNOWN:
        extra = _encode({name: value for name, value in record.items() if name not in _KNOWN})
    decisions = get("decisions")
    if decisions:
        decisions = _encode(list(map(_shorten_decision, decisions)) if isinstance(decisions, list) else decisions)
    others = [value if value is None else _encode(value) for value in map(get, JSON_COLUMNS[1:])]
    return [*map(get, COLUMNS), decisions or None, *others, extra]


def _shorten_decision(decision: Any) -> Any:
    """A hook that had nothing to say, as most of them, is kept as its name and its time."""
    if isinstance(decision, dict) and len(decision) == 5 and decision.items() >= _SILENT.items():
        return [decision.get("hook"), decision.get("us")]
    return decision


def parse_decisions(text: str | None) -> list[dict[str, Any]]:
    """The decisions of an event, each in its whole form."""
    try:
        found = json.loads(text) if text else []
    except (ValueError, RecursionError):
        return []
    decisions = []
    for decision in found if isinstance(found, list) else ():
        if isinstance(decision, dict):
            decisions.append(decision)
        elif isinstance(decision, list) and len(decision) == 2:
            hook, us = decision
            decisions.append({"hook": hook, "verdict": "none", "reason": "", "us": us, "mode": "on"})
    return decisions


def plain_row(row: Sequence[Any]) -> tuple[Any, ...]:
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
