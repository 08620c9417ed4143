"""The kit itself: what it lets happen, what it records, and that it leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
import uuid

import pytest

from tests.client.kit import install, netns
from tests.client.kit.lab import REPOSITORY, Lab
from tests.client.kit.scripted_api import bash, call, text
from tests.client.kit.stream import answers, refuse

COLOUR = {
    "question": "Which colour?",
    "header": "Colour",
    "multiSelect": False,
    "options": [{"label": "Blue", "description": "calm"}, {"label": "Red", "description": "loud"}],
}


def deny(reason):
    return {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        }
    }


def running(token):
    """Command lines of this machine's processes that hold the token."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as handle:
                words = handle.read()
        except OSError:
            continue
        if token.encode() in words:
            found.append(words)
    return found


def gone(token, seconds=60):
    deadline = time.monotonic() + seconds
    while running(token) and time.monotonic() < deadline:
        time.sleep(0.1)
    return not running(token)


def test_the_client_is_the_pinned_one(claude_binary):
    assert install.version_of(claude_binary) == install.VERSION


def test_a_tool_call_runs_and_its_result_reaches_the_model(lab):
    lab.allow("Bash")
    run = lab.run([[text("I greet."), bash("echo hello > made; cat made")], "all done"])
    assert (run.code, run.result) == (0, "all done")
    assert [(r.text, r.failed) for r in run.tool_results] == [("hello", False)]
    assert lab.read("made") == "hello\n"
    assert len(run.requests) == 2
    assert run.http == []


def test_a_hook_that_denies_stops_the_tool_and_tells_why(lab):
    lab.allow("Bash")
    lab.hook("PreToolUse", "guard", matcher="Bash", reply=deny("not here"))
    run = lab.run([bash("echo hello > made"), "all done"])
    assert lab.read("made") is None
    assert run.tool_results[0].failed
    assert "not here" in run.tool_results[0].text
    (seen,) = run.calls("guard")
    assert seen.payload["tool_input"]["command"] == "echo hello > made"
    assert seen.finished


def test_context_and_messages_of_each_call_are_told_apart(lab):
    lab.allow("Bash")
    said = {"hookEventName": "PreToolUse", "additionalContext": "mind the gap"}
    lab.hook("PreToolUse", reply={"systemMessage": "seen", "hookSpecificOutput": said})
    run = lab.run([bash("true"), bash("true"), "done"])
    assert run.contexts() == [("PreToolUse:Bash", "mind the gap")] * 2
    assert run.system_messages() == ["PreToolUse:Bash says: seen"] * 2


def test_background_output_is_found(lab):
    lab.allow("Bash")
    run = lab.run([bash("echo from behind", run_in_background=True), "waiting", "done"])
    (task,) = run.background_tasks
    assert "from behind" in run.background_outputs[task]
    assert task in run.task_notifications[0]


def test_a_subagent_has_a_lane_of_its_own(lab):
    lab.allow("Bash", "Agent")
    lab.hook("PreToolUse", matcher="Bash")
    errand = call(
        "Agent", description="errand", prompt="ERRAND", subagent_type="general-purpose", run_in_background=False
    )
    run = lab.run(
        [
            {"name": "sub", "first": "ERRAND", "turns": [bash("echo from below"), "sub done"]},
            {"name": "main", "turns": [errand, "all done"]},
        ]
    )
    assert len(run.lane("sub")) == 2
    assert run.payloads("PreToolUse")[0]["agent_type"] == "general-purpose"
    assert run.result == "all done"


def test_http_hooks_reach_the_routes_of_the_lab(lab):
    lab.allow("Bash")
    lab.routes["/guard"] = [{"json": deny("said over http")}, {"json": {}}]
    lab.handler("PreToolUse", {"type": "http", "url": lab.url + "/guard"})
    run = lab.run([bash("echo one"), bash("echo two"), "done"])
    first, second = run.tool_results
    assert "said over http" in first.text
    assert second.text == "two"
    assert [entry["body"]["tool_input"]["command"] for entry in run.http] == ["echo one", "echo two"]


def test_an_mcp_tool_can_be_called(lab):
    lab.allow("mcp__stub__echo")
    lab.mcp("stub", "echo")
    run = lab.run([call("mcp__stub__echo", text="hi"), "done"])
    assert run.tool_results[0].text == 'MCP got {"text": "hi"}'


@pytest.mark.parametrize("scope", ["user", "project", "local", "flag", "managed"])
def test_settings_of_every_scope_are_read(lab, scope):
    lab.hook("UserPromptSubmit", scope=scope)
    assert len(lab.run(["done"]).payloads("UserPromptSubmit")) == 1


