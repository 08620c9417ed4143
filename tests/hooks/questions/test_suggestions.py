"""Questions of the past, from the ledger; damage costs its own record only."""

import json

import pytest

from hookwright.hooks.questions.suggestions import group_questions, read_entries, read_transcript_entries
from hookwright.store import queries, refresh
from hookwright.store.filter import Filter
from hookwright.store.stats import compute_stats

ROW = {"fingerprint": "q-1", "question": "Which?", "answer": "A", "answered_by": "user"}


@pytest.fixture
def store(tmp_path):
    """A ledger of these journal lines."""

    def made(*lines):
        folder = tmp_path / "journal"
        folder.mkdir()
        (folder / "2026-11-15.jsonl").write_text("".join(f"\n{line}\n" for line in lines))
        found, _ = refresh.open_ledger(str(tmp_path))
        return found

    return made


def record(time, event="PostToolUse", rows=(ROW,), **more):
    kept = {"id": f"{int(time * 1000):012x}{'0' * 20}", "time": time, "event": event, "tool": "AskUserQuestion"}
    return json.dumps({**kept, "session_id": "s", "tool_use_id": "t", "questions": list(rows), **more})


def test_questions_come_in_order_of_time_and_from_a_moment_on(store):
    found = store(record(1_790_000_030), record(1_790_000_010), record(1_790_000_020, tool="mcp__x__AskUserQuestion"))
    assert [entry.time - 1_790_000_000 for entry in read_entries(found)] == [10, 20, 30]
    assert [entry.time - 1_790_000_000 for entry in read_entries(found, since=1_790_000_015)] == [20, 30]


def test_strange_records_are_passed_over(store):
    found = store(
        record(1_790_000_001, rows=[7, None]),
        record(1_790_000_002, questions=7),
        record(1_790_000_003, tool="Bash"),
        record(1_790_000_004, questions={}),
        record(1_790_000_005, rows=[{}]),
        record(1_790_000_006),
    )
    assert [entry.row for entry in read_entries(found)] == [{}, ROW]
    assert group_questions(read_entries(found))["q-1"].asked == 1


def test_why_shows_what_became_of_each_question(store):
    asked = {"question": "Which?", "verdict": "ask", "because": "no preference decides it"}
    found = store(record(1_790_000_001, "PreToolUse", [asked]), record(1_790_000_002))
    why = queries.explain_event(found, queries.find_event(found, "t"))
    assert why["questions"] == [asked]
    assert why["afterwards"][0]["questions"] == [ROW]


def test_what_was_learned_from_transcripts_counts_unless_the_ledger_saw_it(store):
    found = store(record(1_790_000_001, session_id="s", tool_use_id="toolu_1"))
    options = json.dumps(["Auth", "Log (Recommended)"])
    for place, (identity, answer) in enumerate(
        [("s/toolu_1/0", "Auth"), ("s/toolu_2/0", "Log (Recommended)"), ("s/toolu_3/0", "Auth, Log"), ("s/x/0", None)]
    ):
        values = (identity, 1_780_000_000 + place, "s", "/p", "AskUserQuestion", "H", "Which?", options, answer, 3.0)
        found.execute("INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    first, second = read_transcript_entries(found)
    assert (first.row["labels"], first.row["followed"], first.row["answered_by"]) == (
        ["Log (Recommended)"],
        True,
        "user",
    )
    assert second.row["labels"] == ["Auth", "Log (Recommended)"]
    assert first.fingerprint == second.fingerprint
    assert len(read_transcript_entries(found, since=1_780_000_002)) == 1


def test_stats_count_who_answered(store, tmp_path):
    ours = {**ROW, "answered_by": "preference"}
    found = store(
        record(1_790_000_001, rows=[ROW, ours, {**ROW, "answer": None}, 7]),
        record(1_790_000_002, rows=[ours], tool="mcp__x__AskUserQuestion"),
        record(1_790_000_003, "PreToolUse"),
        record(1_790_000_004, questions="strange"),
    )
    stats = compute_stats(found, str(tmp_path), Filter())
    assert (stats["questions"], stats["questions_answered"]) == (1, {"preference": 2, "user": 1})
