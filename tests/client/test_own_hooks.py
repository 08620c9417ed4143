"""A user's own hooks in the real client: what they say reaches the model, and a stranger's do not run."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.kit.scripted_api import bash
from tests.hook_kit import prepare_hook


@pytest.fixture
def ours(lab, monkeypatch, built_bundle):
    """The lab with our hook process registered for the usual events."""
    monkeypatch.setenv("HOME", str(lab.home))
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    argv = prepare_hook(built_bundle)
    for event in ("PreToolUse", "PostToolUse", "Stop", "SessionStart", "UserPromptSubmit"):
        lab.handler(event, {"type": "command", "command": argv[0], "args": argv[1:], "timeout": 60})
    lab.allow("Bash")
    return lab


def put(path, text):
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


NO_TOUCH = """import os
from hookwright import PreToolUse, deny, hook
@hook(PreToolUse, "Bash")
def no_touch(event):
    if "touch" in event.tool_input["command"]:
        return deny("not here; use the Write tool")
"""
SPOILS = """import os, sys
from hookwright import PreToolUse, hook
@hook(PreToolUse, "Bash", deadline_s=60, order=-1)
def spoils(event):
    os.write(1, b"not JSON")
    event.tool_input.clear()
    os._exit(2)
"""


def test_a_users_hook_denies_and_the_model_reads_the_reason_whatever_another_does(ours):
    put(f"{ours.home}/.config/hookwright/hooks/no_touch.py", NO_TOUCH)
    put(f"{ours.home}/.config/hookwright/hooks/spoils.py", SPOILS)
    run = ours.run([bash("touch made"), bash("echo fine"), "done"])
    assert ours.read("made") is None
    assert "[hookwright no_touch] not here; use the Write tool" in run.tool_results[0].text
    assert run.tool_results[1].text == "fine"
    lines = (Path(ours.home) / ".local/state/hookwright/journal").glob("*.jsonl")
    records = [json.loads(line) for path in lines for line in path.read_text().splitlines() if line]
    failed = [row["failure"] for record in records for row in record.get("decisions", []) if "failure" in row]
    assert failed == ["it ended its process with code 2"] * 2


def test_a_projects_hook_runs_after_trust_and_not_before(ours):
    ours.write(".hookwright/hooks/no_touch.py", NO_TOUCH + "open('loaded', 'w').close()\n")
    run = ours.run([bash("touch made"), "done"])
    assert ours.read("made") == ""
    assert ours.read("loaded") is None
    assert "that you have not trusted" in json.dumps(run.events)
    command = [sys.executable, "-m", "hookwright", "trust", "--yes"]
    env = {**os.environ, "HOME": str(ours.home)}
    subprocess.run(command, cwd=ours.project, env=env, check=True, capture_output=True)
    os.unlink(f"{ours.project}/made")
    run = ours.run([bash("touch made"), "done"])
    assert ours.read("made") is None
    assert "[hookwright no_touch] not here" in run.tool_results[0].text


def test_commands_inside_the_dispatcher_reach_the_model_in_their_order(ours):
    put(
        f"{ours.home}/.config/hookwright/config.toml",
        "[context]\nmode = 'off'\n"
        "[[hooks.command]]\nevent = 'UserPromptSubmit'\ncommand = 'echo ticket 42 is open'\nname = 'ticket'\n"
        "[[hooks.command]]\nevent = 'PreToolUse'\nmatcher = 'Bash'\nname = 'gate'\n"
        'command = """grep -q forbidden && { echo "not that one" >&2; exit 2; }; exit 0"""\n'
        "[[hooks.command]]\nevent = 'PostToolUse'\nmatcher = 'Ba.*'\nname = 'after'\n"
        "command = 'echo \"$CLAUDE_PROJECT_DIR\" > seen'\n",
    )
    run = ours.run([bash("echo forbidden"), bash("echo allowed"), "done"])
    assert "[hookwright ticket] ticket 42 is open" in json.dumps(run.requests[0])
    assert "[hookwright gate] not that one" in run.tool_results[0].text
    assert run.tool_results[1].text == "allowed"
    assert ours.read("seen") == f"{ours.project}\n"


ILLEGAL = """from hookwright import UserPromptSubmit, deny, hook
@hook(UserPromptSubmit)
def wrong_verb(event):
    return deny("not this prompt")
"""
NEVER_RUNS = """from hookwright import PreToolUse, deny, hook
@hook(PreToolUse, "bash")
def no_touch(event):
    return deny("no")
"""


def test_a_hook_that_cannot_work_is_told_to_the_user_once_and_run_calls_it_an_error(ours):
    put(f"{ours.home}/.config/hookwright/hooks/illegal.py", ILLEGAL)
    put(f"{ours.home}/.config/hookwright/hooks/never.py", NEVER_RUNS)
    words, again = (json.dumps(ours.run(["done"]).events) for _ in range(2))
    assert "wrong_verb" not in again
    assert "never.py" not in again
    assert "the hook wrong_verb cannot work: UserPromptSubmit cannot carry deny; it can carry block" in words
    assert "never.py:2" in words
    assert "did you mean" in words
    ours.hook("SessionStart")  # writes the settings file
    command = [sys.executable, "-m", "hookwright", "run", "UserPromptSubmit", "--yes", "--json"]
    env = {**os.environ, "HOME": str(ours.home)}
    done = subprocess.run(command, cwd=ours.project, env=env, check=False, capture_output=True, text=True)
    failures = json.loads(done.stdout)["failures"]
    assert done.returncode == 1, done.stderr
    assert len(failures) == 1
    assert failures[0].startswith("wrong_verb: IllegalDecision: UserPromptSubmit cannot carry deny")
