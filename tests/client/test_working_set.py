"""The working hooks in the real client: stop guard, context, format, notify."""

import json
import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from hookwright.recipes import RECIPES
from tests.client import examples
from tests.client.kit.lab import Lab
from tests.client.kit.scripted_api import bash, call
from tests.git.hostile_repository import HostileRepository
from tests.hook_kit import prepare_hook
from tests.hooks.kit import git

EVENTS = (
    *("PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop", "TaskCompleted", "SessionStart", "UserPromptSubmit"),
    *("SubagentStart", "Notification", "SessionEnd"),
)


@pytest.fixture
def ours(lab, monkeypatch, built_bundle):
    """The lab with our hook process on all events of the working set, in a repository with one old commit."""
    monkeypatch.setenv("HOME", str(lab.home))
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    argv = prepare_hook(built_bundle)
    for event in EVENTS:
        lab.handler(event, {"type": "command", "command": argv[0], "args": argv[1:], "timeout": 60})
    lab.allow("Bash", "Write", "Edit", "Read", "Agent", "TaskCreate", "TaskUpdate")
    git(lab.project, "init", "-q", "-b", "fix/77-slow-start")
    lab.write("app.py", "speed = 1\n")
    git(lab.project, "add", "-A")
    git(lab.project, "commit", "-q", "-m", "first")
    return lab


def configure(lab, text):
    path = Path(lab.home) / ".config/hookwright/config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[context]\nmode = 'off'\n" + text if "[context]" not in text else text)


def write(lab, name, text):
    return call("Write", file_path=os.path.join(lab.project, name), content=text)


def edit(lab, name, old, new):
    return call("Edit", file_path=os.path.join(lab.project, name), old_string=old, new_string=new)


def feedback(run):
    """What stop hooks told the model, without the client's own doubling of it."""
    marks = ("Stop hook feedback:\n", "Stop hook additional context: ")
    return [
        b.get("text") for role, b in run.blocks if role == "user" and any(m in (b.get("text") or "") for m in marks)
    ]


# --- stop guard


def test_claude_is_kept_going_once_for_a_commit_and_then_is_done(ours):
    configure(ours, "[stop_guard]\nuncommitted = 'block'\n")
    commit = bash("git -c user.name=a -c user.email=a@b commit -qam 'Slow start (#77)'")
    run = ours.run([write(ours, "new.py", "x = 1\n"), "finished?", bash("git add new.py"), commit, "all done"])
    assert run.result == "all done"
    (said,) = feedback(run)
    assert "new.py" in said
    assert '"Slow start (#77)"' in said
    assert git(ours.project, "log", "-1", "--format=%s") == "Slow start (#77)"


def test_a_stop_that_changes_nothing_is_let_go(ours):
    configure(ours, "[stop_guard]\nuncommitted = 'block'\n")
    run = ours.run([write(ours, "new.py", "x = 1\n"), "finished?", "It stays open, since you asked for a draft."])
    assert run.result == "It stays open, since you asked for a draft."
    assert len(feedback(run)) == 1


def test_the_ledger_ends_a_loop_that_the_client_would_not_end(ours):
    configure(
        ours,
        "[stop_guard]\nuncommitted = 'off'\n"
        "[[stop_guard.checks]]\nname = 'tests'\ncommand = 'exit 1'\nfiles = ['*.py']\n",
    )
    tries = [step for n in range(6) for step in (write(ours, "app.py", f"speed = {n + 2}\n"), f"try {n}")]
    run = ours.run([*tries, "never said"])
    assert run.result == "try 3"
    assert [text.count("time 2 of 3") + 2 * text.count("last time") for text in feedback(run)] == [0, 1, 2]
    assert any("no longer keeps Claude going" in text for text in run.system_messages())


def test_a_check_fails_and_then_passes(ours):
    command = 'grep -q "speed = 9" app.py || { echo too slow; exit 1; }'
    check = f"[[stop_guard.checks]]\nname = 'speed'\ncommand = '{command}'\n"
    configure(ours, check)
    run = ours.run(
        [edit(ours, "app.py", "= 1", "= 2"), "fast enough?", edit(ours, "app.py", "= 2", "= 9"), "now it is"]
    )
    assert run.result == "now it is"
    (said,) = feedback(run)
    assert "The check speed failed with exit code 1" in said
    assert said.rstrip().endswith("too slow")
    assert run.system_messages() == []


