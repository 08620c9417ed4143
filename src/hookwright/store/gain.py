"""What hookwright was good for: time not waited, commands stopped, questions answered. Honest by construction.

event_rows → [read_gain] → gain, statusline, the line at the end of a session; [balance_move] → table daily → stats
Every figure is a number of events that are named by their ids, and can be computed from `hookwright log --json` alone:
docs/recompute_gain.py does so, and a test compares. The rules, in one place:

moved     a Bash call whose `run_in_background` we set and that Claude Code then started in the background
saved     of a moved call whose end is known: what Claude would have waited for it, at most MAX_WAIT_S (then Claude Code
          itself moves it), less the time of the launch, less a turn for taking the result, less a turn and the waiting
          for each look at it until it ended or the next command was started in the background. May be negative.
stopped   a tool call that was denied; asked: one that the user was asked about
The rest is in FIGURES. Hooks in shadow mode count nowhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookwright.store.event_rows import parse_decisions
from hookwright.store.filter import Filter

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

MAX_WAIT_S = 120.0  # Claude Code moves a command to the background by itself then
TURN_S = 5.0  # one more turn of the model: to take a result later, or to look whether it is there
LOOKING_TOOLS = frozenset(("BashOutput", "TaskOutput"))
SUBAGENT_TOOLS = frozenset(("Task", "Agent"))
FIGURES = ("moved", "stopped", "asked", "questions_answered", "prompts_spared", "subagents_capped")
ENDS = ("UserPromptSubmit", "BackgroundEnd")  # events with a task id: that background command has ended


@dataclass
class Gain:
    """The figures of `gain`, each with the ids of its events."""

    seconds_saved: float = 0.0
    ids: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in ("seconds_saved", *FIGURES)})

    def as_json(self) -> dict[str, Any]:
        counts = {name: len(self.ids[name]) for name in FIGURES}
        return {"seconds_saved": round(self.seconds_saved, 1), **counts, "ids": self.ids}


def read_gain(store: sqlite3.Connection, which: Filter) -> Gain:
    """The figures of the selected events."""
    found = Gain()
    where, values = which.where_clause()
    rows = store.execute(
        "SELECT seq, id, event, tool, tool_use_id, answer, changed, decisions FROM event_rows "  # noqa: S608  no user text
        f"INDEXED BY events_answered WHERE answer IS NOT NULL AND {where} ORDER BY id",
        values,
    )
    for row in rows.fetchall():
        for name in classify_event(row["event"], row["tool"], row["answer"], parse_decisions(row["decisions"])):
            found.ids[name].append(row["id"])
        balance = balance_move(store, row) if is_move(row) else None
        if balance is not None:
            found.ids["moved"].append(row["id"])
            if balance.saved_s is not None:
                found.ids["seconds_saved"].append(row["id"])
                found.seconds_saved += balance.saved_s
    return found


def classify_event(
    event: str | None, tool: str | None, answer: str | None, decisions: Iterable[dict[str, Any]]
) -> set[str]:
    """The figures in which an event counts, `moved` aside: by hook and verdict of what was really answered."""
    found = set()
    for decision in decisions:
        verdict, by_questions = decision.get("verdict"), decision.get("hook") == "questions"
        if decision.get("mode") == "shadow" or verdict in ("none", None):
            continue
        if by_questions:
            if verdict == answer == "allow":
                found.add("questions_answered")
        elif event not in ("PreToolUse", "PermissionRequest"):
            continue
        elif tool in SUBAGENT_TOOLS and verdict in ("deny", "rewrite"):
            found.add("subagents_capped")
        elif verdict == answer == "deny":
            found.add("stopped")
        elif verdict == answer == "ask":
            found.add("asked")
        elif verdict == answer == "allow":
            found.add("prompts_spared")
    return found


@dataclass(frozen=True)
class Balance:
    """What a moved call saved."""

    end_id: str | None  # of the event that told its end
    saved_s: float | None  # None while its end is not known
    looks: int = 0


def is_move(row: sqlite3.Row) -> bool:
    return bool(
        row["event"] == "PreToolUse" and row["answer"] == "rewrite" and "run_in_background" in (row["changed"] or "")
    )


def find_move(store: sqlite3.Connection, session: str | None, tool_use_id: str | None) -> sqlite3.Row | None:
    """The event in which we moved this call to the background; None if we did not."""
    pre: sqlite3.Row | None = store.execute(
        "SELECT * FROM events WHERE tool_use_id = ? AND session_id IS ? AND event = 'PreToolUse' ORDER BY id LIMIT 1",
        (tool_use_id, session),
    ).fetchone()
    return pre if pre is not None and is_move(pre) else None


def find_ended_move(store: sqlite3.Connection, session: str | None, task: str) -> sqlite3.Row | None:
    """The same for a background command, by its task."""
    launch = store.execute(
        "SELECT tool_use_id FROM events WHERE session_id = ? AND task_id = ? AND event = 'PostToolUse' "
        "ORDER BY id LIMIT 1",
        (session, task),
    ).fetchone()
    return find_move(store, session, launch["tool_use_id"]) if launch is not None else None


def balance_move(store: sqlite3.Connection, pre: sqlite3.Row) -> Balance | None:
    """What moving this call saved; None if it was not started in the background."""
    launch = store.execute(
        "SELECT * FROM event_rows WHERE tool_use_id = ? AND event = 'PostToolUse' AND outcome = 'background' "
        "AND id > ? ORDER BY id LIMIT 1",
        (pre["tool_use_id"], pre["id"]),
    ).fetchone()
    if launch is None or launch["session"] is None:
        return None
    end = _find_end(store, launch)
    if end is None:
        return Balance(None, None)
    launch_s = (launch["duration_ms"] or 0) / 1000
    took = end["time"] - launch["time"] + launch_s
    looks, looking_s = _read_looks(store, launch, end["id"])
    saved = min(took, MAX_WAIT_S) - launch_s - TURN_S * (1 + looks) - looking_s
    return Balance(end["id"], saved, looks)


def _find_end(store: sqlite3.Connection, launch: sqlite3.Row) -> sqlite3.Row | None:
    if launch["task_id"] is None:
        return None
    end: sqlite3.Row | None = store.execute(
        "SELECT id, time FROM event_rows WHERE session = ? AND time >= ? AND task_id = ? AND id > ? "
        "AND event IN ('UserPromptSubmit', 'BackgroundEnd') ORDER BY id LIMIT 1",
        (launch["session"], launch["time"], launch["task_id"], launch["id"]),
    ).fetchone()
    return end


def _read_looks(store: sqlite3.Connection, launch: sqlite3.Row, end_id: str) -> tuple[int, float]:
    """How often Claude looked for the result, and the time that took, until the end or the next launch."""
    looks, seconds = 0, 0.0
    rows = store.execute(
        "SELECT e.id, e.event, e.tool, e.outcome, e.duration_ms, coalesce(c.key, e.key) AS key FROM event_rows e "
        "LEFT JOIN commands c ON c.no = e.command WHERE e.session = ? AND e.time >= ? AND e.id > ? AND e.id < ? "
        "ORDER BY e.id",
        (launch["session"], launch["time"], launch["id"], end_id),
    )
    for row in rows:
        if row["outcome"] == "background":
            break
        if row["event"] in ("PostToolUse", "PostToolUseFailure") and is_look(row["tool"], row["key"]):
            looks += 1
            seconds += (row["duration_ms"] or 0) / 1000
    return looks, seconds


def is_look(tool: str | None, key: str | None) -> bool:
    """Whether a call waits for a background command: its output is read, or a command begins with `sleep`."""
    return tool in LOOKING_TOOLS or (tool == "Bash" and (key or "").split(" ")[0] == "sleep")
