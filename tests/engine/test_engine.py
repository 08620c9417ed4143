"""The engine as others use it. What it decides is measured case for case in tests/conformance."""

import asyncio
import json
import os
import sys
import types

import pytest

from hookwright.engine import Engine, handlers
from hookwright.errors import UserError
from tests.engine.kit import BASH, STOP, command, decides, engine, gone, says, settings, there
from tests.proc.kit import run_with_time


def test_an_outcome_has_the_form_that_others_build_on(tmp_path):
    with engine(tmp_path, decides("deny", "no"), command("true")) as hooks:
        form = json.loads(json.dumps(hooks.fire_now(BASH).as_json()))
    outcome = {"decision", "reason", "updated_input", "context", "system_messages", "continue", "stop_reason"}
    trace = {
        "type",
        "event",
        "scope",
        "file",
        "line",
        "matcher",
        "ran",
        "why_not",
        "exit_code",
        "ms",
        "counted",
        "ignored",
    }
    assert form["event"] == "PreToolUse"
    assert outcome <= form["outcome"].keys()
    assert [trace | {"ignored"} <= one.keys() for one in form["handlers"]] == [True, True]
    assert (form["outcome"]["decision"], form["outcome"]["reason"]) == ("deny", "no")


def test_handlers_run_side_by_side(tmp_path):
    """Each waits until all have begun: one after the other they would never end."""
    begun = tmp_path / "begun"
    begun.mkdir()
    wait = f"while [ $(ls {begun} | wc -l) -lt 10 ]; do sleep 0.02; done"
    waiting = [command(f": > {begun}/{n}; {wait}", timeout=60) for n in range(10)]
    with engine(tmp_path, *waiting) as hooks:
        outcome = hooks.fire_now(BASH)
    assert [trace.exit_code for trace in outcome.handlers] == [0] * 10


def test_who_did_not_run_is_told_why(tmp_path):
    given = {
        "user": {
            "hooks": {
                "PreToolUse": [
                    {"matcher": "Write", "hooks": [command("exit 1")]},
                    {"hooks": [command("true"), command("exit 3", **{"if": "Bash(git *)"})]},
                ]
            }
        },
        "project": {"hooks": {"PreToolUse": [{"hooks": [command("true"), command("/nowhere", args=[])]}]}},
    }
    with engine(tmp_path, given=given) as hooks:
        told = {trace.label: trace.why_not for trace in hooks.fire_now(BASH).handlers if not trace.ran}
        chosen = [choice.handler.label for choice in hooks.choices(BASH) if choice.why_not is None]
    assert told["exit 1"] == 'the matcher "Write" does not match Bash'
    assert told["exit 3"] == 'the call does not match its "if": Bash(git *)'
    assert told["true"].startswith("the same as project settings:")
    assert told["/nowhere"] == "it could not be started: No such file or directory"
    assert chosen == ["true", "/nowhere"]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"user": {**settings(command("true"))["user"], "disableAllHooks": True}}, '"disableAllHooks" is true'),
        ({**settings(command("true")), "managed": {"allowManagedHooksOnly": True}}, '"allowManagedHooksOnly" is true'),
    ],
)
def test_a_switch_that_is_off_is_named(tmp_path, given, why):
    with engine(tmp_path, given=given) as hooks:
        [trace] = hooks.fire_now(BASH).handlers
    assert (trace.ran, why in trace.why_not) == (False, True)


def test_settings_of_a_home_and_a_project_are_read(tmp_path):
    home, project = tmp_path / "home", tmp_path / "project"
    for folder in (home, project):
        (folder / ".claude").mkdir(parents=True)
    (home / ".claude/settings.json").write_text(json.dumps(settings(command("echo $A $HOME"), env={"A": "x"})["user"]))
    (project / ".claude/settings.local.json").write_text('{"hooks": {"PreToolUse": [{"hooks": [{"type": "tell"}]}]}}')
    env = {"PATH": os.environ["PATH"]}
    with Engine.from_settings(project=str(project), home=str(home), env=env, managed="/nowhere") as hooks:
        [trace] = hooks.fire_now(BASH).handlers
        found = [finding.what for finding in hooks.settings.findings]
    assert (trace.said, trace.scope, trace.file) == (f"x {home}", "user", str(home / ".claude/settings.json"))
    assert any("tell" in what for what in found)


