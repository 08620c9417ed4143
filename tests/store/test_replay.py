"""Replay: past calls through a configuration, likely mistakes first, two configurations side by side."""

import json
from pathlib import Path

import pytest

from hookwright import replay
from hookwright.errors import UserError
from hookwright.store import durations_read, durations_write
from hookwright.store.transcripts import ToolCall
from tests.store.shapes import PROJECT, SESSION, TODAY, lines


@pytest.fixture
def claude(tmp_path):
    path = tmp_path / "claude" / "projects" / "p" / f"{SESSION}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(
        lines(
            TODAY.ran("t1", "npm install", 10, 1.5),
            TODAY.ran("t2", "npm install", 20, 1.2),
            TODAY.ran("t3", "cargo build --release", 30, 300),
            TODAY.ran("t4", "./own.sh", 400, 500),
            TODAY.ran("t5", "ls", 1000, 0.1),
            TODAY.launched("t6", "npm ci", 1100, "b1"),
            TODAY.ended("t6", "b1", 1200),
        )
    )
    return path.parent.parent.parent


def configuration(tmp_path, text=""):
    file = tmp_path / "config.toml"
    file.write_text(text)
    state = str(tmp_path / "state")
    return replay.ReplayConfig(str(file), state, state, str(tmp_path), {"CLAUDE_CODE_ENTRYPOINT": "cli"})


def run(claude, *configurations, since=0.0):
    paths = [str(path) for path in claude.rglob("*.jsonl")]
    return replay.replay(replay.read_past_calls(paths, since), *configurations)


def test_counts_say_what_would_have_happened(claude, tmp_path):
    found = run(claude, configuration(tmp_path))
    assert found.calls == 6
    assert found.counts["background"] == {"force": 3, "suggest": 0}


def test_the_caller_s_own_choice_is_replayed_too(claude, tmp_path):
    """t6 was put into the background by Claude itself: nothing would have been changed."""
    assert run(claude, configuration(tmp_path)).counts["background"]["force"] == 3


def test_likely_mistakes_come_first_each_kind_once(claude, tmp_path):
    found = [(one.verdict, one.command, one.n) for one in run(claude, configuration(tmp_path)).top_suspicions()]
    assert found == [("force", "npm install", 2), ("none", "./own.sh", 1)]


def test_learned_durations_change_the_replayed_decision(claude, tmp_path):
    long = (9, 500.0, 600.0, None, *([0.95] * len(durations_read.THRESHOLDS)))
    quick = (9, 1.0, 2.0, None, *([0.01] * len(durations_read.THRESHOLDS)))
    durations_write.write_durations(str(tmp_path / "state"), PROJECT, {"./own.sh": long, "npm install": quick})
    found = run(claude, configuration(tmp_path))
    assert found.counts["background"]["force"] == 2
    assert found.top_suspicions() == []


def test_two_configurations_are_compared_call_by_call(claude, tmp_path):
    (tmp_path / "new").mkdir()
    proposed = configuration(tmp_path / "new", '[auto_background]\nmode = "off"\n')
    found = run(claude, configuration(tmp_path), proposed).as_json()
    assert found["counts"]["background"]["force"] == 3
    assert found["proposed"]["background"]["force"] == 0
    assert [(c["command"], c["before"], c["after"], c["n"]) for c in found["changes"]] == [
        ("npm install", "force", "none", 2),
        ("cargo build --release", "force", "none", 1),
    ]


def test_the_difference_of_policies_by_name_is_shown(claude, tmp_path):
    (tmp_path / "new").mkdir()
    proposed = configuration(tmp_path / "new", '[auto_background]\nby_name = "endless"\n')
    found = run(claude, configuration(tmp_path), proposed).as_json()
    assert (found["counts"]["background"]["force"], found["proposed"]["background"]["force"]) == (3, 0)
    assert {(c["command"], c["before"], c["after"]) for c in found["changes"]} == {
        ("npm install", "force", "suggest"),
        ("cargo build --release", "force", "suggest"),
    }


def test_since_leaves_older_calls_out(claude, tmp_path):
    assert run(claude, configuration(tmp_path), since=2e9).calls == 0


def test_nothing_is_written_to_the_state(claude, past, hookwright, tmp_path):
    past.ran("ls", 1.0)
    before = {path: path.read_bytes() for path in Path(past.state).rglob("*") if path.is_file()}
    hookwright("replay", "--from", str(claude))
    assert {path: path.read_bytes() for path in Path(past.state).rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("call", "words", "doubt"),
    [
        ({"outcome": "ok"}, {"deny"}, "deny"),
        ({"outcome": "ok"}, {"ask"}, "ask"),
        ({"outcome": "failed"}, {"deny"}, None),
        ({"outcome": "ok", "refused": True}, {"deny"}, None),
        ({"outcome": "ok", "seconds": 1.0}, {"force"}, "force"),
        ({"outcome": "ok", "seconds": 30.0}, {"force"}, None),
        ({"outcome": "ok", "seconds": 1.0, "asked": True}, {"force"}, None),
        ({"outcome": "ok", "seconds": 300.0}, set(), "none"),
        ({"outcome": "ok", "seconds": 300.0, "agent": "a1"}, set(), None),
        ({"outcome": "background", "seconds": 300.0, "task": "b1"}, set(), None),
    ],
    ids=str,
)
def test_a_past_outcome_that_contradicts_the_decision_is_a_suspicion(call, words, doubt):
    past = ToolCall("t", "Bash", {"command": "x"}, 1.0, **call)
    assert [word for _, word, _ in replay._find_doubts(past, words)] == ([doubt] if doubt else [])


def test_a_subagent_s_call_is_replayed_as_one(claude, tmp_path):
    call = ToolCall("t", "Bash", {"command": "npm install"}, 1.0, agent="a1", project=PROJECT)
    assert configuration(tmp_path).decide_call(call) == []


def test_the_command_shows_counts_differences_and_doubts(claude, past, hookwright, tmp_path):
    proposed = tmp_path / "new.toml"
    proposed.write_text('[auto_background]\naction = "suggest"\n')
    code, out, _ = hookwright("replay", "--from", str(claude), "--config", str(proposed))
    assert code == 0
    assert "3 moved to the background" in out
    assert "force → suggest  2 times  npm install" in out
    assert "Check these first" in out


def test_the_command_for_machines_prints_its_form(claude, past, hookwright):
    found = json.loads(hookwright("replay", "--from", str(claude), "--json")[1])
    assert list(found) == ["calls", "counts", "suspicious"]
    assert set(found["counts"]) == {"background", "guard", "questions"}
    assert found["suspicious"][0].keys() >= {"command", "verdict", "because"}


@pytest.mark.parametrize(
    ("text", "what"),
    [("[auto_background]\nmode = 5\n", "mode"), ("[nonsense]\n", "nonsense"), ("=", "TOML"), (None, "does not exist")],
)
def test_a_proposed_file_with_a_mistake_is_named_and_nothing_is_compared(
    claude, past, hookwright, tmp_path, text, what
):
    file = tmp_path / "new.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(UserError, match=what):
        hookwright("replay", "--from", str(claude), "--config", str(file))