def test_two_runs_in_one_lab_keep_their_records_apart(lab):
    lab.hook("UserPromptSubmit")
    first, second = lab.run(["one"], prompt="first"), lab.run(["two"], prompt="second")
    assert [p["prompt"] for p in second.payloads("UserPromptSubmit")] == ["second"]
    assert len(second.requests) == 1
    assert (first.result, second.result) == ("one", "two")


def test_a_human_answers_a_question_over_stream_json(lab):
    lab.hook("PreToolUse", matcher="AskUserQuestion")
    script = [call("AskUserQuestion", questions=[COLOUR]), "noted"]
    with lab.stream(script, human=answers({"Which colour?": "Blue"})) as session:
        session.say("go")
        assert session.wait_for_result()["result"] == "noted"
    assert [request["tool_name"] for request in session.asked] == ["AskUserQuestion"]
    assert '"Which colour?"="Blue"' in session.run.tool_results[0].text
    assert len(session.run.payloads("PreToolUse")) == 1
    assert session.run.code == 0


def test_a_human_refuses_over_stream_json(lab):
    with lab.stream([bash("touch made"), "well"], human=lambda request: refuse("rather not")) as session:
        session.say("go")
        session.wait_for_result()
    assert lab.read("made") is None
    assert "rather not" in session.run.tool_results[0].text


def test_a_person_allows_a_command_on_the_screen(lab, tmux):
    lab.hook("PermissionRequest")
    with lab.terminal([bash("echo seen > made"), "all done"], args=["--permission-mode", "default"]) as screen:
        screen.say("please go")
        screen.wait("Do you want to proceed?")
        assert lab.read("made") is None
        screen.answer("Do you want to proceed?", "Enter")
        screen.wait("all done")
        screen.leave()
    assert lab.read("made") == "seen\n"
    assert len(screen.run.payloads("PermissionRequest")) == 1


def test_the_client_sees_loopback_and_nothing_else(lab):
    lab.allow("Bash")
    run = lab.run([bash("cut -d: -f1 /proc/net/dev | tail -n +3; env | grep -c HOOKWRIGHT_"), "done"])
    assert run.tool_results[0].text.split() == ["lo", "0"]


def test_outside_of_the_fence_the_worker_refuses(tmp_path):
    job = tmp_path / "job.json"
    job.write_text("{}")
    refused = subprocess.run(
        [sys.executable, "-m", "tests.client.kit.worker", str(job)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1
    assert netns.NotFencedError.__name__ in refused.stderr


def test_what_a_session_starts_ends_with_it(lab):
    token = uuid.uuid4().hex
    lab.allow("Bash")
    run = lab.run([bash(f"setsid sh -c 'sleep 600; : {token}' >/dev/null 2>&1 & echo started"), "done"])
    assert run.tool_results[0].text == "started"
    assert gone(token)


def test_a_session_that_never_ends_is_cut_and_leaves_nothing(lab):
    lab.hook("Stop", sleep=600)
    with pytest.raises(TimeoutError):
        lab.run(["done"], timeout=8)
    assert gone(lab.root)


def test_the_terminal_leaves_nothing_even_when_a_test_fails(lab, tmux):
    with pytest.raises(ZeroDivisionError), lab.terminal(["done"]) as screen:
        len(running(lab.root)) / 0
    assert gone(lab.root)
    assert not os.path.exists(screen._folder)


def test_a_killed_test_process_takes_its_session_with_it(claude_binary, tmp_path):
    program = (
        "import sys; from tests.client.kit.lab import Lab\n"
        "lab = Lab(sys.argv[1]); lab.hook('Stop', sleep=600); lab.run(['done'], timeout=600)"
    )
    root = str(tmp_path / "lab")
    tests = subprocess.Popen([sys.executable, "-c", program, root], cwd=REPOSITORY)
    deadline = time.monotonic() + 60
    while not os.path.exists(os.path.join(root, "hooklog", "Stop.000.json")) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert running(root)
    os.kill(tests.pid, signal.SIGKILL)
    tests.wait()
    assert gone(root)


def test_a_lab_refuses_without_a_fence(lab, monkeypatch):
    monkeypatch.setattr(netns, "why_not", lambda: "no fence here")
    with pytest.raises(netns.NotFencedError, match="no fence here"):
        Lab(lab.root + "-2", binary=lab.binary).run(["done"])