def test_what_the_caller_leaves_out_of_a_payload_is_filled_in(tmp_path):
    seen = tmp_path / "seen"
    with engine(tmp_path, command(f"cat > {seen}; pwd")) as hooks:
        [trace] = hooks.fire_now({**BASH, "tool_input": {"command": "echo ü\u2028"}}).handlers
    line = seen.read_bytes()
    payload = json.loads(line)
    assert line.endswith(b"}\n")
    assert "ü\u2028".encode() in line
    assert payload["cwd"] == trace.said == str(tmp_path / "project")
    assert payload["session_id"] == hooks.session_id
    assert payload["transcript_path"].endswith(f"{hooks.session_id}.jsonl")


@pytest.mark.parametrize(
    ("payload", "what"),
    [({"hook_event_name": "BeforeTool"}, 'no event "BeforeTool"'), ({}, "no event null")],
)
def test_an_event_that_does_not_exist_is_refused(tmp_path, payload, what):
    with engine(tmp_path, command("true")) as hooks, pytest.raises(UserError, match=what):
        hooks.fire_now(payload)


def test_a_scope_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(UserError, match="there is no settings scope usr"):
        engine(tmp_path, given={"usr": {}})


# --- nothing is left behind
def start_of(mark):
    return f"sleep 300 & echo $! > {mark}.new; mv {mark}.new {mark}"


def test_a_late_handler_is_ended_with_its_children(tmp_path):
    mark = tmp_path / "pid"

    def fire(seconds):
        with engine(tmp_path, command(f"trap '' TERM; {start_of(mark)}; sleep 300", timeout=seconds)) as hooks:
            [trace] = hooks.fire_now(BASH).handlers
            assert not mark.exists() or gone(int(mark.read_text()))
            return trace

    trace = run_with_time(fire, lambda _: mark.exists())
    assert mark.exists()
    assert (trace.timed_out, trace.exit_code) == (True, None)


def test_whoever_gives_up_takes_the_handlers_along(tmp_path):
    mark = tmp_path / "pid"

    async def given_up():
        async with engine(tmp_path, command(f"{start_of(mark)}; wait")) as hooks:
            firing = asyncio.create_task(hooks.fire(BASH))
            await there(mark)
            firing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await firing
            assert gone(int(mark.read_text()))

    asyncio.run(given_up())


@pytest.mark.parametrize("options", [{"async": True}, {"asyncRewake": True}])
def test_handlers_in_the_background_end_with_the_engine(tmp_path, options):
    mark = tmp_path / "pid"

    async def fired():
        async with engine(tmp_path, command(f"{start_of(mark)}; wait", **options)) as hooks:
            outcome = await hooks.fire(BASH)
            await there(mark)
            return outcome

    outcome = asyncio.run(fired())
    assert (outcome.handlers[0].background, outcome.later) == (True, [])
    assert gone(int(mark.read_text()))


@pytest.mark.parametrize("leaving", ["", "setsid "])
def test_what_a_handler_leaves_running_lives_until_the_engine_is_closed(tmp_path, leaving):
    mark = tmp_path / "pid"
    with engine(tmp_path, command(f"{leaving}sleep 300 > /dev/null 2>&1 & echo $! > {mark}")) as hooks:
        assert hooks.fire_now(BASH).handlers[0].exit_code == 0
        assert os.path.exists(f"/proc/{int(mark.read_text())}")
    assert gone(int(mark.read_text()))


def test_an_engine_that_nobody_closed_cleans_up_after_itself(tmp_path):
    mark = tmp_path / "pid"
    hooks = engine(tmp_path, command(f"sleep 300 > /dev/null 2>&1 & echo $! > {mark}"))
    asyncio.run(hooks.fire(BASH))
    scratch = hooks._session.scratch
    del hooks
    assert gone(int(mark.read_text()))
    assert not os.path.exists(scratch)


# --- one handler's trouble is its own
def test_a_type_whose_library_is_missing_is_not_evaluated(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "httpx", None)
    web = {"type": "http", "url": "http://127.0.0.1:1/x", "onFailure": "block"}
    with engine(tmp_path, web, decides("ask", "sure?")) as hooks:
        outcome = hooks.fire_now(BASH)
    assert outcome.decision == "ask"
    assert outcome.handlers[0].why_not.startswith("not evaluated: the Python package httpx")


