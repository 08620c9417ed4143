"""Turn events of the ledger into duration samples, and count what happened in them per day and per session.

event_rows → [derive_rows] → commands.key, samples → duration_sums; daily; sessions
A sample is exact or a bound. A command in the background returns at once: that time is its launch, not its duration;
its end comes from Claude Code's notification, else from the first turn end at which it no longer runs.
Every event is read once, in the order of arrival: the cursor is committed together with what was made of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookwright.shell.command_key import key_of
from hookwright.store import duration_sums
from hookwright.store.daily import DailyCounts, list_answerers
from hookwright.store.duration_sums import SumsUpdate
from hookwright.store.event_rows import INSERT_COMMAND, hash_text, number_text, parse_decisions

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

FAILED_WEIGHT = 0.5  # a command that failed often failed early
CANCELLED_WEIGHT = 0.2  # a cancelled call has no event; only the time of the next call is known
MIN_CANCELLED_S = 10.0
_BATCH = 2000
_SAMPLED = frozenset(("PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop"))
_COUNT_SESSION = (
    "UPDATE sessions SET project = ?, first = min(coalesce(first, ?), ?), last = max(coalesce(last, 0), ?), "
    "events = events + ?, stopped = stopped + ?, asked = asked + ?, moved = moved + ?, answered = answered + ? "
    "WHERE session_id = ?"
)


def derive_rows(store: sqlite3.Connection, now: float, report: Callable[[], object] = lambda: None) -> int:
    """Key, sample and count the events since the last call; returns how many samples there were."""
    cursor = read_cursor(store)
    if cursor >= last_seq(store):
        return 0
    _add_keys(store)
    done = 0
    last: dict[tuple[str, str], sqlite3.Row] = {}
    while True:
        rows = store.execute("SELECT * FROM events WHERE seq > ? ORDER BY seq LIMIT ?", (cursor, _BATCH)).fetchall()
        if not rows:
            return done
        cursor = rows[-1]["seq"]
        store.execute("BEGIN IMMEDIATE")
        try:
            if read_cursor(store) >= cursor:  # another process was faster
                store.execute("ROLLBACK")
                return done
            samples = SampleWriter(store, now)
            counts, sessions = DailyCounts(), SessionCounts()
            for row in rows:
                if row["event"] in _SAMPLED:
                    place = (row["session_id"], row["agent_id"] or "")
                    before = last.get(place)
                    if before is None and row["event"] == "PreToolUse":
                        before = _previous_event(store, row)
                    done += _add_event(samples, row, before)
                    last[place] = row
                counts.add_event(row, parse_decisions(row["decisions"]))
                counts.add_background(store, row)
                sessions.add_event(row)
            samples.save()
            counts.save(store)
            sessions.save(store)
            store.execute("INSERT OR REPLACE INTO meta VALUES ('derived', ?)", (str(cursor),))
            store.execute("COMMIT")
        except BaseException:
            store.execute("ROLLBACK")
            raise
        report()


def last_seq(store: sqlite3.Connection) -> int:
    found: int = store.execute("SELECT coalesce(max(seq), 0) FROM event_rows").fetchone()[0]
    return found


def read_cursor(store: sqlite3.Connection) -> int:
    """The last event that `derive_rows` has read."""
    row = store.execute("SELECT value FROM meta WHERE name = 'derived'").fetchone()
    return int(row["value"]) if row else 0


def _add_keys(store: sqlite3.Connection) -> None:
    """Add key and intent to every command that has none yet; a command is parsed once, however often it runs."""
    while True:
        rows = store.execute("SELECT no, command FROM commands WHERE key IS NULL LIMIT ?", (_BATCH,)).fetchall()
        if not rows:
            return
        found = [(key.text, key.intent, no) for no, key in ((row["no"], key_of(row["command"])) for row in rows)]
        store.execute("BEGIN IMMEDIATE")
        store.executemany("UPDATE commands SET key = ?, intent = ? WHERE no = ?", found)
        store.execute("COMMIT")


class SessionCounts:
    """What a batch of events adds to the sessions' rows."""

    def __init__(self) -> None:
        self._found: dict[str, list[object]] = {}

    def add_event(self, row: sqlite3.Row) -> None:
        session = row["session_id"]
        if session is None:
            return
        moment, answer = row["time"], row["answer"]
        known = self._found.setdefault(session, [row["project"], moment, moment, 0, 0, 0, 0, 0])
        moved = answer == "rewrite" and "run_in_background" in (row["changed"] or "")
        added = (1, answer in ("deny", "block"), answer == "ask", moved, _count_answered(row))
        known[0] = row["project"] or known[0]
        known[1:3] = min(known[1], moment), max(known[2], moment)
        known[3:] = [before + more for before, more in zip(known[3:], added, strict=True)]

    def save(self, store: sqlite3.Connection) -> None:
        rows = [
            (project, first, first, last, *counts, session)
            for session, (project, first, last, *counts) in self._found.items()
        ]
        store.executemany(_COUNT_SESSION, rows)


