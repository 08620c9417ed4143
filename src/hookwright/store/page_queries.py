"""Query the ledger for the page: lanes of sessions, pages of events, background work, figures of a span.

ledger.db → [this] → page/api.py → the browser
Every query reads a bounded number of rows, whatever the ledger holds, and writes nothing.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hookwright.store import daily
from hookwright.store.event_rows import parse_decisions
from hookwright.store.filter import Filter
from hookwright.store.gain import read_gain
from hookwright.store.journal import first_id
from hookwright.store.stats import compute_percentiles

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping

DAY_S = 86400
# What the page calls an answer. Everything else that was sent is "noted".
STOPPED, ASKED, MOVED, ANSWERED, APPROVED, NOTED = "stopped", "asked", "moved", "answered", "approved", "noted"
KINDS = (STOPPED, ASKED, MOVED, ANSWERED, APPROVED, NOTED)

MAX_LANE_EVENTS = 60_000  # read for the lanes of one answer; beyond that a lane shows its figures only
MAX_LANE_MARKS = 400
MIN_AXIS_S = 1800.0
BUCKETS = 96  # of a lane's activity
MAX_SCANNED = 20_000  # events that one search looks at; the page offers to go on from there
MAX_COMMAND, MAX_REASON = 600, 600  # characters in a list; `why` has all
LATEST_EVENTS = 3000  # that the hooks' latencies are computed from
MAX_TASKS = 100
TASK_AGE_S = 2 * DAY_S  # a background command without an end that was started before is not shown as running
ENDINGS = ("UserPromptSubmit", "BackgroundEnd")

_COLUMNS = (
    "e.id, e.time, e.event, s.session_id, p.project, e.tool_use_id, e.agent_id, e.tool, c.command, "
    "coalesce(c.key, e.key) AS key, e.answer, e.changed, e.decisions, e.outcome, e.exit_code, e.duration_ms, "
    "e.task_id, e.extra"
)
_JOINS = (
    "LEFT JOIN sessions s ON s.no = e.session LEFT JOIN projects p ON p.no = e.project "
    "LEFT JOIN commands c ON c.no = e.command"
)


@dataclass(frozen=True)
class EventFilter:
    """Selects events for the list; an empty field matches all."""

    since: float = 0.0
    until: float = 0.0
    session: str = ""
    project: str = ""
    kinds: tuple[str, ...] = ()
    hook: str = ""
    text: str = ""


def classify_answer(tool: object, answer: object, changed: object) -> str:
    """What the page calls this answer; "" if nothing was sent."""
    if not answer:
        return ""
    if answer in ("deny", "block"):
        return STOPPED
    if answer == "ask":
        return ASKED
    if answer == "rewrite" and "run_in_background" in (changed or ()):  # type: ignore[operator]
        return MOVED
    if answer == "allow":
        return ANSWERED if str(tool).endswith("AskUserQuestion") else APPROVED
    return NOTED


def shape_event(record: Mapping[str, Any], decisions: list[dict[str, Any]], extra: Mapping[str, Any]) -> dict[str, Any]:
    """One event as a row of the page, the same from the ledger and from the journal."""
    guard = extra.get("guard")
    rules = guard.get("rules") if isinstance(guard, dict) else None
    return {
        **{name: record.get(name) for name in _PLAIN_FIELDS},
        "command": _cut(record.get("command") or extra.get("file"), MAX_COMMAND),
        "kind": classify_answer(record.get("tool"), record.get("answer"), record.get("changed")),
        "rules": [rule for rule in rules if isinstance(rule, str)] if isinstance(rules, list) else [],
        "problem": _cut(extra.get("problem"), MAX_REASON),
        "said": [
            {
                **{name: decision.get(name) for name in ("hook", "verdict", "mode")},
                "reason": _cut(decision.get("reason"), MAX_REASON),
                "failure": _cut(decision.get("failure"), MAX_REASON),
            }
            for decision in decisions
            if decision.get("verdict") != "none" or decision.get("failure")
        ],
    }


_PLAIN_FIELDS = (
    *("id", "time", "event", "session_id", "project", "tool_use_id", "agent_id", "tool", "key", "answer", "outcome"),
    *("exit_code", "duration_ms", "task_id"),
)


def shape_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """A journal record as a row of the page."""
    decisions = record.get("decisions")
    said = [each for each in decisions if isinstance(each, dict)] if isinstance(decisions, list) else []
    return shape_event(record, said, record)


def _shape_row(row: sqlite3.Row) -> dict[str, Any]:
    return shape_event(dict(row), parse_decisions(row["decisions"]), daily.parse_object(row["extra"]))


def _cut(text: Any, most: int) -> str | None:
    if text is None:
        return None
    words = str(text)
    return words if len(words) <= most else words[: most - 1] + "…"


# --- lanes
def read_lanes(
    store: sqlite3.Connection, since: float, until: float, project: str = "", before: float = 0.0, limit: int = 40
) -> dict[str, Any]:
    """The latest sessions of a span, each with its marks and its activity; `before` continues an earlier answer."""
    where, values = ["last >= ?", "first < ?"], [since, until]
    if before:
        where.append("last < ?")
        values.append(before)
    if project:
        where.append("project = ?")
        values.append(project)  # type: ignore[arg-type]
    rows = store.execute(
        f"SELECT * FROM sessions WHERE {' AND '.join(where)} ORDER BY last DESC LIMIT ?",  # noqa: S608  our own words
        (*values, limit + 1),
    ).fetchall()
    first = store.execute(
        f"SELECT min(first) FROM sessions WHERE last >= ? {'AND project = ?' if project else ''}",  # noqa: S608
        (since, *([project] if project else [])),
    ).fetchone()[0]
    # The axis begins with the first session of the span, so that a short day fills the width.
    since = max(since, min(first or since, until - MIN_AXIS_S) - (until - (first or since)) * 0.01)
    lanes = []
    budget = MAX_LANE_EVENTS
    for row in rows[:limit]:
        budget -= row["events"]
        lanes.append(_build_lane(store, row, since, until, whole=budget >= 0))
    return {"since": since, "lanes": lanes, "more": rows[limit - 1]["last"] if len(rows) > limit else None}


def _build_lane(
    store: sqlite3.Connection, session: sqlite3.Row, since: float, until: float, *, whole: bool
) -> dict[str, Any]:
    names = ("session_id", "project", "first", "last", "events", "stopped", "asked", "moved", "answered")
    lane = {**{name: session[name] for name in names}, "marks": [], "activity": [], "whole": whole}
    if not whole:
        return lane
    span = (session["no"], since, until)
    width = (until - since) / BUCKETS
    lane["activity"] = [
        [bucket, n]
        for bucket, n in store.execute(
            "SELECT CAST((time - ?) / ? AS INTEGER) AS bucket, count(*) FROM event_rows "
            "WHERE session = ? AND time >= ? AND time < ? GROUP BY bucket",
            (since, width, *span),
        )
    ]
    marks = store.execute(
        "SELECT id, time, tool, answer, changed FROM event_rows WHERE session = ? AND time >= ? AND time < ? "
        "AND answer IS NOT NULL ORDER BY time DESC LIMIT ?",
        (*span, MAX_LANE_MARKS),
    ).fetchall()
    lane["marks"] = [
        [row["id"], row["time"], classify_answer(row["tool"], row["answer"], row["changed"])] for row in reversed(marks)
    ]
    return lane


# --- pages of events
def read_page(
    store: sqlite3.Connection, which: EventFilter, cursor: str = "", limit: int = 60
) -> tuple[list[dict[str, Any]], str, float | None]:
    """Events, newest first; the cursor of the next page ("" if there is none); until when it was searched."""
    matches = _build_matcher(which)
    found: list[dict[str, Any]] = []
    for scanned, row in enumerate(_scan_events(store, which, cursor), 1):
        shaped = _shape_row(row)
        if matches(shaped):
            found.append(shaped)
        if len(found) == limit or scanned == MAX_SCANNED:
            return found, f"{row['time']!r}/{row['id']}", row["time"]
    return found, "", None


def _scan_events(store: sqlite3.Connection, which: EventFilter, cursor: str) -> Iterator[sqlite3.Row]:
    where: list[str] = []
    values: list[Any] = []
    bounds: list[tuple[str, Any]]
    index, order = "", "e.id"
    if which.session or which.project:  # these have an index by time
        order = "e.time"
        for column, table, name, value in (
            ("session", "sessions", "session_id", which.session),
            ("project", "projects", "project", which.project),
        ):
            if value:
                where.append(f"e.{column} = (SELECT no FROM {table} WHERE {name} = ?)")  # noqa: S608  our own words
                values.append(value)
        bounds = [("e.time >= ?", which.since), ("e.time < ?", which.until)]
    else:
        bounds = [
            ("e.id >= ?", first_id(which.since) if which.since else ""),
            ("e.id < ?", first_id(which.until) if which.until else ""),
        ]
    if which.kinds or which.hook:
        where.append("e.answer IS NOT NULL")
        index = "INDEXED BY events_answered" if order == "e.id" else ""
    moment, _, last = cursor.partition("/")
    if last:
        bounds.append(("e.id < ?", last) if order == "e.id" else ("(e.time, e.id) < (?, ?)", (float(moment), last)))
    for part, value in bounds:
        if value:
            where.append(part)
            values += value if isinstance(value, tuple) else [value]
    return store.execute(
        f"SELECT {_COLUMNS} FROM event_rows e {index} {_JOINS} WHERE {' AND '.join(where) or '1'} "  # noqa: S608
        f"ORDER BY {order} DESC, e.id DESC LIMIT ?",
        (*values, MAX_SCANNED),
    )


def _build_matcher(which: EventFilter) -> Callable[[dict[str, Any]], bool]:
    text = which.text.casefold()

    def matches(row: dict[str, Any]) -> bool:
        if which.kinds and row["kind"] not in which.kinds:
            return False
        if which.hook and all(said["hook"] != which.hook for said in row["said"]):
            return False
        if not text:
            return True
        words = [row[name] for name in ("command", "key", "tool", "event", "project", "session_id", "id", "outcome")]
        words += [said[name] for said in row["said"] for name in ("hook", "verdict", "reason")]
        return any(text in str(word).casefold() for word in (*words, *row["rules"]) if word)

    return matches


# --- figures of a span
def align_span(since: float, now: float) -> float:
    """The start of a span: to the day for a long one, because counts per day answer it."""
    return since if now - since <= DAY_S + 60 else since // DAY_S * DAY_S


def read_figures(store: sqlite3.Connection, since: float, now: float, project: str = "") -> dict[str, Any]:
    """How much happened since then: events, answers by kind, and the time not waited (store/gain.py)."""
    if now - since > DAY_S + 60:
        return _read_daily_figures(store, since, project)
    rows = store.execute(
        "SELECT tool, answer, changed, count(*) AS n FROM event_rows WHERE id >= ? AND answer IS NOT NULL "  # noqa: S608
        f"{_project_clause(project)} GROUP BY tool, answer, changed",
        (first_id(since), *([project] if project else [])),
    )
    counts = dict.fromkeys(KINDS, 0)
    for row in rows:
        counts[classify_answer(row["tool"], row["answer"], row["changed"])] += row["n"]
    events = store.execute(
        f"SELECT count(*) FROM event_rows WHERE id >= ? {_project_clause(project)}",  # noqa: S608  our own words
        (first_id(since), *([project] if project else [])),
    ).fetchone()[0]
    saved = read_gain(store, Filter(since=since, project=project)).seconds_saved
    return {"events": events, **counts, "seconds_saved": round(saved, 1)}


def _project_clause(project: str) -> str:
    return "AND project = (SELECT no FROM projects WHERE project = ?)" if project else ""


def _read_daily(store: sqlite3.Connection, kind: str, since: float, project: str) -> Iterator[sqlite3.Row]:
    """The counts of one kind, day by day: each day is a range of the primary key."""
    clause = "AND project = ?" if project else ""
    first = store.execute("SELECT min(day), max(day) FROM daily").fetchone()
    if first[0] is None:
        return
    for day in range(max(first[0], int(since // DAY_S)), first[1] + 1):
        yield from store.execute(
            f"SELECT day, name, project, n, seconds FROM daily WHERE day = ? AND kind = ? {clause}",  # noqa: S608
            (day, kind, *([project] if project else [])),
        )


def _split_verdict(name: str) -> list[str]:
    """Hook, verdict and mode of a count."""
    return [*name.split(daily.SEPARATOR), "", ""][:3]


def _read_daily_figures(store: sqlite3.Connection, since: float, project: str) -> dict[str, Any]:
    counts = dict.fromkeys(KINDS, 0)
    for row in _read_daily(store, daily.VERDICT, since, project):
        hook, verdict, mode = _split_verdict(row["name"])
        if mode not in ("on", "None", ""):
            continue
        changed = ("run_in_background",) if hook == "auto_background" else ()
        kind = classify_answer("AskUserQuestion" if hook == "questions" else "", verdict, changed)
        if kind:
            counts[kind] += row["n"]
    events = sum(row["n"] for row in _read_daily(store, daily.EVENT, since, project))
    saved = sum(row["seconds"] for row in _read_daily(store, daily.SAVED, since, project) if row["name"] == "moved")
    return {"events": events, **counts, "seconds_saved": round(saved, 1)}


def list_projects(store: sqlite3.Connection, since: float, most: int = 200) -> list[str]:
    """Projects with a session since then, the latest first."""
    rows = store.execute(
        "SELECT project FROM sessions WHERE last >= ? AND project IS NOT NULL GROUP BY project "
        "ORDER BY max(last) DESC LIMIT ?",
        (since, most),
    )
    return [row["project"] for row in rows]


# --- where time goes
def read_spent_time(store: sqlite3.Connection, since: float, now: float, project: str = "") -> dict[str, Any]:
    """Seconds that commands took, by key, by project and by day (or by hour of a short span)."""
    keys: dict[str, list[float]] = {}
    projects: dict[str, float] = {}
    series: dict[int, float] = {}
    is_short = now - since <= DAY_S + 60
    step = 3600 if is_short else DAY_S
    for moment, key, place, n, seconds in (
        _read_recent_runs(store, since, project) if is_short else _read_daily_runs(store, since, project)
    ):
        row = keys.setdefault(key, [0, 0.0])
        row[0] += n
        row[1] += seconds
        projects[place] = projects.get(place, 0.0) + seconds
        series[int(moment // step)] = series.get(int(moment // step), 0.0) + seconds
    top = sorted(keys.items(), key=lambda item: -item[1][1])[:25]
    return {
        "seconds": round(sum(row[1] for row in keys.values()), 1),
        "commands": [{"key": key, "n": int(n), "seconds": round(seconds, 1)} for key, (n, seconds) in top],
        "projects": [
            {"project": place, "seconds": round(seconds, 1)}
            for place, seconds in sorted(projects.items(), key=lambda item: -item[1])[:12]
        ],
        "step": step,
        "series": [[bucket * step, round(seconds, 1)] for bucket, seconds in sorted(series.items())],
    }


def _read_recent_runs(
    store: sqlite3.Connection, since: float, project: str
) -> Iterator[tuple[float, str, str, int, float]]:
    rows = store.execute(
        "SELECT e.time, coalesce(c.key, e.key) AS key, p.project, e.duration_ms FROM event_rows e "  # noqa: S608
        "LEFT JOIN commands c ON c.no = e.command LEFT JOIN projects p ON p.no = e.project WHERE e.id >= ? "
        "AND e.event IN ('PostToolUse', 'PostToolUseFailure') AND e.outcome != 'background' "
        f"AND e.duration_ms IS NOT NULL {'AND p.project = ?' if project else ''}",
        (first_id(since), *([project] if project else [])),
    )
    for row in rows:
        if row["key"]:
            yield row["time"], row["key"], row["project"] or "", 1, row["duration_ms"] / 1000


def _read_daily_runs(
    store: sqlite3.Connection, since: float, project: str
) -> Iterator[tuple[float, str, str, int, float]]:
    for row in _read_daily(store, daily.COMMAND, since, project):
        yield row["day"] * DAY_S, row["name"], row["project"], row["n"], row["seconds"]


# --- background work
def read_background(store: sqlite3.Connection, now: float, project: str = "") -> list[dict[str, Any]]:
    """Commands that were started in the background, the latest first, and how each ended as far as is known."""
    rows = store.execute(
        f"SELECT {_COLUMNS}, e.session AS session_no FROM event_rows e INDEXED BY events_behind {_JOINS} "  # noqa: S608
        f"WHERE e.outcome = 'background' {'AND p.project = ?' if project else ''} ORDER BY e.id DESC LIMIT ?",
        (*([project] if project else []), MAX_TASKS),
    ).fetchall()
    return [_describe_task(store, row, now) for row in rows]


def _describe_task(store: sqlite3.Connection, launch: sqlite3.Row, now: float) -> dict[str, Any]:
    shaped = _shape_row(launch)
    started = launch["time"] - (launch["duration_ms"] or 0) / 1000
    moved = store.execute(
        "SELECT changed FROM event_rows WHERE tool_use_id = ? AND session IS ? AND event = 'PreToolUse'",
        (launch["tool_use_id"], launch["session_no"]),
    ).fetchone()
    sample = store.execute(
        "SELECT seconds, kind FROM samples WHERE tool_use_id = ? AND session = ?",
        (launch["tool_use_id"], launch["session_no"]),
    ).fetchone()
    task = {
        **{name: shaped[name] for name in ("id", "session_id", "project", "command", "key", "task_id")},
        "started": started,
        "ended": None,
        "outcome": None,
        "exit_code": None,
        "moved": bool(moved and "run_in_background" in (moved["changed"] or "")),
    }
    end = _find_end(store, launch)
    if end is not None:
        return {**task, "state": "ended", "ended": end["time"], **{n: end[n] for n in ("outcome", "exit_code")}}
    if sample is not None and sample["kind"] in ("exact", "most"):
        return {**task, "state": "ended", "ended": started + sample["seconds"]}
    if now - started > TASK_AGE_S or _has_session_ended(store, launch["session_no"], launch["time"]):
        return {**task, "state": "unknown"}
    return {**task, "state": "running"}


def _find_end(store: sqlite3.Connection, launch: sqlite3.Row) -> sqlite3.Row | None:
    if launch["task_id"] is None:
        return None
    found: sqlite3.Row | None = store.execute(
        "SELECT time, outcome, exit_code FROM event_rows WHERE session IS ? AND time >= ? AND task_id = ? "
        "AND event IN (?, ?) ORDER BY time LIMIT 1",
        (launch["session_no"], launch["time"], launch["task_id"], *ENDINGS),
    ).fetchone()
    return found


def _has_session_ended(store: sqlite3.Connection, session: int, since: float) -> bool:
    query = "SELECT event FROM event_rows WHERE session IS ? AND time > ? ORDER BY time DESC LIMIT 1"
    last = store.execute(query, (session, since)).fetchone()
    return last is not None and last["event"] == "SessionEnd"


# --- questions
def read_question_rows(
    store: sqlite3.Connection, since: float, project: str = "", most: int = 150
) -> list[sqlite3.Row]:
    """Events of answered questions, the latest first."""
    return store.execute(
        "SELECT e.id, e.time, e.event, s.session_id, e.tool_use_id, e.agent_id, p.project, e.tool, e.extra "  # noqa: S608
        f"FROM event_rows e INDEXED BY events_questions {_JOINS} WHERE e.tool LIKE '%AskUserQuestion' AND e.id >= ? "
        "AND e.event = 'PostToolUse' AND e.extra IS NOT NULL "
        f"{'AND p.project = ?' if project else ''} ORDER BY e.id DESC LIMIT ?",
        (first_id(since), *([project] if project else []), most),
    ).fetchall()


def count_answerers(store: sqlite3.Connection, since: float, project: str = "") -> dict[str, int]:
    """Who answered how many questions since the start of that day."""
    counts: dict[str, int] = {}
    for row in _read_daily(store, daily.ANSWERED, since, project):
        counts[row["name"]] = counts.get(row["name"], 0) + row["n"]
    return counts


# --- health of the hooks
def read_hook_health(store: sqlite3.Connection, since: float, project: str = "") -> dict[str, dict[str, Any]]:
    """Hook → what it decided and how often it failed since then; its latency and last run among the latest events."""
    found: dict[str, dict[str, Any]] = {}

    def row_of(hook: str) -> dict[str, Any]:
        return found.setdefault(
            hook,
            {"verdicts": {}, "shadow": {}, "failures": 0, "last": None, "us": [], "days": {}, "last_failure": None},
        )

    for row in _read_daily(store, daily.VERDICT, since, project):
        hook, verdict, mode = _split_verdict(row["name"])
        if verdict == "none":
            continue
        counts = row_of(hook)["shadow" if mode == "shadow" else "verdicts"]
        counts[verdict] = counts.get(verdict, 0) + row["n"]
        days = row_of(hook)["days"]
        days[row["day"]] = days.get(row["day"], 0) + row["n"]
    for row in _read_daily(store, daily.FAILURE, since, project):
        row_of(row["name"])["failures"] += row["n"]
    _add_latencies(store, row_of)
    return {hook: _summarize_hook(row) for hook, row in sorted(found.items())}


def _add_latencies(store: sqlite3.Connection, row_of: Callable[[str], dict[str, Any]]) -> None:
    rows = store.execute(
        "SELECT id, time, decisions FROM event_rows WHERE decisions IS NOT NULL ORDER BY id DESC LIMIT ?",
        (LATEST_EVENTS,),
    )
    for event_id, moment, text in rows:
        for decision in parse_decisions(text):
            row = row_of(str(decision.get("hook")))
            row["last"] = moment if row["last"] is None else row["last"]
            if isinstance(decision.get("us"), int):
                row["us"].append(decision["us"])
            if decision.get("failure") and row["last_failure"] is None:
                row["last_failure"] = {"id": event_id, "time": moment, "text": _cut(decision["failure"], MAX_REASON)}


def _summarize_hook(row: dict[str, Any]) -> dict[str, Any]:
    us = row.pop("us")
    histogram: dict[int, int] = {}
    for value in us:
        histogram[max(1, value).bit_length()] = histogram.get(max(1, value).bit_length(), 0) + 1
    days = [[day * DAY_S, n] for day, n in sorted(row.pop("days").items())]
    return {**row, "days": days, "calls": len(us), **compute_percentiles(us), "histogram": sorted(histogram.items())}


# --- learned durations
def read_run_times(
    store: sqlite3.Connection, project: str, most: int = 2000
) -> tuple[dict[str, list[list[Any]]], dict[str, str]]:
    """Key → the latest runs of a project's commands (time, seconds, kind of sample), and key → the latest command."""
    rows = store.execute(
        "SELECT c.key, c.command, s.time, s.seconds, s.kind FROM (SELECT * FROM samples WHERE project = "
        "(SELECT no FROM projects WHERE project = ?) ORDER BY time DESC LIMIT ?) s JOIN commands c ON c.no = s.command",
        (project, most),
    )
    found: dict[str, list[list[Any]]] = {}
    examples: dict[str, str] = {}
    for key, command, moment, seconds, kind in rows:
        if key:
            found.setdefault(key, []).append([moment, seconds, kind])
            examples.setdefault(key, command)
    return found, examples


def describe_ledger(store: sqlite3.Connection) -> dict[str, Any]:
    """How much the ledger holds: events (an upper bound that costs nothing to read) and the first of them."""
    row = store.execute("SELECT coalesce(max(seq), 0) AS n FROM event_rows").fetchone()
    first = store.execute("SELECT time FROM event_rows ORDER BY id LIMIT 1").fetchone()
    return {"events": row["n"], "first": first["time"] if first else None, "now": time.time()}


def parse_json_lines(data: bytes) -> Iterator[dict[str, Any]]:
    """The records in these whole lines of the journal; lines that are no records are left out."""
    for line in data.split(b"\n"):
        if line:
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict) and record.get("id") and isinstance(record.get("time"), (int, float)):
                yield record
