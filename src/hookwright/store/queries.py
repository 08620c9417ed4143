"""Query the ledger: events, what was decided in them, how they ended.

journal → refresh.open_ledger → [read_events, find_event, explain_event] → log, why, the page
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hookwright.store.event_rows import parse_decisions
from hookwright.store.filter import Filter as Filter  # noqa: PLC0414  part of the queries

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator


def read_events(store: sqlite3.Connection, which: Filter, limit: int = 0, after: int = 0) -> Iterator[dict[str, Any]]:
    """Records in the form of `log --json`, oldest first; with a limit the latest ones, with `after` later arrivals."""
    where, values = which.where_clause()
    if after:
        where, values = f"seq > ? AND {where}", [after, *values]
    order = "DESC" if limit else "ASC"
    # Ids first, from the indexes alone; only the rows that are returned are read whole.
    ids = f"SELECT id FROM event_rows WHERE {where} ORDER BY id {order} LIMIT ?"  # noqa: S608  no user text
    rows = store.execute(
        f"SELECT * FROM events WHERE id IN ({ids}) ORDER BY id {order}",  # noqa: S608
        (*values, limit or -1),
    )
    if limit:
        yield from map(format_record, reversed(rows.fetchall()))
    else:
        yield from map(format_record, rows)


def iterate_latest(store: sqlite3.Connection, which: Filter, verdicts: tuple[str, ...]) -> Iterator[sqlite3.Row]:
    """Whole rows of events, newest first, in which the filter's hook decided one of these and it was sent."""
    where, values = which.where_clause()
    marks = ", ".join("?" * len(verdicts))
    decided = f"SELECT event_id FROM decisions WHERE hook = ? AND verdict IN ({marks}) AND mode IS NOT 'shadow'"  # noqa: S608
    ids = f"SELECT id FROM event_rows WHERE {where} AND id IN ({decided})"  # noqa: S608  no user text
    yield from store.execute(
        f"SELECT * FROM events WHERE id IN ({ids}) ORDER BY id DESC",  # noqa: S608
        (*values, which.hook, *verdicts),
    )


def format_record(row: sqlite3.Row) -> dict[str, Any]:
    """A row of `events` in the documented form of `log --json`."""
    return {
        "id": row["id"],
        "time": format_iso(row["time"]),
        **{
            name: row[name] for name in ("event", "session_id", "tool_use_id", "agent_id", "project", "tool", "command")
        },
        "key": row["key"],
        "intent": row["intent"],
        "decisions": [
            {
                **{name: decision.get(name) for name in ("hook", "verdict", "reason", "us", "mode")},
                **({"failure": decision["failure"]} if decision.get("failure") else {}),
            }
            for decision in parse_decisions(row["decisions"])
        ],
        "answer": row["answer"],
        "changed": _parse_list(row["changed"]) if row["changed"] else None,
        "duration_ms": row["duration_ms"],
        "outcome": row["outcome"],
        "exit_code": row["exit_code"],
        "task_id": row["task_id"],
        "agent": row["agent"],
        "policy": row["policy"],
        "file": _read_extra(row["extra"], "file") or None,
        **({"problem": _read_extra(row["extra"], "problem")} if row["event"] is None else {}),
        **({"judged": _read_judged(row["extra"])} if row["extra"] and '"judged"' in row["extra"] else {}),
    }


def _read_judged(extra: str) -> str | None:
    """What of a call the guard judged: the tool and its arguments; Bash has its command."""
    try:
        found = json.loads(extra)["guard"]["judged"]
    except (ValueError, LookupError, TypeError):
        return None
    return found if isinstance(found, str) else None


def _read_extra(extra: str | None, name: str) -> str:
    """A text among the other fields: the file of a tool, what failed in the hook process itself."""
    if not extra or f'"{name}"' not in extra:
        return ""
    try:
        found = json.loads(extra)
    except ValueError:
        return ""
    return str(found.get(name, "")) if isinstance(found, dict) else ""


def find_event(store: sqlite3.Connection, name: str) -> sqlite3.Row | None:
    """The event with this id or id prefix, or of this tool use; `last` is the last event with an answer."""
    if name == "last":
        query = "SELECT * FROM events WHERE answer IS NOT NULL ORDER BY id DESC LIMIT 1"
        last = "SELECT * FROM events ORDER BY id DESC LIMIT 1"
        found: sqlite3.Row | None = store.execute(query).fetchone() or store.execute(last).fetchone()
        return found
    found = store.execute(
        "SELECT * FROM events WHERE id >= ? AND id < ? ORDER BY id LIMIT 1", (name, name + "\uffff")
    ).fetchone()
    if found is None:
        found = store.execute("SELECT * FROM events WHERE tool_use_id = ? ORDER BY id LIMIT 1", (name,)).fetchone()
    return found


def explain_event(store: sqlite3.Connection, row: sqlite3.Row) -> dict[str, Any]:
    """The event, what each hook decided in which order, the answer, and the later records of the same call."""
    printed = _read_printed(row)
    hooks = [
        {
            "hook": decision.get("hook"),
            "order": order,
            **{name: decision.get(name) for name in ("verdict", "reason", "us", "mode")},
            **({"failure": decision["failure"]} if decision.get("failure") else {}),
            **({"printed": printed[decision["hook"]]} if decision.get("hook") in printed else {}),
        }
        for order, decision in enumerate(parse_decisions(row["decisions"]), 1)
    ]
    afterwards = []
    if row["tool_use_id"]:
        afterwards = [
            {**format_record(later), **_read_questions(later)}
            for later in store.execute(
                "SELECT * FROM events WHERE tool_use_id = ? AND session_id IS ? AND id > ? ORDER BY id",
                (row["tool_use_id"], row["session_id"], row["id"]),
            )
        ]
    return {
        "record": format_record(row),
        "hooks": hooks,
        "answer": row["answer"],
        **_read_questions(row),
        **_read_demoted(row),
        "afterwards": afterwards,
    }


def _read_printed(row: sqlite3.Row) -> dict[str, str]:
    """Hook → what a user hook printed: not part of the answer, but helpful for debugging."""
    extra = json.loads(row["extra"]) if row["extra"] and '"printed"' in row["extra"] else {}
    printed = extra.get("printed") if isinstance(extra, dict) else None
    return printed if isinstance(printed, dict) else {}


def _read_demoted(row: sqlite3.Row) -> dict[str, str]:
    """Why a long command was left in the foreground by evidence."""
    extra = json.loads(row["extra"]) if row["extra"] and '"demoted"' in row["extra"] else {}
    found = extra.get("demoted") if isinstance(extra, dict) else None
    return {"demoted": found} if isinstance(found, str) else {}


def _read_questions(row: sqlite3.Row) -> dict[str, list[dict[str, Any]]]:
    """The questions of an AskUserQuestion event, with their verdicts or answers."""
    if not row["extra"] or not str(row["tool"]).endswith("AskUserQuestion"):
        return {}
    extra = json.loads(row["extra"])
    found = extra.get("questions") if isinstance(extra, dict) else None
    return {"questions": [each for each in found if isinstance(each, dict)]} if isinstance(found, list) else {}


def format_iso(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (OverflowError, ValueError, OSError):
        return "?"


def _parse_list(text: str | None) -> list[Any]:
    try:
        value = json.loads(text) if text else []
    except ValueError:
        return []
    return value if isinstance(value, list) else []
