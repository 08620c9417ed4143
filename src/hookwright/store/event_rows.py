"""Journal records as rows of the ledger, and back.

journal record → [event_row, insert_events, decision_rows] → event_rows, commands, sessions, … → [parse_decisions]
Texts that repeat in many rows (sessions, prompts, projects, commands) are kept once and referred to by a number.
"""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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
