"""The ledger's questions: what happened, who decided, what it cost, what came of it.

journal → ingest → keys → samples → [this] → log, why, stats
Brings the store up to the journal first, so that an answer is never older than the last event.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hookwright.history import learn, samples
from hookwright.state import durations, published
from hookwright.state.ingest import Ingested, backlog, ingest
from hookwright.state.journal import FAILURES, first_id
from hookwright.state.store import open_store

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator

WAITED_S = 120.0  # where the client itself lets go of a command; more is not claimed as saved
MOST_ROWS = 20_000  # of the latest events that percentiles and tables look at


@dataclass(frozen=True)
class Filter:
    """Which events."""

    session: str = ""
    project: str = ""
    hook: str = ""
    decision: str = ""
    since: float = 0.0
    event: str = ""

    def where(self) -> tuple[str, list[Any]]:
        parts, values = ["1"], []
        for part, value in (
            ("id >= ?", first_id(self.since) if self.since else ""),
            ("session_id >= ? AND session_id < ? || '\uffff'", self.session),
            # The folder and what is in it: a range of the index, since 0 follows / in ASCII, and then exactly.
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


def bring_up(
    state: str | None, now: float | None = None, progress: Callable[[str, int, int], None] | None = None
) -> tuple[sqlite3.Connection, Ingested]:
    """The store with everything in it that the journal holds, and durations published if there is news."""
    now = time.time() if now is None else now
    store = open_store(state)
    assert state is not None
    heard = (lambda done, total: progress("reading the journal", done, total)) if progress else None
    result = ingest(store, state, now, heard)
    if result.busy:
        return store, result
    samples.add_keys(store)
    news = samples.add_samples(store)
    news += learn.tail(store, now).background_ends
    if news:
        samples.publish(store, state, now)
    return store, result


def events(store: sqlite3.Connection, which: Filter, limit: int = 0, after: int = 0) -> Iterator[dict[str, Any]]:
    """Records as `log` prints them, oldest first; with a limit the latest ones."""
    where, values = which.where()
    order = "DESC" if limit else "ASC"
    # Ids first, from the indexes alone; only what is shown is read whole.
    ids = f"SELECT id FROM events WHERE seq > ? AND {where} ORDER BY id {order} LIMIT ?"  # noqa: S608  our own words
    rows = store.execute(
        f"SELECT * FROM events WHERE id IN ({ids}) ORDER BY id {order}",  # noqa: S608
        (after, *values, limit or -1),
    )
    if limit:
        yield from map(record, reversed(rows.fetchall()))
    else:
        yield from map(record, rows)


def record(row: sqlite3.Row) -> dict[str, Any]:
    """A row in the form that others build on."""
    return {
        "id": row["id"],
        "time": iso(row["time"]),
        **{
            name: row[name] for name in ("event", "session_id", "tool_use_id", "agent_id", "project", "tool", "command")
        },
        "key": row["key"],
        "intent": row["intent"],
        "decisions": [
            {
                **{name: said.get(name) for name in ("hook", "verdict", "reason", "us", "mode")},
                **({"failure": said["failure"]} if said.get("failure") else {}),
            }
            for said in _list(row["decisions"])
            if isinstance(said, dict)
        ],
        "answer": row["answer"],
        "changed": _list(row["changed"]) if row["changed"] else None,
        "duration_ms": row["duration_ms"],
        "outcome": row["outcome"],
        "exit_code": row["exit_code"],
        **({"problem": _problem(row["extra"])} if row["event"] is None else {}),
    }


def _problem(extra: str | None) -> str:
    """What went wrong in the door itself: a payload that could not be read, a failure of ours."""
    try:
        found = json.loads(extra or "{}")
    except ValueError:
        return ""
    return str(found.get("problem", "")) if isinstance(found, dict) else ""


def find(store: sqlite3.Connection, name: str) -> sqlite3.Row | None:
    """The event of an id or its beginning, of a tool use, or the last one that was answered."""
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


def why(store: sqlite3.Connection, row: sqlite3.Row) -> dict[str, Any]:
    """What came in, who ran in which order and said what, what was sent, and what the client then did."""
    printed = _printed(row)
    hooks = [
        {
            "hook": said.get("hook"),
            "order": order,
            **{name: said.get(name) for name in ("verdict", "reason", "us", "mode")},
            **({"failure": said["failure"]} if said.get("failure") else {}),
            **({"printed": printed[said["hook"]]} if said.get("hook") in printed else {}),
        }
        for order, said in enumerate(_list(row["decisions"]), 1)
        if isinstance(said, dict)
    ]
    afterwards = []
    if row["tool_use_id"]:
        afterwards = [
            {**record(later), **_questions(later)}
            for later in store.execute(
                "SELECT * FROM events WHERE tool_use_id = ? AND session_id IS ? AND id > ? ORDER BY id",
                (row["tool_use_id"], row["session_id"], row["id"]),
            )
        ]
    return {
        "record": record(row),
        "hooks": hooks,
        "answer": row["answer"],
        **_questions(row),
        "afterwards": afterwards,
    }


def _printed(row: sqlite3.Row) -> dict[str, str]:
    """What users' hooks printed: it is not part of any answer, and helps who looks for a mistake."""
    extra = json.loads(row["extra"]) if row["extra"] and '"printed"' in row["extra"] else {}
    printed = extra.get("printed") if isinstance(extra, dict) else None
    return printed if isinstance(printed, dict) else {}


