"""The questions of the past: what was asked, what was answered, and by whom.

ledger → [entries] → questions list, log, suggest, undo
What `hookwright learn` found in transcripts counts as well, except where the ledger saw the same call itself.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookwright.history.ledger import iso
from hookwright.questions.one_way import door_in
from hookwright.questions.one_way.text import Text
from hookwright.questions.question import Question
from hookwright.questions.rows import HEADLESS, PREFERENCE, USER, answered_row, read_answer
from hookwright.questions.settle import Part, place_of
from hookwright.state.journal import first_id

if TYPE_CHECKING:
    import sqlite3

BEFORE, AFTER = "PreToolUse", "PostToolUse"


@dataclass(frozen=True)
class Entry:
    """One question of one call: asked (before) or answered (after)."""

    record: dict[str, Any]
    row: dict[str, Any]

    @property
    def answered(self) -> bool:
        return self.record.get("event") == AFTER

    @property
    def call(self) -> tuple[Any, Any]:
        return self.record.get("session_id"), self.record.get("tool_use_id")

    @property
    def time(self) -> float:
        return float(self.record["time"])

    @property
    def fingerprint(self) -> str:
        return str(self.row.get("fingerprint"))

    @property
    def by_us(self) -> bool:
        return self.row.get("answered_by") in (PREFERENCE, HEADLESS)

    def line(self) -> dict[str, Any]:
        """As `questions log` prints it."""
        record, row = self.record, self.row
        return {
            "time": iso(self.time),
            "session_id": record.get("session_id"),
            "tool_use_id": record.get("tool_use_id"),
            "tool": record.get("tool"),
            **{name: row.get(name) for name in _LINE},
            "waited_ms": record.get("waited_ms"),
            "presence": record.get("presence"),
            "project": record.get("project"),
            "agent_id": record.get("agent_id"),
        }


_LINE = (
    *("header", "question", "options", "answer", "answered_by", "preference", "recommended", "followed"),
    *("labels", "multi", "free_text", "notes", "one_way", "fingerprint", "qid", "would"),
)


def entries(store: sqlite3.Connection, since: float = 0.0) -> list[Entry]:
    """Every question in the ledger, oldest first."""
    found = store.execute(
        "SELECT id, time, event, session_id, tool_use_id, agent_id, project, tool, extra FROM events "
        "WHERE id >= ? AND tool LIKE '%AskUserQuestion' AND extra IS NOT NULL ORDER BY id",
        (first_id(since) if since else "",),
    )
    return [entry for row in found for entry in of_row(row)]


def learned(store: sqlite3.Connection, since: float = 0.0) -> list[Entry]:
    """Questions of the time before hookwright, from transcripts: answered, by the user."""
    seen = {
        f"{row['session_id']}/{row['tool_use_id']}"
        for row in store.execute("SELECT session_id, tool_use_id FROM events WHERE tool LIKE '%AskUserQuestion'")
    }
    found = store.execute("SELECT * FROM questions WHERE time >= ? AND answer IS NOT NULL ORDER BY time", (since,))
    return [_of_transcript(row) for row in found if row["id"].rpartition("/")[0] not in seen]


def _of_transcript(row: sqlite3.Row) -> Entry:
    labels = tuple(str(label) for label in json.loads(row["options"] or "[]"))
    answer = str(row["answer"])
    single = Question(str(row["question"]), str(row["header"] or ""), labels)
    several = Question(single.text, single.header, labels, multi=True)
    # Transcripts are kept without the kind of choice: an answer that is several labels tells it.
    question = single if place_of(single, answer) is not None or read_answer(several, answer)[1] else several
    names = ("time", "session_id", "project", "tool")
    record = {"event": AFTER, "tool_use_id": row["id"], **{name: row[name] for name in names}}
    return Entry(record, answered_row(Part(question), 1, answer, "", {}))


def of_row(row: sqlite3.Row) -> list[Entry]:
    """The questions that one event's record holds."""
    record = dict(row)
    try:
        extra = json.loads(record.pop("extra") or "{}")
    except (ValueError, RecursionError):
        return []
    rows = extra.get("questions") if isinstance(extra, dict) else None
    record.update({name: extra.get(name) for name in ("presence", "shadow", "waited_ms")} if rows else {})
    return [Entry(record, each) for each in rows if isinstance(each, dict)] if isinstance(rows, list) else []


@dataclass
class Kind:
    """All times that one question was asked."""

    latest: dict[str, Any]
    one_way: str | None = None
    last: float = 0.0
    asked: int = 0
    refused: int = 0  # by us, for somebody who is away
    by: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)  # the user's own
    followed: int = 0
    comparable: int = 0  # answers to a question that recommended something

    @property
    def dismissed(self) -> int:
        """Asked, and never answered."""
        return max(0, self.asked - self.refused - sum(self.by.values()))

    def as_json(self) -> dict[str, Any]:
        names = ("fingerprint", "qid", "header", "question", "options", "multi", "recommended")
        return {
            **{name: self.latest.get(name) for name in names},
            "one_way": self.one_way,
            "asked": self.asked,
            "answered": {who: self.by[who] for who in (USER, PREFERENCE, HEADLESS)},
            "dismissed": self.dismissed,
            "refused": self.refused,
            "answers": dict(self.answers.most_common()),
            "followed": self.followed,
            "comparable": self.comparable,
            "last": iso(self.last),
        }


def door_of(row: dict[str, Any], own_words: tuple[str, ...] = ()) -> tuple[str, str] | None:
    """Which one-way door a question on record is. The record of its answer knows more of it than its clipped words."""
    words = (row.get("question"), row.get("header"), *(row.get("options") or ()))
    found = door_in(Text(str(part) for part in words if part), own_words)
    return found or ((str(row["one_way"]), "as it was asked") if row.get("one_way") else None)


def kinds(found: list[Entry]) -> dict[str, Kind]:
    """Entries by question, the most often asked first."""
    made: dict[str, Kind] = {}
    calls_before = {(entry.call, entry.fingerprint) for entry in found if not entry.answered}
    for entry in found:
        kind = made.setdefault(entry.fingerprint, Kind(entry.row))
        kind.latest, kind.last = entry.row, entry.time
        kind.one_way = kind.one_way or (door_of(entry.row) or (None,))[0]
        if not entry.answered:
            kind.asked += 1
            kind.refused += entry.row.get("verdict") == "deny"
            continue
        if (entry.call, entry.fingerprint) not in calls_before:
            kind.asked += 1  # the record of its asking is gone
        if entry.row.get("answer") is None:
            continue
        kind.by[str(entry.row.get("answered_by"))] += 1
        if entry.row.get("answered_by") == USER:
            kind.answers[entry.row["answer"]] += 1
            if entry.row.get("followed") is not None:
                kind.comparable += 1
                kind.followed += entry.row["followed"]
    return dict(sorted(made.items(), key=lambda item: (-item[1].asked, -item[1].last)))


def shadow(found: list[Entry]) -> dict[str, int] | None:
    """What shadow mode has seen: questions, how many it would have answered, how many as the user did."""
    seen = [
        entry
        for entry in found
        if entry.answered and entry.record.get("shadow") and entry.row.get("answer") is not None
    ]
    if not seen:
        return None
    would = [entry for entry in seen if entry.row.get("would")]
    agreed = [entry for entry in would if _same(entry.row["would"].get("answer"), entry.row["answer"])]
    return {"questions": len(seen), "would": len(would), "agreed": len(agreed)}


def _same(ours: Any, theirs: Any) -> bool:
    return isinstance(ours, str) and isinstance(theirs, str) and sorted(ours.split(", ")) == sorted(theirs.split(", "))