def _count_answered(row: sqlite3.Row) -> int:
    """Questions of an answered call that the user did not have to answer."""
    if row["event"] != "PostToolUse" or not row["extra"] or not str(row["tool"]).endswith("AskUserQuestion"):
        return 0
    return sum(who != "user" for who in list_answerers(row["extra"]))


class SampleWriter:
    """Stores samples and keeps the sums of their keys in step, within the caller's transaction."""

    def __init__(self, store: sqlite3.Connection, now: float) -> None:
        self.store = store
        self._now = now
        self._sums = SumsUpdate(store) if duration_sums.are_current(store) else None  # else they are built again anyway

    def add(
        self,
        session: str,
        tool_use_id: str,
        *,
        time: float,
        project: str | None,
        command: str,
        seconds: float,
        kind: str,
        weight: float,
        source: str,
        moved: bool | None = None,
    ) -> int:
        """Store a sample; an exact one is never replaced, a bound only by more. Returns how many were stored."""
        store = self.store
        place = (tool_use_id, number_text(store, "session_id", session))
        known = store.execute(
            f"{duration_sums.SELECT_SAMPLES} WHERE s.tool_use_id = ? AND s.session = ?",
            place,
        ).fetchone()
        if known is not None:
            if known["kind"] == "exact" or (kind != "exact" and seconds <= known["seconds"]):
                return 0
            moved = known["moved"] if moved is None else moved
            if self._sums is not None:
                self._sums.remove(known)
        values = {"time": time, "seconds": round(seconds, 3), "kind": kind, "weight": weight, "moved": moved}
        counted = None
        if self._sums is not None:
            counted = self._sums.add({**values, "project": project, "command": command})
        no = hash_text(command)
        store.execute(INSERT_COMMAND, (no, command))
        number = number_text(store, "project", project) if project else None
        row = (place[1], tool_use_id, time, number, no, values["seconds"], kind, weight, source, moved, counted)
        store.execute("INSERT OR REPLACE INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        return 1

    def save(self) -> None:
        if self._sums is not None:
            self._sums.save()
            if self._sums.late:
                duration_sums.request_rebuild(self.store, self._now)


def _add_event(samples: SampleWriter, row: sqlite3.Row, before: sqlite3.Row | None) -> int:
    event = row["event"]
    if event == "PreToolUse":
        return _add_cancelled(samples, row, before)
    if event == "UserPromptSubmit":
        return _add_task_end(samples, row) if row["task_id"] else 0
    if event == "Stop":
        return _add_vanished_tasks(samples, row)
    if row["command"] is None or row["duration_ms"] is None:
        return 0
    seconds = row["duration_ms"] / 1000
    outcome = row["outcome"]
    if outcome in ("timed_out", "interrupted"):
        return _insert_sample(samples, row, seconds, "least", 1.0 if outcome == "timed_out" else CANCELLED_WEIGHT)
    if outcome == "background":
        asked = row["extra"] is not None and '"behind": true' in row["extra"]
        return 0 if asked else _insert_sample(samples, row, seconds, "least", 1.0)
    return _insert_sample(samples, row, seconds, "exact", FAILED_WEIGHT if outcome == "failed" else 1.0)


def _add_task_end(samples: SampleWriter, notice: sqlite3.Row) -> int:
    """Claude Code reported the end of a background command: its duration is the time since its launch."""
    launch = _find_launch(samples.store, notice["session_id"], notice["task_id"])
    if launch is None:
        return 0
    seconds = notice["time"] - launch["time"] + (launch["duration_ms"] or 0) / 1000
    kind = "exact" if notice["outcome"] in ("ok", "failed") else "least"
    return _insert_sample(samples, launch, seconds, kind, 1.0 if notice["outcome"] == "ok" else FAILED_WEIGHT)


def _add_vanished_tasks(samples: SampleWriter, stop: sqlite3.Row) -> int:
    """A background command that is not listed at this turn end has ended before it."""
    listed = stop["extra"] or ""
    rows = samples.store.execute(
        "SELECT * FROM events WHERE session_id = ? AND time < ? AND outcome = 'background' AND task_id IS NOT NULL "
        "ORDER BY time DESC LIMIT 32",
        (stop["session_id"], stop["time"]),
    ).fetchall()
    done = 0
    for launch in rows:
        if f'"{launch["task_id"]}"' in listed or not launch["command"]:
            continue
        known = samples.store.execute(
            "SELECT 1 FROM samples s JOIN sessions n ON n.no = s.session WHERE s.tool_use_id = ? AND n.session_id = ?",
            (launch["tool_use_id"], launch["session_id"]),
        ).fetchone()
        if known is None:
            done += _insert_sample(samples, launch, stop["time"] - launch["time"], "most", FAILED_WEIGHT)
    return done


def _add_cancelled(samples: SampleWriter, pre: sqlite3.Row, before: sqlite3.Row | None) -> int:
    """If the call before this one never ended, it was cancelled and took at least until now."""
    if before is None or before["event"] != "PreToolUse" or not before["command"]:
        return 0
    seconds = pre["time"] - before["time"]
    if before["answer"] in ("deny", "ask", "block") or seconds < MIN_CANCELLED_S:
        return 0
    return _insert_sample(samples, before, seconds, "least", CANCELLED_WEIGHT)


def _previous_event(store: sqlite3.Connection, row: sqlite3.Row) -> sqlite3.Row | None:
    """The event before this one of the same session and agent."""
    found: sqlite3.Row | None = store.execute(
        "SELECT * FROM events WHERE session_id = ? AND time < ? AND coalesce(agent_id, '') = ? "
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


def _insert_sample(samples: SampleWriter, row: sqlite3.Row, seconds: float, kind: str, weight: float) -> int:
    if seconds < 0 or not row["tool_use_id"] or row["session_id"] is None:
        return 0
    return samples.add(
        row["session_id"],
        row["tool_use_id"],
        time=row["time"],
        project=row["project"],
        command=row["command"],
        seconds=seconds,
        kind=kind,
        weight=weight,
        source="ledger",
        moved=_was_moved(samples.store, row),
    )


def _was_moved(store: sqlite3.Connection, row: sqlite3.Row) -> bool | None:
    """Whether we moved this call to the background; None if nothing is recorded from before it."""
    pre = store.execute(
        "SELECT changed FROM event_rows WHERE tool_use_id = ? AND event = 'PreToolUse' ORDER BY seq DESC LIMIT 1",
        (row["tool_use_id"],),
    ).fetchone()
    return None if pre is None else "run_in_background" in (pre["changed"] or "")