def _questions(row: sqlite3.Row) -> dict[str, list[dict[str, Any]]]:
    """What an event's record says of questions, where it has any: what became of each, or how it was answered."""
    if not row["extra"] or not str(row["tool"]).endswith("AskUserQuestion"):
        return {}
    extra = json.loads(row["extra"])
    found = extra.get("questions") if isinstance(extra, dict) else None
    return {"questions": [each for each in found if isinstance(each, dict)]} if isinstance(found, list) else {}


def stats(store: sqlite3.Connection, state: str, which: Filter) -> dict[str, Any]:
    """The figures of a span of time."""
    where, values = which.where()
    count = store.execute(f"SELECT count(*) FROM events WHERE {where}", values).fetchone()[0]  # noqa: S608
    ids = f"SELECT id FROM events WHERE {where} ORDER BY id DESC LIMIT {MOST_ROWS}"  # noqa: S608
    latest = store.execute(
        "SELECT us, key, outcome, duration_ms, event, project, time, decisions FROM events "  # noqa: S608
        f"WHERE id IN ({ids}) ORDER BY id DESC",
        values,
    ).fetchall()
    return {
        "since": iso(which.since) if which.since else None,
        "events": count,
        "decisions": _decided(store, which),
        "reasons": _reasons(store, which),
        "rules": _rules(store, which),
        "commands": _commands(state, latest),
        "background": _background(store, which),
        "latency_us": percentiles([row["us"] for row in latest if row["us"] is not None]),
        "hooks": _hook_latency(latest[:5000]),
        "questions": store.execute(
            "SELECT count(*) FROM events INDEXED BY events_questions WHERE tool LIKE '%AskUserQuestion' "  # noqa: S608
            f"AND event = 'PreToolUse' AND {where}",
            values,
        ).fetchone()[0],
        "questions_answered": _answered(store, where, values),
        "failures": _spoken(store, which, "count(*)", "AND failure IS NOT NULL").fetchone()[0],
        "journal": health(store, state),
    }


def _answered(store: sqlite3.Connection, where: str, values: list[Any]) -> dict[str, int]:
    """Who answered how many questions: the user, a preference, the setting of a headless run."""
    rows = store.execute(
        "SELECT json_extract(each.value, '$.answered_by') AS who, count(*) AS n FROM "  # noqa: S608  our own words
        "(SELECT extra FROM events WHERE tool LIKE '%AskUserQuestion' AND event = 'PostToolUse' AND json_valid(extra) "
        f"AND {where}) JOIN json_each(extra, '$.questions') each "
        "WHERE each.type = 'object' AND json_extract(each.value, '$.answer') IS NOT NULL GROUP BY who ORDER BY n DESC",
        values,
    )
    return {row["who"]: row["n"] for row in rows if row["who"]}


def _decided(store: sqlite3.Connection, which: Filter) -> dict[str, dict[str, int]]:
    decided: dict[str, dict[str, int]] = {}
    for row in _spoken(store, which, "hook, verdict, count(*) AS n", "GROUP BY hook, verdict ORDER BY hook, n DESC"):
        decided.setdefault(row["hook"], {})[row["verdict"]] = row["n"]
    return decided


def _reasons(store: sqlite3.Connection, which: Filter, most: int = 10) -> list[dict[str, Any]]:
    """Why calls were stopped or asked about, the most frequent first: a rule is known by its reason."""
    more = (
        "AND verdict IN ('deny', 'ask', 'block') GROUP BY hook, verdict, reason ORDER BY n DESC, hook, reason "
        f"LIMIT {most}"
    )
    rows = _spoken(store, which, "hook, verdict, reason, count(*) AS n", more)
    return [{name: row[name] for name in ("hook", "verdict", "reason", "n")} for row in rows]


