"""Learning from transcripts: each entry once, nothing private, and the hook process knows it afterwards."""

import json

import pytest

from hookwright.errors import UserError
from hookwright.store import durations_write
from hookwright.store.database import open_store
from hookwright.store.learn import build_sample, learn, learn_background_ends
from hookwright.store.transcripts import ToolCall
from tests.store.shapes import FIRST, PROJECT, SESSION, TODAY, lines


@pytest.fixture
def claude(tmp_path):
    """A folder of Claude Code with one transcript."""

    class Claude:
        folder = tmp_path / "claude"
        path = folder / "projects" / "-home-ann-shop" / f"{SESSION}.jsonl"

        def write(self, *entries):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a") as file:
                file.write(lines(*entries))

    return Claude()


def samples(store):
    rows = store.execute(
        "SELECT c.command, seconds, kind, weight FROM samples JOIN commands c ON c.no = samples.command ORDER BY time"
    )
    return [(row["command"], round(row["seconds"], 1), row["kind"], row["weight"]) for row in rows]


CALL = {"id": "t", "tool": "Bash", "input": {"command": "make"}, "time": 1.0, "seconds": 20.0, "outcome": "ok"}


@pytest.mark.parametrize(
    ("change", "sample"),
    [
        ({}, (20.0, "exact", 1.0)),
        ({"outcome": "failed"}, (20.0, "exact", 0.5)),
        ({"outcome": "timed_out"}, (20.0, "least", 1.0)),
        ({"outcome": "interrupted"}, (20.0, "least", 0.2)),
        ({"outcome": "background"}, (20.0, "least", 1.0)),
        ({"outcome": "background", "seconds": 0.1}, None),
        ({"outcome": "background", "input": {"command": "make", "run_in_background": True}}, None),
        ({"alone": False}, (20.0, "exact", 0.5)),
        ({"refused": True}, None),
        ({"asked": True}, None),
        ({"seconds": None}, None),
        ({"tool": "Read", "input": {}}, None),
        ({"input": {"command": 5}}, None),
    ],
    ids=str,
)
def test_what_a_past_call_says_about_durations(change, sample):
    assert build_sample(ToolCall(**{**CALL, **change})) == sample


def test_durations_ends_and_questions_are_kept_once(tmp_path, claude):
    question = {"question": "Which?", "header": "C", "options": [{"label": "Red"}]}
    claude.write(
        TODAY.ran("t1", "./slow.sh", 10, 200),
        TODAY.launched("t2", "make all", 300, "b1"),
        TODAY.ended("t2", "b1", 400),
        TODAY.use("t3", "AskUserQuestion", {"questions": [question]}, 500),
        TODAY.result("t3", "x", 530, result={"answers": {"Which?": "Red"}}),
    )
    store = open_store(str(tmp_path / "state"))
    found = learn(store, [str(claude.path)])
    assert (found.calls, found.durations, found.background_ends, found.questions) == (3, 1, 1, 1)
    assert samples(store) == [("./slow.sh", 200.0, "exact", 1.0), ("make all", 100.0, "exact", 1.0)]
    assert store.execute("SELECT answer, seconds FROM questions").fetchone()["answer"] == "Red"
    again = learn(store, [str(claude.path)])
    assert (again.calls, again.durations) == (0, 0)
    claude.write(TODAY.ran("t4", "ls", 600, 1))
    assert learn(store, [str(claude.path)]).calls == 1


def test_a_dry_run_keeps_nothing(tmp_path, claude):
    claude.write(TODAY.ran("t1", "make", 10, 20))
    store = open_store(str(tmp_path / "state"))
    assert learn(store, [str(claude.path)], dry_run=True).durations == 1
    assert samples(store) == []
    assert learn(store, [str(claude.path)]).durations == 1


def test_commands_are_masked_before_they_are_kept(tmp_path, claude):
    claude.write(TODAY.ran("t1", "mysql -phunter2 shop", 10, 20))
    store = open_store(str(tmp_path / "state"))
    learn(store, [str(claude.path)])
    assert samples(store) == [("mysql -p*** shop", 20.0, "exact", 1.0)]
    assert b"hunter2" not in (tmp_path / "state" / "ledger.db").read_bytes()


def test_a_transcript_that_was_replaced_is_read_from_its_beginning(tmp_path, claude):
    claude.write(TODAY.ran("t1", "make", 10, 20))
    store = open_store(str(tmp_path / "state"))
    learn(store, [str(claude.path)])
    claude.path.write_text("")
    claude.write(FIRST.ran("t9", "ls", 1, 2))
    assert learn(store, [str(claude.path)]).calls == 1


def test_a_transcript_that_cannot_be_read_is_counted_and_the_others_are_read(tmp_path, claude):
    claude.write(TODAY.ran("t1", "make", 10, 20))
    store = open_store(str(tmp_path / "state"))
    found = learn(store, [str(tmp_path / "gone.jsonl"), str(claude.path)])
    assert (found.transcripts, found.skipped, found.durations) == (1, 1, 1)


def test_the_ledger_learns_of_an_end_that_no_hook_saw(past, claude):
    """Prompt hooks may be off when the client tells of it; its transcript has it all the same."""
    claude.write(TODAY.launched("toolu_1", "make", 10, "b7"), TODAY.ended_within_a_turn("toolu_1", "b7", 100))
    call = past.pre("make", session_id=SESSION)
    past.post(
        *(call, "make", 0.01),
        outcome="background",
        exit_code=None,
        task_id="b7",
        behind=True,
        transcript=str(claude.path),
        session_id=SESSION,
    )
    store = past.store()
    row = store.execute("SELECT * FROM events WHERE event = 'BackgroundEnd'").fetchone()
    assert (row["tool_use_id"], row["outcome"], row["duration_ms"]) == (call, "ok", 90_000)
    assert samples(store)[-1][1:3] == (90.0, "exact")
    assert learn_background_ends(store, past.clock).transcripts == 0


def test_the_command_says_what_it_learned_and_the_hook_process_knows_it(past, claude, hookwright):
    claude.write(
        *(TODAY.ran(f"t{n}", "./slow.sh", 300 * n, 200) for n in range(3)), TODAY.ran("q", "npm install", 1500, 2)
    )
    code, out, _ = hookwright("learn", "--from", str(claude.folder))
    assert code == 0
    assert "4 command durations" in out
    assert "./slow.sh" in out.partition("Slow here")[2].partition("Quick here")[0]
    assert "npm install" in out.partition("Quick here")[2]
    assert durations_write.read_durations(past.state, PROJECT)["./slow.sh"][0] == 3


def test_the_command_for_machines_prints_its_form(past, claude, hookwright):
    claude.write(TODAY.ran("t1", "make", 1, 2))
    found = json.loads(hookwright("learn", "--from", str(claude.folder), "--json")[1])
    assert {"transcripts", "calls", "durations", "background_ends", "questions", "skipped"} <= found.keys()
    assert found["calls"] == 1


def test_without_transcripts_the_user_is_told_where_they_were_looked_for(past, hookwright, tmp_path):
    with pytest.raises(UserError, match="no transcripts") as error:
        hookwright("learn")
    assert error.value.where == f"{tmp_path}/.claude/projects"
