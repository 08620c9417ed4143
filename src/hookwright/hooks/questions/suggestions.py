"""Past questions: what was asked, what was answered, and by whom.

ledger → [read_entries] → questions list, log, suggest, undo
Includes what `hookwright learn` found in transcripts, except calls that the ledger recorded itself.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookwright.hooks.questions.irreversible import QuestionText, match_text
from hookwright.hooks.questions.journal_rows import HEADLESS, PREFERENCE, USER, answered_row, read_answer
from hookwright.hooks.questions.question import Question
from hookwright.hooks.questions.resolve import Resolution, index_of
from hookwright.store.journal import first_id
from hookwright.store.queries import format_iso

if TYPE_CHECKING:
    import sqlite3

BEFORE, AFTER = "PreToolUse", "PostToolUse"


@dataclass(frozen=True)
class QuestionEntry:
    """One question of one call, from before (asked) or after (answered)."""

    record: dict[str, Any]
    row: dict[str, Any]

    @property
    def is_answered(self) -> bool:
        return self.record.get("event") == AFTER

    @property
    def call_id(self) -> tuple[Any, Any]:
        return self.record.get("session_id"), self.record.get("tool_use_id")

    @property
    def time(self) -> float:
        return float(self.record["time"])

    @property
    def fingerprint(self) -> str:
        return str(self.row.get("fingerprint"))

    @property
    def is_automatic(self) -> bool:
        return self.row.get("answered_by") in (PREFERENCE, HEADLESS)

    def format_line(self) -> dict[str, Any]:
        """As `questions log` prints it."""
        record, row = self.record, self.row
        return {
            "time": format_iso(self.time),
            "session_id": record.get("session_id"),
            "tool_use_id": record.get("tool_use_id"),
            "tool": record.get("tool"),
            **{name: row.get(name) for name in _LINE_FIELDS},
            "waited_ms": record.get("waited_ms"),
            "presence": record.get("presence"),
            "project": record.get("project"),
            "agent_id": record.get("agent_id"),
        }


_LINE_FIELDS = (
    *("header", "question", "options", "answer", "answered_by", "preference", "recommended", "followed"),
    *("labels", "multi", "free_text", "notes", "one_way", "fingerprint", "qid", "would"),
)


def read_entries(store: sqlite3.Connection, since: float = 0.0, latest: int = 0) -> list[QuestionEntry]:
    """Every question in the ledger, oldest first; with `latest` those of so many events at most."""
    found = store.execute(
        "SELECT id, time, event, session_id, tool_use_id, agent_id, project, tool, extra FROM events WHERE id IN "
        "(SELECT id FROM event_rows WHERE id >= ? AND tool LIKE '%AskUserQuestion' AND extra IS NOT NULL "
        "ORDER BY id DESC LIMIT ?) ORDER BY id",
        (first_id(since) if since else "", latest or -1),
    )
    return [entry for row in found for entry in entries_from_row(row)]


def read_transcript_entries(store: sqlite3.Connection, since: float = 0.0, latest: int = 0) -> list[QuestionEntry]:
    """Questions from before hookwright was installed, from transcripts; the user answered them."""
    found = store.execute(
        "SELECT * FROM (SELECT * FROM questions WHERE time >= ? AND answer IS NOT NULL ORDER BY time DESC LIMIT ?) "
        "ORDER BY time",
        (since, latest or -1),
    ).fetchall()
    return [_entry_from_transcript(row) for row in found if not _is_recorded(store, row["id"])]


def _is_recorded(store: sqlite3.Connection, name: str) -> bool:
    """Whether the ledger has this call itself. The name: session, tool use and number."""
    session, _, call = name.rpartition("/")[0].rpartition("/")
    query = "SELECT 1 FROM events WHERE tool_use_id = ? AND session_id = ? AND tool LIKE '%AskUserQuestion' LIMIT 1"
    return store.execute(query, (call, session)).fetchone() is not None


def _entry_from_transcript(row: sqlite3.Row) -> QuestionEntry:
    labels = tuple(str(label) for label in json.loads(row["options"] or "[]"))
    answer = str(row["answer"])
    single = Question(str(row["question"]), str(row["header"] or ""), labels)
    several = Question(single.text, single.header, labels, multi=True)
    # Transcripts do not record the kind of choice: an answer of several labels shows it.
    question = single if index_of(single, answer) is not None or read_answer(several, answer)[1] else several
    names = ("time", "session_id", "project", "tool")
    record = {"event": AFTER, "tool_use_id": row["id"], **{name: row[name] for name in names}}
    return QuestionEntry(record, answered_row(Resolution(question), 1, answer, "", {}))


def entries_from_row(row: sqlite3.Row) -> list[QuestionEntry]:
    """The questions in the record of one event."""
    record = dict(row)
    try:
        extra = json.loads(record.pop("extra") or "{}")
    except (ValueError, RecursionError):
        return []
    rows = extra.get("questions") if isinstance(extra, dict) else None
    record.update({name: extra.get(name) for name in ("presence", "shadow", "waited_ms")} if rows else {})
    return [QuestionEntry(record, each) for each in rows if isinstance(each, dict)] if isinstance(rows, list) else []


@dataclass
class QuestionStats:
    """All times that one question was asked."""

    latest: dict[str, Any]
    one_way: str | None = None
    last: float = 0.0
    asked: int = 0
    refused: int = 0  # denied because the user was away
    by: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)  # the user's own
    followed: int = 0
    comparable: int = 0  # answers to questions with a recommendation

    @property
    def dismissed(self) -> int:
        """Asked and never answered."""
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
            "last": format_iso(self.last),
        }


def find_irreversible_row(row: dict[str, Any], own_words: tuple[str, ...] = ()) -> tuple[str, str] | None:
    """The rule that a recorded question matches. Its texts are clipped, so the verdict of that time counts too."""
    words = (row.get("question"), row.get("header"), *(row.get("options") or ()))
    found = match_text(QuestionText(str(part) for part in words if part), own_words)
    return found or ((str(row["one_way"]), "as it was asked") if row.get("one_way") else None)


def group_questions(found: list[QuestionEntry]) -> dict[str, QuestionStats]:
    """Entries grouped by question, most frequent first."""
    groups: dict[str, QuestionStats] = {}
    calls_before = {(entry.call_id, entry.fingerprint) for entry in found if not entry.is_answered}
    for entry in found:
        kind = groups.setdefault(entry.fingerprint, QuestionStats(entry.row))
        kind.latest, kind.last = entry.row, entry.time
        kind.one_way = kind.one_way or (find_irreversible_row(entry.row) or (None,))[0]
        if not entry.is_answered:
            kind.asked += 1
            kind.refused += entry.row.get("verdict") == "deny"
            continue
        if (entry.call_id, entry.fingerprint) not in calls_before:
            kind.asked += 1  # its record from before the call is missing
        if entry.row.get("answer") is None:
            continue
        kind.by[str(entry.row.get("answered_by"))] += 1
        if entry.row.get("answered_by") == USER:
            kind.answers[entry.row["answer"]] += 1
            if entry.row.get("followed") is not None:
                kind.comparable += 1
                kind.followed += entry.row["followed"]
    return dict(sorted(groups.items(), key=lambda item: (-item[1].asked, -item[1].last)))


def shadow_stats(found: list[QuestionEntry]) -> dict[str, int] | None:
    """Results of shadow mode: questions, how many it would have answered, how many of these as the user did."""
    seen = [
        entry
        for entry in found
        if entry.is_answered and entry.record.get("shadow") and entry.row.get("answer") is not None
    ]
    if not seen:
        return None
    would = [entry for entry in seen if entry.row.get("would")]
    agreed = [entry for entry in would if _same_answers(entry.row["would"].get("answer"), entry.row["answer"])]
    return {"questions": len(seen), "would": len(would), "agreed": len(agreed)}


def _same_answers(ours: Any, theirs: Any) -> bool:
    return isinstance(ours, str) and isinstance(theirs, str) and sorted(ours.split(", ")) == sorted(theirs.split(", "))