def _rules(store: sqlite3.Connection, which: Filter) -> dict[str, int]:
    """How often each rule of the guard spoke, the most frequent first."""
    spoken = _spoken(store, which, "DISTINCT event_id", "AND hook = 'command_guard' AND verdict IN ('deny', 'ask')")
    counted: Counter[str] = Counter()
    for (event_id,) in spoken.fetchall():
        extra = store.execute("SELECT extra FROM events WHERE id = ?", (event_id,)).fetchone()
        try:
            counted.update(json.loads(extra[0])["guard"]["rules"])
        except (KeyError, TypeError, ValueError):  # a record of before, or one that was cut
            continue
    return dict(counted.most_common())


def _spoken(store: sqlite3.Connection, which: Filter, columns: str, more: str) -> sqlite3.Cursor:
    """Decisions of the events in question; when only their time is asked for, their own ids tell it."""
    if which == Filter(since=which.since):
        where, values = "time >= ?", [which.since]
    else:
        inner, values = which.where()
        where = f"event_id IN (SELECT id FROM events WHERE {inner})"  # noqa: S608  our own words
    return store.execute(f"SELECT {columns} FROM decisions WHERE {where} {more}", values)  # noqa: S608


def health(store: sqlite3.Connection, state: str) -> dict[str, int]:
    """Is anything missing? Bytes not yet read, lines that were no records, records that could not be written."""
    bad = store.execute("SELECT coalesce(sum(bad), 0) FROM segments").fetchone()[0]
    try:
        lost = os.path.getsize(f"{state}/journal/{FAILURES}")
    except OSError:
        lost = 0
    problems = store.execute("SELECT count(*) FROM events WHERE event IS NULL").fetchone()[0]
    return {"backlog": backlog(store, state), "bad_lines": bad, "unwritten": lost, "problems": problems}


def _commands(state: str, rows: list[sqlite3.Row], most: int = 20) -> list[dict[str, Any]]:
    """The commands that took the most time in all, with their spread."""
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
        known = published.read(state, places[key] or "").get(key)
        found.append(
            {
                "key": key,
                "n": len(taken),
                "median_s": round(taken[len(taken) // 2], 3),
                "p90_s": round(taken[math.ceil(len(taken) * 0.9) - 1], 3),
                "p_long": known[4 + durations.THRESHOLDS.index(60)] if known else None,
                "last_s": [round(seconds, 3) for seconds in runs[key][:12][::-1]],
            }
        )
    return found


def _background(store: sqlite3.Connection, which: Filter) -> dict[str, Any]:
    """Calls that we moved, and the time that a person would have waited for them otherwise."""
    where, values = which.where()
    moved, saved = store.execute(
        "SELECT count(*), total(max(0, min(took.seconds, ?) - coalesce(post.duration_ms, 0) / 1000)) FROM "  # noqa: S608
        "(SELECT session_id, tool_use_id FROM events INDEXED BY events_answered WHERE answer IS NOT NULL "
        "AND answer = 'rewrite' "
        f"AND event = 'PreToolUse' AND changed LIKE '%run_in_background%' AND {where}) pre "
        "JOIN events post ON post.tool_use_id = pre.tool_use_id AND post.session_id IS pre.session_id "
        "AND post.outcome = 'background' "
        "LEFT JOIN samples took ON took.id = pre.session_id || '/' || pre.tool_use_id AND took.kind != 'most'",
        (WAITED_S, *values),
    ).fetchone()
    return {"moved": moved, "seconds_saved": round(saved, 1)}


def _hook_latency(rows: list[sqlite3.Row]) -> dict[str, dict[str, int | None]]:
    spent: dict[str, list[int]] = {}
    for row in rows:
        for said in _list(row["decisions"]):
            if isinstance(said, dict) and isinstance(said.get("us"), int):
                spent.setdefault(str(said.get("hook")), []).append(said["us"])
    return {hook: {"calls": len(times), **percentiles(times)} for hook, times in sorted(spent.items())}


def percentiles(values: list[int]) -> dict[str, int | None]:
    ordered = sorted(values)
    return {
        name: ordered[min(len(ordered) - 1, math.ceil(len(ordered) * share) - 1)] if ordered else None
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    }


def iso(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (OverflowError, ValueError, OSError):
        return "?"


def _list(text: str | None) -> list[Any]:
    try:
        value = json.loads(text) if text else []
    except ValueError:
        return []
    return value if isinstance(value, list) else []
