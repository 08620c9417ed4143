"""Count what happened per day, so that a year can be asked although events are kept for 90 days.

event rows → [DailyCounts] → table `daily` → stats, gain
Each event is counted once: the counts are committed together with the cursor behind it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hookwright.store.gain import ENDS, balance_move, find_ended_move, find_move, is_move

if TYPE_CHECKING:
    import sqlite3
    from typing import Any

DAY_S = 86400
KEEP_DAYS = 730
COMMAND_DAYS = 90  # after that only commands that took COMMAND_SECONDS on a day are kept
COMMAND_SECONDS = 60.0
# Kinds of counts. The name of VERDICT is hook, verdict and mode; of LATENCY the next power of two in µs.
EVENT, VERDICT, FAILURE, COMMAND, LATENCY = "event", "verdict", "failure", "command", "latency"
QUESTION, ANSWERED, RULE, SAVED = "question", "answered", "rule", "saved"
SEPARATOR = "\t"

_ADD = (
    "INSERT INTO daily (day, project, kind, name, n, seconds) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO UPDATE SET n = n + excluded.n, seconds = seconds + excluded.seconds"
)


class DailyCounts:
    """Counts of a batch of events, added to the table at its end."""

    def __init__(self) -> None:
        self._counts: dict[tuple[int, str, str, str], list[float]] = {}

    def add(
        self, moment: float, project: str | None, kind: str, name: object, seconds: float = 0.0, n: int = 1
    ) -> None:
        place = (int(moment // DAY_S), project or "", kind, str(name))
        count = self._counts.setdefault(place, [0, 0.0])
        count[0] += n
        count[1] += seconds

    def add_event(self, row: sqlite3.Row, decisions: list[dict[str, Any]]) -> None:
        moment, project, event = row["time"], row["project"], row["event"]
        self.add(moment, project, EVENT, event or "")
        if isinstance(row["us"], int):
            self.add(moment, project, LATENCY, 1 << max(0, row["us"]).bit_length())
        for decision in decisions:
            if decision.get("failure"):
                self.add(moment, project, FAILURE, decision.get("hook"))
            if decision.get("verdict") != "none" or decision.get("failure"):
                words = (decision.get(name) for name in ("hook", "verdict", "mode"))
                self.add(moment, project, VERDICT, SEPARATOR.join(map(str, words)))
        ended = event in ("PostToolUse", "PostToolUseFailure") and row["outcome"] != "background"
        if ended and row["key"] and isinstance(row["duration_ms"], (int, float)):
            self.add(moment, project, COMMAND, row["key"], row["duration_ms"] / 1000)
        if row["extra"]:
            self._add_extra(row, event)

    def _add_extra(self, row: sqlite3.Row, event: str | None) -> None:
        """Questions and the rules of the guard are in the JSON of the record."""
        asks = str(row["tool"]).endswith("AskUserQuestion")
        if not asks and '"guard"' not in row["extra"]:
            return
        extra = parse_object(row["extra"])
        moment, project = row["time"], row["project"]
        if asks and event == "PreToolUse":
            self.add(moment, project, QUESTION, "asked")
        elif asks and event == "PostToolUse":
            for who in list_answerers(row["extra"]):
                self.add(moment, project, ANSWERED, who)
        guard = extra.get("guard")
        rules = guard.get("rules") if isinstance(guard, dict) else None
        for rule in rules if isinstance(rules, list) else ():
            self.add(moment, project, RULE, rule)

    def add_background(self, store: sqlite3.Connection, row: sqlite3.Row) -> None:
        """Count a move when its command was launched, and what it saved when its end becomes known."""
        if row["event"] == "PostToolUse" and row["outcome"] == "background":
            pre = find_move(store, row["session_id"], row["tool_use_id"])
            if pre is not None:
                self.add(pre["time"], pre["project"], SAVED, "moved")
        elif row["event"] in ENDS and row["task_id"] is not None:
            pre = find_ended_move(store, row["session_id"], row["task_id"])
            balance = balance_move(store, pre) if pre is not None else None
            if pre is not None and balance is not None and balance.end_id == row["id"]:
                self.add(pre["time"], pre["project"], SAVED, "moved", balance.saved_s or 0.0, n=0)

    def add_move(self, store: sqlite3.Connection, pre: sqlite3.Row) -> None:
        """Count a move together with what it saved as far as that is known."""
        balance = balance_move(store, pre) if is_move(pre) else None
        if balance is not None:
            self.add(pre["time"], pre["project"], SAVED, "moved", balance.saved_s or 0.0)

    def total(self) -> dict[tuple[str, str], tuple[int, float]]:
        """Kind and name → how often, and seconds, on all days and in all projects."""
        found: dict[tuple[str, str], tuple[int, float]] = {}
        for (_, _, kind, name), (n, seconds) in self._counts.items():
            known = found.get((kind, name), (0, 0.0))
            found[kind, name] = (known[0] + int(n), known[1] + seconds)
        return found

    def save(self, store: sqlite3.Connection) -> None:
        store.executemany(_ADD, [(*place, *count) for place, count in self._counts.items()])
        self._counts.clear()


def list_answerers(text: str) -> list[str]:
    """Who answered each question of an answered call: the user, a preference, the option for headless runs."""
    questions = parse_object(text).get("questions")
    return [
        str(each["answered_by"])
        for each in (questions if isinstance(questions, list) else ())
        if isinstance(each, dict) and each.get("answer") is not None and each.get("answered_by")
    ]


def parse_object(text: str | None) -> dict[str, Any]:
    """The JSON object in a column such as `extra`; an empty one for anything else."""
    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def delete_old_days(store: sqlite3.Connection, now: float) -> None:
    today = int(now // DAY_S)
    store.execute("DELETE FROM daily WHERE day < ?", (today - KEEP_DAYS,))
    store.execute(
        "DELETE FROM daily WHERE day < ? AND kind = ? AND seconds < ?",
        (today - COMMAND_DAYS, COMMAND, COMMAND_SECONDS),
    )
