"""Turn events of the ledger into duration samples, and publish what is learned from them.

events → [add_keys, add_samples] → samples → [fit_durations: estimate] → [publish_durations] → durations_write
A sample is exact or a bound. A command in the background returns at once: that time is its launch, not its duration;
its end comes from Claude Code's notification, else from the first turn end at which it no longer runs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookwright.shell.command import Command
from hookwright.shell.command_key import JOINED, Key, key_of
from hookwright.shell.duration import classify_duration
from hookwright.shell.intents import intent_of
from hookwright.store import durations_write
from hookwright.store.estimate import Learner, Sample, fit_samples
from hookwright.store.ingest import SAMPLE_DAYS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping
    from typing import Any

FAILED_WEIGHT = 0.5  # a command that failed often failed early
CANCELLED_WEIGHT = 0.2  # a cancelled call has no event; only the time of the next call is known
MIN_CANCELLED_S = 10.0
MAX_TEXTS = 400  # the latest commands of a project that are published as whole texts
_BATCH = 2000
_ONE = "seq, event, time, session_id, agent_id, tool_use_id"
_COLUMNS = f"{_ONE}, project, command, answer, duration_ms, outcome, task_id, extra"


def add_keys(store: sqlite3.Connection, report: Callable[[], object] = lambda: None) -> int:
    """Add key and intent to every new command; returns how many there were."""
    cursor = _read_cursor(store, "keyed")
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
        report()


def add_samples(store: sqlite3.Connection, report: Callable[[], object] = lambda: None) -> int:
    """Turn the events since the last call into samples; returns how many there were."""
    cursor = _read_cursor(store, "sampled")
    done = 0
    last: dict[tuple[str, str], sqlite3.Row] = {}
    while True:
        rows = store.execute(
            f"SELECT {_COLUMNS} FROM events WHERE seq > ? AND event IN "  # noqa: S608  our own names
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
                before = _previous_event(store, row)
            done += _add_event(store, row, before)
            last[place] = row
        _set_cursor(store, "sampled", cursor)
        store.execute("COMMIT")
        report()


def _add_event(store: sqlite3.Connection, row: sqlite3.Row, before: sqlite3.Row | None) -> int:
    event = row["event"]
    if event == "PreToolUse":
        return _add_cancelled(store, row, before)
    if event == "UserPromptSubmit":
        return _add_task_end(store, row) if row["task_id"] else 0
    if event == "Stop":
        return _add_vanished_tasks(store, row)
    if row["command"] is None or row["duration_ms"] is None:
        return 0
    seconds = row["duration_ms"] / 1000
    outcome = row["outcome"]
    if outcome in ("timed_out", "interrupted"):
        return _insert_sample(store, row, seconds, "least", 1.0 if outcome == "timed_out" else CANCELLED_WEIGHT)
    if outcome == "background":
        asked = row["extra"] is not None and '"behind": true' in row["extra"]
        return 0 if asked else _insert_sample(store, row, seconds, "least", 1.0)
    return _insert_sample(store, row, seconds, "exact", FAILED_WEIGHT if outcome == "failed" else 1.0)


def _add_task_end(store: sqlite3.Connection, notice: sqlite3.Row) -> int:
    """Claude Code reported the end of a background command: its duration is the time since its launch."""
    launch = _find_launch(store, notice["session_id"], notice["task_id"])
    if launch is None:
        return 0
    seconds = notice["time"] - launch["time"] + (launch["duration_ms"] or 0) / 1000
    kind = "exact" if notice["outcome"] in ("ok", "failed") else "least"
    return _insert_sample(store, launch, seconds, kind, 1.0 if notice["outcome"] == "ok" else FAILED_WEIGHT)


def _add_vanished_tasks(store: sqlite3.Connection, stop: sqlite3.Row) -> int:
    """A background command that is not listed at this turn end has ended before it."""
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
        known = store.execute("SELECT kind FROM samples WHERE id = ?", (_call_id(launch),)).fetchone()
        if known is None:
            done += _insert_sample(store, launch, stop["time"] - launch["time"], "most", FAILED_WEIGHT)
    return done


def _add_cancelled(store: sqlite3.Connection, pre: sqlite3.Row, before: sqlite3.Row | None) -> int:
    """If the call before this one never ended, it was cancelled and took at least until now."""
    if before is None or before["event"] != "PreToolUse" or not before["command"]:
        return 0
    seconds = pre["time"] - before["time"]
    if before["answer"] in ("deny", "ask", "block") or seconds < MIN_CANCELLED_S:
        return 0
    return _insert_sample(store, before, seconds, "least", CANCELLED_WEIGHT)


def _previous_event(store: sqlite3.Connection, row: sqlite3.Row) -> sqlite3.Row | None:
    """The event before this one of the same session and agent."""
    found: sqlite3.Row | None = store.execute(
        f"SELECT {_COLUMNS} FROM events WHERE session_id = ? AND time < ? AND coalesce(agent_id, '') = ? "  # noqa: S608
        "ORDER BY time DESC LIMIT 1",
        (row["session_id"], row["time"], row["agent_id"] or ""),
    ).fetchone()
    return found


def _find_launch(store: sqlite3.Connection, session: str, task: str) -> sqlite3.Row | None:
    found: sqlite3.Row | None = store.execute(
        "SELECT * FROM events WHERE session_id = ? AND task_id = ? AND event = 'PostToolUse' ORDER BY time LIMIT 1",
        (session, task),
    ).fetchone()
    return found if found is not None and found["command"] else None


def _call_id(row: sqlite3.Row) -> str:
    return f"{row['session_id']}/{row['tool_use_id']}"


def _insert_sample(store: sqlite3.Connection, row: sqlite3.Row, seconds: float, kind: str, weight: float) -> int:
    """Store a sample; an exact one is never replaced by a bound."""
    if seconds < 0 or not row["tool_use_id"]:
        return 0
    values = (_call_id(row), row["time"], row["project"], row["command"], round(seconds, 3), kind, weight, "ledger")
    return upsert_sample(store, values)


def upsert_sample(store: sqlite3.Connection, values: tuple[object, ...]) -> int:
    done = store.execute(
        "INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
        "seconds = excluded.seconds, kind = excluded.kind, weight = excluded.weight, source = excluded.source "
        "WHERE samples.kind != 'exact' AND (excluded.kind = 'exact' OR excluded.seconds > samples.seconds)",
        values,
    )
    return max(0, done.rowcount)


def fit_durations(store: sqlite3.Connection, now: float) -> Learner:
    """Learn from all samples of the last SAMPLE_DAYS."""
    moved = _read_moved_calls(store, now)
    rows = store.execute("SELECT * FROM samples WHERE time > ?", (now - SAMPLE_DAYS * 86400,))
    keys: dict[str, tuple[tuple[str, ...], str, str]] = {}
    samples = []
    for row in rows:
        command = row["command"]
        known = keys.get(command)
        if known is None:
            known = keys[command] = describe_command(command)
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
    return fit_samples(samples)


def describe_command(command: str) -> tuple[tuple[str, ...], str, str]:
    """The levels under which a command is learned, the level shared with other projects, and its static class."""
    key = key_of(command)
    if not key.segments:
        return (), "", "none"
    tier = classify_duration(Command(command))[0]
    if len(key.segments) > 1:
        return (key.text,), "", tier
    (segment,) = key.segments
    return segment.levels, "" if segment.own else segment.levels[-1], tier


def _read_moved_calls(store: sqlite3.Connection, now: float) -> dict[str, bool]:
    """Call → whether we moved it to the background."""
    rows = store.execute(
        "SELECT session_id || '/' || tool_use_id AS call, answer, changed FROM events "
        "WHERE event = 'PreToolUse' AND tool = 'Bash' AND time > ?",
        (now - SAMPLE_DAYS * 86400,),
    )
    return {row["call"]: bool(row["changed"] and "run_in_background" in row["changed"]) for row in rows}


def publish_durations(store: sqlite3.Connection, state: str, now: float) -> int:
    """Write the learned durations for the hook process; returns the number of projects."""
    learner = fit_durations(store, now)
    written = 0
    for project in {project for project, _ in learner.stats if project}:
        rows = learner.build_rows(project, now)
        serving = {key for key in rows if any(intent_of(part) == "server" for part in key.split(JOINED))}
        written += durations_write.write_durations(state, project, rows, _latest_texts(store, project, rows), serving)
    return written


def _latest_texts(store: sqlite3.Connection, project: str, rows: Mapping[str, tuple[Any, ...]]) -> dict[str, Any]:
    """The latest commands as whole texts, where one row is all that is known of them."""
    latest = store.execute(
        "SELECT command FROM samples WHERE project = ? GROUP BY command ORDER BY max(time) DESC LIMIT ?",
        (project, MAX_TEXTS),
    )
    texts = {}
    for (command,) in latest:
        key = key_of(command)
        levels = key.segments[0].levels if len(key.segments) == 1 else ()
        row = next((rows[level] for level in (key.text, *levels) if level in rows), None)
        if row is not None and (durations_write.is_slow(row) or classify_duration(Command(command))[0] != "none"):
            texts[command] = (key.text, key.intent == "server", row)
    return texts


def _read_cursor(store: sqlite3.Connection, name: str) -> int:
    row = store.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return int(row["value"]) if row else 0


def _set_cursor(store: sqlite3.Connection, name: str, value: int) -> None:
    store.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, str(value)))
