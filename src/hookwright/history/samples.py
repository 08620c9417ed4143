"""Events → samples: how long a command really took, and what is only a bound.

ledger events → [this] → samples → estimate
A command that went to the background returned at once: that time is its launch, never its duration. Its end comes
from the client's notice, else from the turn's end at which it no longer ran.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookwright.shell.command import Command
from hookwright.shell.duration import judge
from hookwright.shell.intents import intent_of
from hookwright.shell.key import JOINED, Key, key_of
from hookwright.state import published
from hookwright.state.estimate import Learner, Sample, learned
from hookwright.state.ingest import SAMPLE_DAYS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping
    from typing import Any

FAILED_WEIGHT = 0.5  # a command that failed often failed early
CANCELLED_WEIGHT = 0.2  # no event tells of a cancelled call; that the next one came later is all that is known
CANCELLED_LEAST_S = 10.0
MOST_TEXTS = 400  # commands of a project that are published in their own words, the latest ones
_BATCH = 2000
_ONE = "seq, event, time, session_id, agent_id, tool_use_id"
_READ = f"{_ONE}, project, command, answer, duration_ms, outcome, task_id, extra"


def add_keys(store: sqlite3.Connection, tell: Callable[[], object] = lambda: None) -> int:
    """Give every command its key and intent; how many were new."""
    cursor = _cursor(store, "keyed")
    keys: dict[str, Key] = {}
    done = 0
    while True:
        rows = store.execute(
            "SELECT seq, command, key FROM events WHERE seq > ? AND command IS NOT NULL ORDER BY seq LIMIT ?",
            (cursor, _BATCH),
        ).fetchall()
        if not rows:
            return done
        found = []
        for row in rows:
            key = keys.get(row["command"]) or keys.setdefault(row["command"], key_of(row["command"]))
            found.append((row["key"] or key.text, key.intent, row["seq"]))
        cursor = rows[-1]["seq"]
        store.execute("BEGIN IMMEDIATE")
        store.executemany("UPDATE events SET key = ?, intent = ? WHERE seq = ?", found)
        _set_cursor(store, "keyed", cursor)
        store.execute("COMMIT")
        done += len(rows)
        tell()


def add_samples(store: sqlite3.Connection, tell: Callable[[], object] = lambda: None) -> int:
    """Turn the events since the last time into samples; how many there were."""
    cursor = _cursor(store, "sampled")
    done = 0
    last: dict[tuple[str, str], sqlite3.Row] = {}
    while True:
        rows = store.execute(
            f"SELECT {_READ} FROM events WHERE seq > ? AND event IN "  # noqa: S608  our own names
            "('PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'Stop') ORDER BY seq LIMIT ?",
            (cursor, _BATCH),
        ).fetchall()
        if not rows:
            return done
        cursor = rows[-1]["seq"]
        store.execute("BEGIN IMMEDIATE")
        for row in rows:
            place = (row["session_id"], row["agent_id"] or "")
            before = last.get(place)
            if before is None and row["event"] == "PreToolUse":
                before = _before(store, row)
            done += _add(store, row, before)
            last[place] = row
        _set_cursor(store, "sampled", cursor)
        store.execute("COMMIT")
        tell()


def _add(store: sqlite3.Connection, row: sqlite3.Row, before: sqlite3.Row | None) -> int:
    event = row["event"]
    if event == "PreToolUse":
        return _cancelled(store, row, before)
    if event == "UserPromptSubmit":
        return _ended(store, row) if row["task_id"] else 0
    if event == "Stop":
        return _no_longer_running(store, row)
    if row["command"] is None or row["duration_ms"] is None:
        return 0
    seconds = row["duration_ms"] / 1000
    outcome = row["outcome"]
    if outcome in ("timed_out", "interrupted"):
        return _insert(store, row, seconds, "least", 1.0 if outcome == "timed_out" else CANCELLED_WEIGHT)
    if outcome == "background":
        asked = row["extra"] is not None and '"behind": true' in row["extra"]
        return 0 if asked else _insert(store, row, seconds, "least", 1.0)
    return _insert(store, row, seconds, "exact", FAILED_WEIGHT if outcome == "failed" else 1.0)


def _ended(store: sqlite3.Connection, notice: sqlite3.Row) -> int:
    """The client says that a background command ended: from its launch to now is its duration."""
    launch = _launch(store, notice["session_id"], notice["task_id"])
    if launch is None:
        return 0
    seconds = notice["time"] - launch["time"] + (launch["duration_ms"] or 0) / 1000
    kind = "exact" if notice["outcome"] in ("ok", "failed") else "least"
    return _insert(store, launch, seconds, kind, 1.0 if notice["outcome"] == "ok" else FAILED_WEIGHT)


def _no_longer_running(store: sqlite3.Connection, stop: sqlite3.Row) -> int:
    """A task that ran at an earlier turn's end and is not listed now has ended in between."""
    listed = stop["extra"] or ""
    rows = store.execute(
        "SELECT * FROM events WHERE session_id = ? AND time < ? AND outcome = 'background' AND task_id IS NOT NULL "
        "ORDER BY time DESC LIMIT 32",
        (stop["session_id"], stop["time"]),
    ).fetchall()
    done = 0
    for launch in rows:
        if f'"{launch["task_id"]}"' in listed or not launch["command"]:
            continue
        known = store.execute("SELECT kind FROM samples WHERE id = ?", (_id(launch),)).fetchone()
        if known is None:
            done += _insert(store, launch, stop["time"] - launch["time"], "most", FAILED_WEIGHT)
    return done


