"""Background commands in the real client: moved, told once, polled, overdue, left alone where moving does not pay."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hookwright.store import background_tasks
from tests.client.kit.scripted_api import bash, call
from tests.hook_kit import prepare_hook

HEADLESS = {"HOOKWRIGHT_AUTO_BACKGROUND_HEADLESS": "on"}
EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop", "SessionStart")


@pytest.fixture
def ours(lab, monkeypatch, built_bundle):
    """The lab with our hook process for all events; `npm` and `pytest` are small scripts."""
    monkeypatch.setenv("HOME", str(lab.home))
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    argv = prepare_hook(built_bundle)
    for event in EVENTS:
        lab.handler(event, {"type": "command", "command": argv[0], "args": argv[1:], "timeout": 60})
    lab.allow("Bash", "Read")
    folder = Path(lab.home) / "bin"
    folder.mkdir()
    for name, text in (("npm", 'while [ ! -e "$HOME/go" ]; do sleep 0.1; done; echo built'), ("pytest", "echo passed")):
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    lab.env["PATH"] = f"{folder}:{os.environ['PATH']}"
    lab.state = str(Path(lab.home) / ".local/state/hookwright")

    def hookwright(*words):
        argv = [sys.executable, "-m", "hookwright", *words]
        done = subprocess.run(argv, capture_output=True, text=True, check=False, cwd=lab.project)
        assert done.returncode == 0, done.stderr
        return done.stdout

    lab.hookwright = hookwright
    return lab


def test_a_move_is_told_once_and_polling_is_answered(ours):
    run = ours.run(
        [
            bash("pytest -q"),
            bash("pytest -q tests"),
            bash("npm ci"),
            call("Read", file_path="{output}"),
            bash("head -c 10 {output}"),
            call("Read", file_path="{output}"),
            bash("true; until [ -e never ]; do [ -e $HOME/go ] && break; sleep 1; done"),
            bash("touch $HOME/go"),
            "waiting",
            "done",
            "done",
        ],
        env=HEADLESS,
    )
    assert run.code == 0
    told = run.context_texts()
    assert len([text for text in told if "`pytest -q" in text]) == 1
    (moved,) = [text for text in told if "`npm ci` installs packages" in text]
    assert "run_in_background: false" in moved
    assert [text for text in run.system_messages() if "moved to the background: `npm ci`" in text]
    assert len([text for text in told if "do not read its output again and again" in text]) == 1
    assert [text for text in told if "polling loop" in text]
    assert "built" in run.background_outputs[run.background_tasks[0]]
    (session,) = os.listdir(f"{ours.state}/sessions")
    first, *_ = background_tasks.read_tasks(ours.state, session).values()
    assert (first.command, first.looks, first.ended is not None) == ("npm ci", 3, True)


def test_an_overdue_command_is_told_to_claude_and_the_person(ours):
    script = [{"prompt": "go", "turns": [bash("npm ci"), "waiting"]}, {"prompt": "and now", "turns": ["I see", "done"]}]
    with ours.stream(script, env=HEADLESS) as session:
        session.say("go")
        session.wait_for_result()
        (name,) = os.listdir(f"{ours.state}/sessions")
        path = Path(background_tasks.tasks_path(ours.state, name))
        (task,) = background_tasks.read_tasks(ours.state, name).values()
        path.write_text(path.read_text().replace(str(task.started), str(task.started - 8000)))
        session.say("and now")
        session.wait_for_result()
        (Path(ours.home) / "go").touch()
    told = " ".join(session.run.context_texts())
    assert f"Background command {task.id} (`npm ci`) runs for 2.2 h" in told
    assert any("`npm ci` runs for 2.2 h" in text for text in session.run.system_messages())


LONG = {**HEADLESS, "HOOKWRIGHT_AUTO_BACKGROUND_LONG_SECONDS": "2"}  # so that a run of three seconds is long


def test_a_build_whose_result_is_needed_at_once_stays_in_the_foreground_after_three_moves(ours):
    go = Path(ours.home) / "go"
    lanes = [{"prompt": f"build {n}", "turns": [bash("npm run build"), "waiting", "thanks"]} for n in range(3)]
    with ours.stream(lanes, env=LONG) as session:
        for number in range(3):
            session.say(f"build {number}")
            session.wait_for_result()  # the turn ends while the build runs
            time.sleep(3)
            go.touch()
            session.wait_for_result()
            go.unlink()
    assert len(session.run.background_tasks) == 3
    assert json.loads(ours.hookwright("explain", "--json", "npm run build"))["background"]["verdict"] == "force"
    ours.hookwright("learn", "--json")
    go.touch()
    again = ours.run([bash("npm run build"), "done"], env=LONG)
    assert again.background_tasks == []
    assert "built" in again.tool_results[0].text
    last = json.loads(ours.hookwright("log", "--json", "--event", "PreToolUse").splitlines()[-1])
    why = ours.hookwright("why", last["id"])
    assert "moving `npm run build` to the background cost more than it saved here: 3 moves" in why


def test_the_person_sees_on_the_screen_what_was_moved(ours):
    with ours.terminal([bash("npm ci"), "waiting"], args=["--permission-mode", "default"]) as screen:
        screen.say("go")
        screen.wait("moved to the background: `npm ci`")
        (Path(ours.home) / "go").touch()
