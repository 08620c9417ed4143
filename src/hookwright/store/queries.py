"""Query the ledger: events, decisions, costs, outcomes.

journal → refresh.open_ledger → [read_events, explain_event, compute_stats] → log, why, stats
"""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hookwright.store import durations_read, durations_write
from hookwright.store.event_rows import parse_decisions
from hookwright.store.ingest import backlog_bytes
from hookwright.store.journal import first_id
from hookwright.store.journal_rotation import FAILURES_FILE

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

MAX_SAVED_S = 120.0  # Claude Code itself moves a command to the background then; more is not counted as saved
MAX_ROWS = 20_000  # latest events that percentiles and tables are computed from


@dataclass(frozen=True)
class Filter:
    """Selects events; an empty field matches all."""

    session: str = ""
    project: str = ""
    hook: str = ""
    decision: str = ""
    since: float = 0.0
    event: str = ""

    def where_clause(self) -> tuple[str, list[Any]]:
        parts, values = ["1"], []
        for part, value in (
            ("id >= ?", first_id(self.since) if self.since else ""),
            ("session_id >= ? AND session_id < ? || '\uffff'", self.session),
            # The directory and everything below: an index range (0 follows / in ASCII), then the exact condition.
            ("project >= ? AND project < ? || '0' AND (project = ? OR project > ? || '/')", self.project),
            ("event = ?", self.event),
        ):
            if value:
                parts.append(part)
                values += [value] * part.count("?")
        if self.hook or self.decision:
            inner = ["1"]
            for column, value in (("hook", self.hook), ("verdict", self.decision)):
                if value:
                    inner.append(f"{column} = ?")
                    values.append(value)
            parts.append(f"id IN (SELECT event_id FROM decisions WHERE {' AND '.join(inner)})")  # noqa: S608
        return " AND ".join(parts), values


def read_events(store: sqlite3.Connection, which: Filter, limit: int = 0, after: int = 0) -> Iterator[dict[str, Any]]:
    """Records in the form of `log --json`, oldest first; with a limit the latest ones."""
    where, values = which.where_clause()
    order = "DESC" if limit else "ASC"
    # Ids first, from the indexes alone; only the rows that are returned are read whole.
    ids = f"SELECT id FROM events WHERE seq > ? AND {where} ORDER BY id {order} LIMIT ?"  # noqa: S608  no user text
    rows = store.execute(
        f"SELECT * FROM events WHERE id IN ({ids}) ORDER BY id {order}",  # noqa: S608
        (after, *values, limit or -1),
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
    yield from store.execute(
        f"SELECT * FROM events WHERE {where} AND id IN ({decided}) ORDER BY id DESC",  # noqa: S608  no user text
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
        "agent": row["agent"],
        "policy": row["policy"],
        **({"problem": _read_problem(row["extra"])} if row["event"] is None else {}),
        **({"judged": _read_judged(row["extra"])} if row["extra"] and '"judged"' in row["extra"] else {}),
    }


def _read_judged(extra: str) -> str | None:
    """What of a call the guard judged: the tool and its arguments; Bash has its command."""
    try:
        found = json.loads(extra)["guard"]["judged"]
    except (ValueError, LookupError, TypeError):
        return None
    return found if isinstance(found, str) else None


def _read_problem(extra: str | None) -> str:
    """What failed in the hook process itself: an unreadable payload, an internal error."""
    try:
        found = json.loads(extra or "{}")
    except ValueError:
        return ""
    return str(found.get("problem", "")) if isinstance(found, dict) else ""


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
        "afterwards": afterwards,
    }


def _read_printed(row: sqlite3.Row) -> dict[str, str]:
    """Hook → what a user hook printed: not part of the answer, but helpful for debugging."""
    extra = json.loads(row["extra"]) if row["extra"] and '"printed"' in row["extra"] else {}
    printed = extra.get("printed") if isinstance(extra, dict) else None
    return printed if isinstance(printed, dict) else {}


def _read_questions(row: sqlite3.Row) -> dict[str, list[dict[str, Any]]]:
    """The questions of an AskUserQuestion event, with their verdicts or answers."""
    if not row["extra"] or not str(row["tool"]).endswith("AskUserQuestion"):
        return {}
    extra = json.loads(row["extra"])
    found = extra.get("questions") if isinstance(extra, dict) else None
    return {"questions": [each for each in found if isinstance(each, dict)]} if isinstance(found, list) else {}