def _cancelled(store: sqlite3.Connection, pre: sqlite3.Row, before: sqlite3.Row | None) -> int:
    """The call before this one in the session that never ended: cancelled, and longer than until now."""
    if before is None or before["event"] != "PreToolUse" or not before["command"]:
        return 0
    seconds = pre["time"] - before["time"]
    if before["answer"] in ("deny", "ask", "block") or seconds < CANCELLED_LEAST_S:
        return 0
    return _insert(store, before, seconds, "least", CANCELLED_WEIGHT)


def _before(store: sqlite3.Connection, row: sqlite3.Row) -> sqlite3.Row | None:
    """The event before this one in its session and agent."""
    found: sqlite3.Row | None = store.execute(
        f"SELECT {_READ} FROM events WHERE session_id = ? AND time < ? AND coalesce(agent_id, '') = ? "  # noqa: S608
        "ORDER BY time DESC LIMIT 1",
        (row["session_id"], row["time"], row["agent_id"] or ""),
    ).fetchone()
    return found


def _launch(store: sqlite3.Connection, session: str, task: str) -> sqlite3.Row | None:
    found: sqlite3.Row | None = store.execute(
        "SELECT * FROM events WHERE session_id = ? AND task_id = ? AND event = 'PostToolUse' ORDER BY time LIMIT 1",
        (session, task),
    ).fetchone()
    return found if found is not None and found["command"] else None


def _id(row: sqlite3.Row) -> str:
    return f"{row['session_id']}/{row['tool_use_id']}"


def _insert(store: sqlite3.Connection, row: sqlite3.Row, seconds: float, kind: str, weight: float) -> int:
    """Keep a sample; what is known exactly is never replaced by a bound."""
    if seconds < 0 or not row["tool_use_id"]:
        return 0
    values = (_id(row), row["time"], row["project"], row["command"], round(seconds, 3), kind, weight, "ledger")
    return put_sample(store, values)


def put_sample(store: sqlite3.Connection, values: tuple[object, ...]) -> int:
    done = store.execute(
        "INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
        "seconds = excluded.seconds, kind = excluded.kind, weight = excluded.weight, source = excluded.source "
        "WHERE samples.kind != 'exact' AND (excluded.kind = 'exact' OR excluded.seconds > samples.seconds)",
        values,
    )
    return max(0, done.rowcount)


def fitted(store: sqlite3.Connection, now: float) -> Learner:
    """Everything that the samples of the last months say."""
    moved = _decisions(store, now)
    rows = store.execute("SELECT * FROM samples WHERE time > ?", (now - SAMPLE_DAYS * 86400,))
    keys: dict[str, tuple[tuple[str, ...], str, str]] = {}
    samples = []
    for row in rows:
        command = row["command"]
        known = keys.get(command)
        if known is None:
            known = keys[command] = describe(command)
        levels, shared, tier = known
        if levels:
            samples.append(
                Sample(
                    levels,
                    tier,
                    row["seconds"],
                    row["time"],
                    kind=row["kind"],
                    weight=row["weight"],
                    shared=shared,
                    project=row["project"] or "",
                    background=moved.get(row["id"]),
                )
            )
    return learned(samples)


def describe(command: str) -> tuple[tuple[str, ...], str, str]:
    """Levels under which a command is learned, the level that other projects share, and its static class."""
    key = key_of(command)
    if not key.segments:
        return (), "", "none"
    tier = judge(Command(command))[0]
    if len(key.segments) > 1:
        return (key.text,), "", tier
    (segment,) = key.segments
    return segment.levels, "" if segment.own else segment.levels[-1], tier


def _decisions(store: sqlite3.Connection, now: float) -> dict[str, bool]:
    """Call → was it moved to the background by us?"""
    rows = store.execute(
        "SELECT session_id || '/' || tool_use_id AS call, answer, changed FROM events "
        "WHERE event = 'PreToolUse' AND tool = 'Bash' AND time > ?",
        (now - SAMPLE_DAYS * 86400,),
    )
    return {row["call"]: bool(row["changed"] and "run_in_background" in row["changed"]) for row in rows}


def publish(store: sqlite3.Connection, state: str, now: float) -> int:
    """Write what was learned where the door looks; how many projects."""
    learner = fitted(store, now)
    written = 0
    for project in {project for project, _ in learner.stats if project}:
        rows = learner.rows(project, now)
        serving = {key for key in rows if any(intent_of(part) == "server" for part in key.split(JOINED))}
        written += published.write(state, project, rows, _texts(store, project, rows), serving)
    return written


def _texts(store: sqlite3.Connection, project: str, rows: Mapping[str, tuple[Any, ...]]) -> dict[str, Any]:
    """The latest commands in their own words, where one row is all that there is to know of them."""
    latest = store.execute(
        "SELECT command FROM samples WHERE project = ? GROUP BY command ORDER BY max(time) DESC LIMIT ?",
        (project, MOST_TEXTS),
    )
    texts = {}
    for (command,) in latest:
        key = key_of(command)
        levels = key.segments[0].levels if len(key.segments) == 1 else ()
        row = next((rows[level] for level in (key.text, *levels) if level in rows), None)
        if row is not None and (published.is_slow(row) or judge(Command(command))[0] != "none"):
            texts[command] = (key.text, key.intent == "server", row)
    return texts


def _cursor(store: sqlite3.Connection, name: str) -> int:
    row = store.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return int(row["value"]) if row else 0


def _set_cursor(store: sqlite3.Connection, name: str, value: int) -> None:
    store.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, str(value)))
