"""The observer fills the record and says nothing, whatever the client sends."""

import json
import posix
import time
from pathlib import Path

import pytest

from hookwright.hooks.base import World
from hookwright.hooks.observer.hook import Observer
from hookwright.protocol.events import event_of
from hookwright.store import durations_write, learn_worker
from hookwright.store.paths import project_dir
from hookwright.testing.builders import bash, payload

RECORDED = {  # recorded payload → what its record gains
    "PreToolUse.Bash": {"command": "echo hello-from-bash"},
    "PostToolUse.Bash": {"command": "echo hello-from-bash", "duration_ms": 142, "outcome": "ok", "exit_code": 0},
    "PostToolUse.Bash.background": {
        "command": "echo FULL",
        "behind": True,
        "duration_ms": 8,
        "outcome": "background",
        "task_id": "<TASK_ID>",
        "transcript": "<HOME>/.claude/projects/<PROJECT_SLUG>/<SESSION_ID>.jsonl",
    },
    "PostToolUse.Read": {"file": "<PROJECT>/a.txt", "duration_ms": 6, "outcome": "ok"},
    "PostToolUseFailure.Bash": {
        "command": "ls /nonexistent",
        "duration_ms": 18,
        "outcome": "failed",
        "exit_code": 2,
    },
    "PostToolUseFailure.Bash.timeout": {"command": "sleep 3", "duration_ms": 511, "outcome": "timed_out"},
    "Stop.background_task": {"tasks": [{"id": "<TASK_ID>", "status": "running"}]},
    "Stop.first": {},
    "UserPromptSubmit": {},
    "UserPromptSubmit.task_notification": {
        "task_id": "<TASK_ID>",
        "task_status": "completed",
        "tool_use_id": "toolu_000002",
        "exit_code": 0,
        "outcome": "ok",
    },
}


def facts_of(event, **options):
    world = World(now=1_763_208_000.0, project=options.pop("project", ""))
    assert Observer(world, **options).decide(event) is None
    return world.facts


def test_recorded_payloads_give_their_facts(recorded, request):
    name = request.node.callspec.id
    if name not in RECORDED:
        return
    assert facts_of(event_of(recorded)) == RECORDED[name]


def test_every_expected_payload_is_really_recorded():
    from tests.conftest import PAYLOADS  # noqa: PLC0415

    assert RECORDED.keys() <= {path.stem for path in PAYLOADS}


@pytest.mark.parametrize("tool_input", [{}, {"command": None}, {"command": {"a": 1}}, [], None, "text"])
def test_a_strange_input_is_no_command(tool_input):
    event = event_of({**payload("PreToolUse"), "tool_name": "Bash", "tool_input": tool_input})
    assert facts_of(event) == {}


def test_prompts_of_people_are_not_recorded(hook_process):
    hook_process(payload("UserPromptSubmit", prompt="my secret plan"))
    assert "secret plan" not in json.dumps(hook_process.journal)


def test_the_hook_process_records_what_the_observer_saw_and_answers_nothing(hook_process):
    assert hook_process.answer(bash("mysql -phunter2 shop -e 'select 1'").raw) is None
    (record,) = hook_process.journal
    assert record["command"] == "mysql -p*** shop -e 'select 1'"
    assert record["masked"] == ["command:flag"]
    assert [row["hook"] for row in record["decisions"]][-1] == "observer"


def test_switched_off_it_records_no_command(hook_process):
    hook_process.answer(bash("ls").raw, HOOKWRIGHT_OBSERVER_MODE="off")
    assert "command" not in hook_process.journal[0]


def test_the_project_log_has_the_lines_that_agent_os_hooks_wrote(tmp_path):
    name = ".agent-os/observed-bash.jsonl"
    facts_of(bash("npm test --token=abc123"), project=str(tmp_path), project_log=name)
    done = {**payload("PostToolUse"), "tool_name": "Bash", "tool_input": {"command": "npm test"}, "tool_response": {}}
    facts_of(event_of({**done, "duration_ms": 7}), project=str(tmp_path), project_log=name)
    before, after = map(json.loads, (tmp_path / name).read_text().splitlines())
    assert before == {"ts": "2025-11-15T12:00:00Z", "event": "pre", "cmd": "npm test --token=***", "intent": "test"}
    assert (after["event"], after["exit"], after["outcome"], after["ms"]) == ("post", 0, "ok", 7)


@pytest.mark.parametrize("name", ["/etc/x.jsonl", "../x.jsonl", "a/../../x.jsonl", "a/b/c/x.jsonl"])
def test_the_project_log_stays_inside_the_project_and_fails_in_silence(tmp_path, name):
    project = tmp_path / "project"
    project.mkdir()
    facts_of(bash("ls"), project=str(project), project_log=name)
    assert not list(tmp_path.rglob("*.jsonl"))


def test_a_link_in_the_project_log_s_place_is_not_followed(tmp_path):
    (tmp_path / "target").write_text("")
    (tmp_path / "log").symlink_to(tmp_path / "target")
    facts_of(bash("ls"), project=str(tmp_path), project_log="log")
    assert (tmp_path / "target").read_text() == ""


# -- learning behind the scenes ----------------------------------------------------------------------------------------


def wait_for(path, seconds=60):
    deadline = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} did not come"
        time.sleep(0.05)


def test_at_a_turn_s_end_what_was_recorded_is_learned_without_anybody_waiting(hook_process):
    state = hook_process.home / ".local/state/hookwright"
    for _ in range(2):
        done = {**payload("PostToolUse"), "tool_name": "Bash", "tool_input": {"command": "./slow.sh"}}
        hook_process({**done, "tool_response": {}, "duration_ms": 200_000, "tool_use_id": "t", "cwd": "/home/ann/shop"})
    hook_process(payload("Stop", stop_hook_active=False))
    wait_for(Path(project_dir(str(state), "/home/ann/shop")) / "durations")
    assert "./slow.sh" in durations_write.read_durations(str(state), "/home/ann/shop")


@pytest.mark.parametrize(
    ("env", "stops"),
    [({"HOOKWRIGHT_OBSERVER_REFRESH": "off"}, 1), ({"HOOKWRIGHT_OBSERVER_MODE": "shadow"}, 1), ({}, 0)],
    ids=["switched off", "shadow", "no turn has ended"],
)
def test_with_refresh_off_in_shadow_or_before_a_turn_ends_no_refresh_is_started(hook_process, env, stops):
    hook_process.answer(bash("ls").raw, **env)
    for _ in range(stops):
        hook_process.answer(payload("Stop", stop_hook_active=False), **env)
    assert not (hook_process.home / ".local/state/hookwright/refresh").exists()


def test_it_is_started_once_in_ten_minutes(tmp_path, monkeypatch):
    started = []
    monkeypatch.setattr(posix, "posix_spawn", lambda *args, **kwargs: started.append(args))
    for later in (0, 1, 599, 601):
        world = World(now=1_763_208_000.0 + later, state=str(tmp_path))
        Observer(world).decide(event_of(payload("Stop", stop_hook_active=False)))
    assert len(started) == 2


def test_a_refresh_that_fails_is_silence(tmp_path):
    (tmp_path / "state").write_text("in the way")
    with pytest.raises(SystemExit):
        learn_worker.main(str(tmp_path / "state"))