def compute_stats(store: sqlite3.Connection, state: str, which: Filter) -> dict[str, Any]:
    """The figures of `stats --json`."""
    where, values = which.where_clause()
    count = store.execute(f"SELECT count(*) FROM events WHERE {where}", values).fetchone()[0]  # noqa: S608
    ids = f"SELECT id FROM events WHERE {where} ORDER BY id DESC LIMIT {MAX_ROWS}"  # noqa: S608
    latest = store.execute(
        "SELECT us, key, outcome, duration_ms, event, project, time, decisions FROM events "  # noqa: S608
        f"WHERE id IN ({ids}) ORDER BY id DESC",
        values,
    ).fetchall()
    return {
        "since": format_iso(which.since) if which.since else None,
        "events": count,
        "decisions": _count_verdicts(store, which),
        "reasons": _top_reasons(store, which),
        "rules": _count_rules(store, which),
        "commands": _slowest_commands(state, latest),
        "background": _background_savings(store, which),
        "latency_us": compute_percentiles([row["us"] for row in latest if row["us"] is not None]),
        "hooks": _hook_latency(latest[:5000]),
        "questions": store.execute(
            "SELECT count(*) FROM events WHERE tool LIKE '%AskUserQuestion' "  # noqa: S608
            f"AND event = 'PreToolUse' AND {where}",
            values,
        ).fetchone()[0],
        "questions_answered": _count_answered(store, where, values),
        "failures": _query_decisions(store, which, "count(*)", "AND failure IS NOT NULL").fetchone()[0],
        "journal": journal_health(store, state),
    }


def _count_answered(store: sqlite3.Connection, where: str, values: list[Any]) -> dict[str, int]:
    """Who answered how many questions: the user, a preference, the option for headless runs."""
    rows = store.execute(
        "SELECT json_extract(each.value, '$.answered_by') AS who, count(*) AS n FROM "  # noqa: S608  no user text
        "(SELECT extra FROM events WHERE tool LIKE '%AskUserQuestion' AND event = 'PostToolUse' AND json_valid(extra) "
        f"AND {where}) JOIN json_each(extra, '$.questions') each "
        "WHERE each.type = 'object' AND json_extract(each.value, '$.answer') IS NOT NULL GROUP BY who ORDER BY n DESC",
        values,
    )
    return {row["who"]: row["n"] for row in rows if row["who"]}


def _count_verdicts(store: sqlite3.Connection, which: Filter) -> dict[str, dict[str, int]]:
    decided: dict[str, dict[str, int]] = {}
    for row in _query_decisions(
        store, which, "hook, verdict, count(*) AS n", "GROUP BY hook, verdict ORDER BY hook, n DESC"
    ):
        decided.setdefault(row["hook"], {})[row["verdict"]] = row["n"]
    return decided


def _top_reasons(store: sqlite3.Connection, which: Filter, most: int = 10) -> list[dict[str, Any]]:
    """The most frequent reasons for denying, blocking or asking."""
    more = (
        "AND verdict IN ('deny', 'ask', 'block') GROUP BY hook, verdict, reason ORDER BY n DESC, hook, reason "
        f"LIMIT {most}"
    )
    rows = _query_decisions(store, which, "hook, verdict, reason, count(*) AS n", more)
    return [{name: row[name] for name in ("hook", "verdict", "reason", "n")} for row in rows]


def _count_rules(store: sqlite3.Connection, which: Filter) -> dict[str, int]:
    """How often each rule of the guard matched, the most frequent first."""
    matched = _query_decisions(
        store, which, "DISTINCT event_id", "AND hook = 'command_guard' AND verdict IN ('deny', 'ask')"
    )
    counted: Counter[str] = Counter()
    for (event_id,) in matched.fetchall():
        extra = store.execute("SELECT extra FROM events WHERE id = ?", (event_id,)).fetchone()
        try:
            counted.update(json.loads(extra[0])["guard"]["rules"])
        except (KeyError, TypeError, ValueError):  # an older record, or one that was cut
            continue
    return dict(counted.most_common())