def test_a_task_is_not_completed_while_its_check_fails(ours):
    configure(ours, "[[stop_guard.checks]]\nname = 'speed'\ncommand = 'grep -q \"speed = 9\" app.py'\n")
    done = call("TaskUpdate", taskId="1", status="completed")
    steps = [
        *(call("TaskCreate", subject="Make it fast", description="Very."), bash("sed -i s/1/2/ app.py"), done),
        *(bash("sed -i s/2/9/ app.py"), done, "all done"),
    ]
    run = ours.run(steps, args=["--model", "claude-sonnet-4-5"])  # the newest models have no tasks
    assert run.result == "all done"
    first, second = (result for result in run.tool_results if result.id in _ids_of(run, "TaskUpdate"))
    assert "The check speed failed" in first.text
    assert "The check" not in second.text


def _ids_of(run, tool):
    return [b["id"] for _, b in run.blocks if b.get("type") == "tool_use" and b["name"] == tool]


def test_silence_while_a_background_command_runs(ours):
    configure(ours, "[stop_guard]\nuncommitted = 'block'\n")
    slow = bash("sleep 2; echo over", run_in_background=True)
    run = ours.run([write(ours, "new.py", "x = 1\n"), slow, "waiting", "it is over", "kept open on purpose"])
    assert run.result == "kept open on purpose"
    # The first stop came while the command ran; only the one after its end was answered.
    assert len(feedback(run)) == 1
    assert [e for e in run.requests if "waiting" in json.dumps(e) and "Stop hook feedback" in json.dumps(e)]


@pytest.mark.parametrize("setting", ["voice = 'context'", "AGENT_OS_STOP_NO_JSON"])
def test_other_voices_keep_claude_going_too(ours, setting):
    configure(ours, f"[stop_guard]\nuncommitted = 'block'\n{setting if '=' in setting else ''}\n")
    env = {} if "=" in setting else {setting: "true"}
    run = ours.run([write(ours, "new.py", "x = 1\n"), "finished?", "kept open"], env=env)
    assert run.result == "kept open"
    (said,) = feedback(run)
    assert "new.py" in said
    assert ("hook additional context" in said) == ("=" in setting)


def test_without_configuration_the_guard_says_nothing(ours):
    configure(ours, "")
    run = ours.run([write(ours, "new.py", "x = 1\n"), "all done"])
    assert (run.result, feedback(run), run.system_messages()) == ("all done", [], [])


# --- context


def told(run):
    """What the context hook told the model, each text once for each time it was sent."""
    return [text for text in run.context_texts() if "[hookwright context]" in text]


def test_context_arrives_once_and_again_after_a_change(ours):
    configure(ours, "[context]\nttl = 0\n")
    with ours.stream(["one", "two", "three", "four"]) as session:
        for step in range(4):
            if step == 2:
                git(ours.project, "switch", "-q", "-c", "elsewhere")
            session.say(f"prompt {step}")
            session.wait_for_result()
    first, second = told(session.run)
    assert "branch fix/77-slow-start" in first
    assert "now on branch elsewhere" in second
    # The change came with the third prompt, and nothing with the others.
    assert ["now on branch" in json.dumps(request) for request in session.run.requests] == [False, False, True, True]


def test_after_compaction_the_block_is_sent_again(ours):
    configure(ours, "[context]\nttl = 0\n")
    with ours.stream(["one", "<summary>So far nothing.</summary>", "three"]) as session:
        for text in ("first", "/compact", "second"):
            session.say(text)
            session.wait_for_result()
    requests = [json.dumps(request).count("branch fix/77-slow-start") for request in session.run.requests]
    assert requests[0] == 1
    assert requests[-1] == 1
    assert "So far nothing" in json.dumps(session.run.requests[-1])


def test_the_clients_own_prompts_bring_no_context(ours):
    configure(ours, "[context]\nttl = 0\n")
    slow = bash("sleep 1; git switch -q -c behind", run_in_background=True)
    run = ours.run([slow, "waiting", "it is over"])
    assert run.task_notifications
    assert len(told(run)) == 1