def test_a_mistake_of_ours_costs_only_its_handler(tmp_path, monkeypatch):
    async def broken(*_):
        raise ZeroDivisionError("ours")

    monkeypatch.setitem(handlers.MODULES, "http", "broken_handlers")
    monkeypatch.setitem(sys.modules, "broken_handlers", types.SimpleNamespace(run=broken))
    with engine(tmp_path, {"type": "http", "url": "http://127.0.0.1:1/x"}, decides("deny", "no")) as hooks:
        outcome = hooks.fire_now(BASH)
    assert outcome.decision == "deny"
    assert "ZeroDivisionError: ours" in outcome.handlers[0].ignored[0]


# --- sessions
def test_a_tool_call_begins_the_count_of_stops_anew(tmp_path):
    given = settings(says({"decision": "block", "reason": "once more"}), event="Stop")
    with engine(tmp_path, given=given, env={"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "2"}) as hooks:
        active = {**STOP, "stop_hook_active": True}
        first = [hooks.fire_now(event).goes_on for event in (STOP, active, active)]
        hooks.fire_now(BASH)
        again = [hooks.fire_now(active).goes_on for _ in range(3)]
        overruled = hooks.fire_now(active)
    assert (first, again) == ([True, True, False], [True, True, False])
    assert overruled.decision == "none"
    assert "2 times in a row" in overruled.won
    assert "its block: once more" in overruled.handlers[0].ignored[0]


def test_each_session_and_each_agent_has_its_own_count(tmp_path):
    given = settings(says({"decision": "block", "reason": "r"}), event="SubagentStop")
    event = {"hook_event_name": "SubagentStop", "agent_type": "x", "stop_hook_active": True}
    with engine(tmp_path, given=given, env={"CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "1"}) as hooks:
        fired = [hooks.fire_now({**event, "agent_id": agent}).goes_on for agent in ("a", "b", "a")]
    assert fired == [True, True, False]


@pytest.mark.parametrize(("interactive", "decision"), [(True, "allow"), (False, "defer")])
def test_defer_is_for_sessions_without_a_person(tmp_path, interactive, decision):
    with engine(tmp_path, decides("defer"), decides("allow"), interactive=interactive) as hooks:
        assert hooks.fire_now(BASH).decision == decision


def test_what_comes_later_is_told_when_it_comes(tmp_path):
    words = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "behind"}, "decision": "block"}
    with engine(tmp_path, says(words, **{"async": True})) as hooks:
        outcome = hooks.fire_now(BASH)
        hooks.settle_now()
    assert outcome.decision == "none"
    assert outcome.later == ["behind"]
    assert outcome.handlers[0].ignored == ['its "decision": a background handler cannot decide']


SKILL = """---
name: careful
hooks:
  PreToolUse:
    - hooks:
        - {type: command, command: "echo once", once: true}
        - {type: command, command: "echo always"}
---
"""


@pytest.mark.parametrize(
    ("skills", "ran"), [([], [[], []]), (["careful"], [["echo once", "echo always"], ["echo always"]])]
)
def test_a_skills_hooks_wait_until_it_is_used_and_know_once(tmp_path, skills, ran):
    folder = tmp_path / "project/.claude/skills/careful"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL)
    places = {"project": str(tmp_path / "project"), "home": str(tmp_path), "managed": "/nowhere"}
    with Engine.from_settings(**places, env={"PATH": os.environ["PATH"]}, skills=skills) as hooks:
        fired = [[one.label for one in hooks.fire_now(BASH).handlers if one.ran] for _ in range(2)]
    assert fired == ran


def test_an_agents_stop_is_the_end_of_that_subagent(tmp_path):
    folder = tmp_path / "project/.claude/agents"
    folder.mkdir(parents=True)
    (folder / "critic.md").write_text("---\nhooks:\n  Stop:\n    - hooks: [{type: command, command: 'exit 0'}]\n---\n")
    places = {"project": str(tmp_path / "project"), "home": str(tmp_path), "managed": "/nowhere"}
    with Engine.from_settings(**places, env={"PATH": os.environ["PATH"]}) as hooks:
        ended = {"hook_event_name": "SubagentStop", "agent_id": "a"}
        mine, other = (hooks.fire_now({**ended, "agent_type": name}).handlers[0] for name in ("critic", "Explore"))
        main = hooks.fire_now(STOP).handlers
    assert (mine.ran, other.why_not, main) == (True, "it runs only inside the agent critic", [])