def _query_decisions(store: sqlite3.Connection, which: Filter, columns: str, more: str) -> sqlite3.Cursor:
    """Decisions of the selected events; a filter by time alone needs only their ids."""
    if which == Filter(since=which.since):
        where, values = "time >= ?", [which.since]
    else:
        inner, values = which.where_clause()
        where = f"event_id IN (SELECT id FROM events WHERE {inner})"  # noqa: S608  no user text
    return store.execute(f"SELECT {columns} FROM decisions WHERE {where} {more}", values)  # noqa: S608


def journal_health(store: sqlite3.Connection, state: str) -> dict[str, int]:
    """Bytes not ingested yet, lines that are no records, records that could not be written, hook process problems."""
    bad = store.execute("SELECT coalesce(sum(bad), 0) FROM segments").fetchone()[0]
    try:
        lost = os.path.getsize(f"{state}/journal/{FAILURES_FILE}")
    except OSError:
        lost = 0
    problems = store.execute("SELECT count(*) FROM events WHERE event IS NULL").fetchone()[0]
    return {"backlog": backlog_bytes(store, state), "bad_lines": bad, "unwritten": lost, "problems": problems}


def _slowest_commands(state: str, rows: list[sqlite3.Row], most: int = 20) -> list[dict[str, Any]]:
    """The commands with the largest total duration, with the spread of their durations."""
    runs: dict[str, list[float]] = {}
    places: dict[str, str] = {}
    for row in rows:
        ended = row["event"] in ("PostToolUse", "PostToolUseFailure") and row["outcome"] != "background"
        if ended and row["key"] and row["duration_ms"] is not None:
            runs.setdefault(row["key"], []).append(row["duration_ms"] / 1000)
            places.setdefault(row["key"], row["project"])
    found = []
    for key in sorted(runs, key=lambda key: -sum(runs[key]))[:most]:
        taken = sorted(runs[key])
        known = durations_write.read_durations(state, places[key] or "").get(key)
        found.append(
            {
                "key": key,
                "n": len(taken),
                "median_s": round(taken[len(taken) // 2], 3),
                "p90_s": round(taken[math.ceil(len(taken) * 0.9) - 1], 3),
                "p_long": known[4 + durations_read.THRESHOLDS.index(60)] if known else None,
                "last_s": [round(seconds, 3) for seconds in runs[key][:12][::-1]],
            }
        )
    return found


def _background_savings(store: sqlite3.Connection, which: Filter) -> dict[str, Any]:
    """Number of calls that were moved to the background, and the waiting time that this saved."""
    where, values = which.where_clause()
    moved, saved = store.execute(
        "SELECT count(*), total(max(0, min(took.seconds, ?) - coalesce(post.duration_ms, 0) / 1000)) FROM "  # noqa: S608
        "(SELECT r.session, r.tool_use_id FROM event_rows r INDEXED BY events_answered WHERE r.answer IS NOT NULL "
        "AND r.answer = 'rewrite' AND r.event = 'PreToolUse' AND r.changed LIKE '%run_in_background%' "
        f"AND r.id IN (SELECT id FROM events WHERE answer IS NOT NULL AND {where})) pre "
        "JOIN event_rows post ON post.tool_use_id = pre.tool_use_id AND post.session IS pre.session "
        "AND post.outcome = 'background' "
        "LEFT JOIN samples took ON took.tool_use_id = pre.tool_use_id AND took.session = pre.session "
        "AND took.kind != 'most'",
        (MAX_SAVED_S, *values),
    ).fetchone()
    return {"moved": moved, "seconds_saved": round(saved, 1)}


def _hook_latency(rows: list[sqlite3.Row]) -> dict[str, dict[str, int | None]]:
    spent: dict[str, list[int]] = {}
    for row in rows:
        for decision in parse_decisions(row["decisions"]):
            if isinstance(decision.get("us"), int):
                spent.setdefault(str(decision.get("hook")), []).append(decision["us"])
    return {hook: {"calls": len(times), **compute_percentiles(times)} for hook, times in sorted(spent.items())}


def compute_percentiles(values: list[int]) -> dict[str, int | None]:
    ordered = sorted(values)
    return {
        name: ordered[min(len(ordered) - 1, math.ceil(len(ordered) * share) - 1)] if ordered else None
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    }


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