def test_variables_reach_later_commands_and_subagents_know_the_branch(ours):
    configure(ours, '[context]\nexport = ["GREETING=it\'s ${CLAUDE_PROJECT_DIR}"]\n')
    agent = call("Agent", description="d", prompt="SUBTASK", subagent_type="general-purpose", run_in_background=False)
    lanes = [
        {"name": "sub", "first": "SUBTASK", "turns": ["sub done"]},
        {"name": "main", "turns": [bash('echo "$GREETING"'), agent, "done"]},
    ]
    run = ours.run(lanes)
    assert run.tool_results[0].text == f"it's {ours.project}"
    assert "branch fix/77-slow-start" in json.dumps(run.lane("sub")[0])


def test_no_program_that_the_repository_names_runs(ours, lab, claude_binary, tmp_path):
    """The client itself runs some of them (a filter, by `git status`); through us none is added."""
    bare = Lab(tmp_path / "bare", binary=claude_binary)
    ran = {}
    for name, place in (("without", bare), ("with", ours)):
        hostile = HostileRepository(tmp_path / name)
        shutil.rmtree(os.path.join(place.project, ".git"), ignore_errors=True)
        shutil.copytree(hostile.top, place.project, symlinks=True, dirs_exist_ok=True)
        configure(place, "[context]\nttl = 0\n[stop_guard]\nuncommitted = 'block'\n")
        run = place.run([bash("true"), "done", "done", "done"])
        ran[name] = set(hostile.ran())
    assert "branch main" in told(run)[0]  # git was asked
    assert "core.fsmonitor" not in ran["with"]
    assert ran["with"] <= ran["without"]


# --- format


def test_a_file_is_formatted_and_edits_after_it_succeed(ours):
    configure(ours, f"[format]\nmode = 'on'\ntrusted = ['{ours.project}']\n")
    ours.write("pyproject.toml", "[tool.ruff]\n")
    os.makedirs(os.path.join(ours.project, ".venv/bin"))
    os.symlink(os.path.join(os.path.dirname(sys.executable), "ruff"), os.path.join(ours.project, ".venv/bin/ruff"))
    run = ours.run(
        [
            write(ours, "new.py", "x=1\ny = 2\n"),
            edit(ours, "new.py", "x = 1", "x=3"),  # the text as the formatter left it
            edit(ours, "new.py", "x = 3\ny = 2", "x = 4\ny = 5"),
            edit(ours, "app.py", "speed = 1", "speed   =   2"),
            "done",
        ]
    )
    assert [result.failed for result in run.tool_results] == [False] * 4
    assert ours.read("new.py") == "x = 4\ny = 5\n"
    assert ours.read("app.py") == "speed = 2\n"
    said = [line for text in run.context_texts() for line in text.splitlines() if "[hookwright format]" in line]
    assert said == [
        "[hookwright format] ruff reformatted new.py; line 1 now reads: x = 1",
        "[hookwright format] ruff reformatted new.py; line 1 now reads: x = 3",
        "[hookwright format] ruff reformatted app.py; line 1 now reads: speed = 2",
    ]


def test_the_formatter_is_off_until_it_is_switched_on(ours):
    configure(ours, "")
    ours.write("pyproject.toml", "[tool.ruff]\n")
    os.makedirs(os.path.join(ours.project, ".venv/bin"))
    os.symlink(os.path.join(os.path.dirname(sys.executable), "ruff"), os.path.join(ours.project, ".venv/bin/ruff"))
    ours.run([write(ours, "new.py", "x=1\n"), "done"])
    assert ours.read("new.py") == "x=1\n"


# --- notify


def arrived(session, count):
    """What the local receiver got, once so much has come; the sender is a process of its own."""
    deadline = time.monotonic() + 60
    while len(session.run.http) < count and time.monotonic() < deadline:
        time.sleep(0.05)
    return [entry["body"] for entry in session.run.http]


def test_a_notification_reaches_a_local_receiver(ours):
    configure(ours, "[notify]\nheadless = true\ndone_after = 0\nrepeat_after = 0\n")
    ours.routes["/phone"] = {"status": 200, "json": {}}
    ours.env["HOOKWRIGHT_NOTIFY_URLS"] = ours.url + "/phone"
    with ours.stream(["one", "two"]) as session:
        session.say("first")
        session.wait_for_result()
        (first,) = arrived(session, 1)
        session.say("second")
        session.wait_for_result()
        assert len(arrived(session, 2)) == 2
    assert first["text"] == "project: Claude is done"
    assert first["kind"] == "done"


