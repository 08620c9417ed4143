"""A session's memory is complete and right: what the ledger says is what the client did."""

import json
import os
import subprocess
import sys

import pytest

from tests.client.kit.scripted_api import bash, call
from tests.hook_kit import prepare_hook

HEADLESS = {"HOOKWRIGHT_AUTO_BACKGROUND_HEADLESS": "on"}
EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "Stop", "SessionStart")
# A long command by its name that is over soon: the judge sees an install, the shell runs a script of that name.
NPM = "#!/bin/sh\nsleep {seconds}\necho installed\n"


@pytest.fixture
def ours(lab, monkeypatch, built_bundle):
    """The lab with our hook process for all events that memory needs, and `lab.hookwright(…)` to ask afterwards."""
    monkeypatch.setenv("HOME", str(lab.home))
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    argv = prepare_hook(built_bundle)
    for event in EVENTS:
        lab.handler(event, {"type": "command", "command": argv[0], "args": argv[1:], "timeout": 60})
    lab.allow("Bash", "Write", "Read")

    def hookwright(*words):
        done = subprocess.run(
            [sys.executable, "-m", "hookwright", *words], capture_output=True, text=True, check=False, cwd=lab.project
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    lab.hookwright = hookwright
    return lab


def log(lab, *words):
    return [json.loads(line) for line in lab.hookwright("log", "--json", *words).splitlines()]


def script(lab, name, text):
    os.chmod(lab.write(name, text), 0o755)


def test_every_call_of_a_session_is_in_the_ledger_with_its_decision_duration_and_end(ours):
    script(ours, "bin/npm", NPM.format(seconds=1))
    path = {"PATH": f"{ours.project}/bin:{os.environ['PATH']}"}
    run = ours.run(
        [
            bash("echo one"),
            bash("exit 3"),
            bash("sleep 5; echo never", timeout=700),
            bash("npm install"),
            call("Write", file_path=os.path.join(ours.project, "a.txt"), content="x"),
            [bash("echo two"), bash("echo three")],
            "waiting",
            "done",
        ],
        env={**HEADLESS, **path},
    )
    assert run.code == 0
    records = log(ours)
    ended = {
        record["command"] or record["tool"]: (record["outcome"], record["exit_code"])
        for record in records
        if record["event"] in ("PostToolUse", "PostToolUseFailure")
    }
    assert ended == {
        "echo one": ("ok", 0),
        "exit 3": ("failed", 3),
        "sleep 5; echo never": ("timed_out", None),
        "npm install": ("background", None),
        "Write": ("ok", None),
        "echo two": ("ok", 0),
        "echo three": ("ok", 0),
    }
    before = [record["command"] for record in records if record["event"] == "PreToolUse" and record["tool"] == "Bash"]
    assert before[:4] == ["echo one", "exit 3", "sleep 5; echo never", "npm install"]
    assert sorted(before[4:]) == ["echo three", "echo two"]  # side by side
    (moved,) = [record for record in records if record["answer"] == "rewrite"]
    assert (moved["command"], moved["changed"]) == ("npm install", ["run_in_background"])
    (end,) = [r for r in records if r["event"] in ("UserPromptSubmit", "BackgroundEnd") and r["tool_use_id"]]
    assert (end["tool_use_id"], end["outcome"], end["exit_code"]) == (moved["tool_use_id"], "ok", 0)
    timed_out = next(r for r in records if r["outcome"] == "timed_out")
    assert timed_out["duration_ms"] >= 600
    stats = json.loads(ours.hookwright("stats", "--json"))
    assert stats["background"]["moved"] == 1
    assert -5 < stats["background"]["seconds_saved"] < 60  # a second not waited, less the turn that takes the result
    assert stats["journal"] == {"backlog": 0, "bad_lines": 0, "unwritten": 0, "problems": 0}


def test_why_explains_a_backgrounded_and_a_denied_call(ours):
    folder = os.path.join(ours.home, ".config/hookwright/hooks")
    os.makedirs(folder)
    with open(os.path.join(folder, "no_touch.py"), "w", encoding="utf-8") as file:
        file.write(
            "from hookwright import PreToolUse, deny, hook\n"
            "@hook(PreToolUse, 'Bash')\n"
            "def no_touch(event):\n"
            "    if 'touch' in event.tool_input['command']: return deny('files are made by Write')\n"
        )
    script(ours, "bin/npm", NPM.format(seconds=0.3))
    env = {**HEADLESS, "PATH": f"{ours.project}/bin:{os.environ['PATH']}"}
    run = ours.run([bash("touch made"), bash("npm install"), "waiting", "done"], env=env)
    assert ours.read("made") is None
    assert "files are made by Write" in run.tool_results[0].text
    denied, moved = [record for record in log(ours, "--event", "PreToolUse") if record["answer"]]
    text = ours.hookwright("why", denied["id"])
    assert "no_touch" in text
    assert "deny: files are made by Write" in text
    assert "it did not run" in text
    text = ours.hookwright("why", moved["tool_use_id"])
    assert "auto_background" in text
    assert "Sent: rewrite (changed: run_in_background)" in text
    assert "the background command ended: ok, exit code 0" in text


def test_after_learn_a_slow_script_goes_to_the_background_and_a_quick_install_stays(ours):
    """Learned from the transcript alone: the first session runs without our hooks' records."""
    script(ours, "slow.sh", "#!/bin/sh\nsleep 10\necho slow-done\n")
    script(ours, "bin/npm", NPM.format(seconds=0.1))
    env = {
        **HEADLESS,
        "PATH": f"{ours.project}/bin:{os.environ['PATH']}",
        "HOOKWRIGHT_AUTO_BACKGROUND_LONG_SECONDS": "5",
    }
    quiet = {**env, "HOOKWRIGHT_AUTO_BACKGROUND_MODE": "off", "HOOKWRIGHT_OBSERVER_MODE": "off"}
    first = ours.run([bash("./slow.sh"), bash("npm install"), bash("npm install"), "done"], env=quiet)
    assert not first.background_tasks
    found = json.loads(ours.hookwright("learn", "--json"))
    assert (found["calls"], found["durations"]) == (3, 3)
    second = ours.run([bash("npm install"), bash("./slow.sh"), "waiting", "done"], env=env)
    install, slow = second.tool_results[:2]
    assert "installed" in install.text
    assert "running in background" in slow.text
    assert any("slow-done" in text for text in second.background_outputs.values())
    record = next(r for r in log(ours) if r["answer"] == "rewrite")
    assert record["command"] == "./slow.sh"
    (reason,) = [row["reason"] for row in record["decisions"] if row["hook"] == "auto_background"]
    assert reason.startswith("1 run here, usually")
    assert "longer than 5 s with probability" in reason


def test_replay_of_the_session_says_what_the_client_did(ours):
    script(ours, "bin/npm", NPM.format(seconds=0.1))
    env = {**HEADLESS, "PATH": f"{ours.project}/bin:{os.environ['PATH']}"}
    unlearned = {**env, "HOOKWRIGHT_OBSERVER_REFRESH": "off"}  # else this very run teaches that npm is quick here
    ours.run([bash("npm install"), bash("echo one"), "waiting", "done"], env=unlearned)
    found = json.loads(ours.hookwright("replay", "--json"))
    assert found["calls"] == 2
    assert found["counts"]["background"] == {"force": 1, "suggest": 0}