def test_no_notification_while_claude_is_kept_going_or_a_task_runs(ours):
    check = "[[stop_guard.checks]]\nname = 'speed'\ncommand = 'grep -q \"speed = 9\" app.py'\n"
    configure(ours, f"[notify]\nheadless = true\ndone_after = 0\n{check}")
    ours.routes["/phone"] = {"status": 200, "json": {}}
    ours.env["HOOKWRIGHT_NOTIFY_URLS"] = ours.url + "/phone"
    slow = bash("sleep 2", run_in_background=True)
    steps = [edit(ours, "app.py", "= 1", "= 2"), "enough?", edit(ours, "app.py", "= 2", "= 9"), slow, "waiting", "over"]
    with ours.stream(steps) as session:
        session.say("go")
        session.wait_for_result()
        assert [said["kind"] for said in arrived(session, 1)] == ["done"]
        while "over" not in json.dumps(session.run.requests) and len(session.run.requests) < 6:
            time.sleep(0.1)
    assert len(feedback(session.run)) == 1
    assert len(session.run.http) == 1


def test_a_receiver_that_is_gone_delays_nothing_and_is_told_with_the_next_end(ours):
    configure(ours, "[notify]\nheadless = true\ndone_after = 0\nrepeat_after = 0\n")
    ours.env["HOOKWRIGHT_NOTIFY_URLS"] = "nosuchservice://token@x"
    failed = Path(ours.home) / ".local/state/hookwright/notify/failed"
    with ours.stream(["one", "two"]) as session:
        session.say("first")
        session.wait_for_result()
        deadline = time.monotonic() + 60
        while not failed.exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        session.say("second")
        session.wait_for_result()
    (told_once,) = [text for text in session.run.system_messages() if "could not be sent" in text]
    assert "nosuchservice" in told_once
    assert "token" not in told_once


def test_the_terminal_shows_that_claude_is_done(ours, tmux):
    configure(ours, "[notify]\nchannels = ['terminal']\ndone_after = 0\n")
    raw = Path(ours.path("raw"))
    with ours.terminal(["all is finished"], env={"TERM_PROGRAM": "WezTerm"}) as screen:
        screen._tmux("pipe-pane", f"cat >> {raw}")  # every byte that goes to the terminal
        screen.say("go")
        screen.wait("all is finished")
        screen.until(lambda: raw.exists() and b"]9;project: Claude is done" in raw.read_bytes(), "the sequence")
        screen.leave()


# --- judges of the client's own


def test_the_completion_judge_sends_claude_back_once(lab):
    recipe = RECIPES["verify-completion"]
    lab.handler(recipe["event"], recipe["handler"])
    verdicts = [json.dumps({"ok": False, "reason": "B is missing"}), json.dumps({"ok": True, "reason": "both done"})]
    run = lab.run(["A is done", "B is done too"], prompt="do A and B", side=verdicts)
    assert run.result == "B is done too"
    (said,) = feedback(run)
    assert said.endswith("B is missing")
    asked = json.dumps(run.side_requests[1]["messages"][-1])
    assert "has the following stopping condition been satisfied" in asked
    assert r"\"stop_hook_active\":true" in asked


def test_the_test_judge_runs_the_tests_and_sends_failures_back(lab):
    recipe = RECIPES["run-tests"]
    lab.handler(recipe["event"], recipe["handler"])
    lab.allow("Bash", "Write")
    lab.write("Makefile", "test:\n\t@grep -q right answer || { echo wrong answer; exit 1; }\n")
    judge = [
        *(bash("make test"), call("StructuredOutput", ok=False, reason="make test: wrong answer")),
        *(bash("make test"), call("StructuredOutput", ok=True, reason="it passes")),
    ]
    lanes = [
        {"name": "judge", "first": "Judge whether the work may end", "turns": judge},
        {"name": "main", "turns": [write(lab, "answer", "wrong"), "done?", write(lab, "answer", "right"), "done"]},
    ]
    run = lab.run(lanes)
    assert run.result == "done"
    (said,) = feedback(run)
    assert "make test: wrong answer" in said


# --- the pages


@pytest.mark.parametrize("name", examples.EXAMPLES)
def test_the_recorded_example_of_a_page_is_what_happens(claude_binary, built_bundle, name, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))  # and back again: an example sets its own
    monkeypatch.setattr(examples.Example, "bundle", built_bundle)
    monkeypatch.setattr(examples.Example, "binary", claude_binary)
    page = (examples.PAGES / f"{name}.md").read_text()
    assert examples.recorded(page, name, examples.EXAMPLES[name](str(tmp_path))) == page
