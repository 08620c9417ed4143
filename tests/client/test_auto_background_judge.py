"""The judge of durations in the real client: what runs long leaves the foreground, what only speaks of it stays."""

import json
import os
from pathlib import Path

import pytest

from tests.client.kit.scripted_api import bash
from tests.hook_kit import prepare_hook

HEADLESS = {"HOOKWRIGHT_AUTO_BACKGROUND_HEADLESS": "on"}
# The judge reads the calls; the shell finds small programs of those names, so that nothing real is started.
PROGRAMS = ("npm", "docker", "tail", "pytest", "slowly")


@pytest.fixture
def ours(lab, monkeypatch, built_bundle):
    monkeypatch.setenv("HOME", str(lab.home))
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    argv = prepare_hook(built_bundle)
    lab.handler("PreToolUse", {"type": "command", "command": argv[0], "args": argv[1:]}, matcher="Bash")
    lab.allow("Bash")
    folder = Path(lab.home) / "bin"
    folder.mkdir()
    for name in PROGRAMS:
        (folder / name).write_text(f'#!/bin/sh\necho "ran-{name}-$*"\n')
        (folder / name).chmod(0o755)
    lab.env["PATH"] = f"{folder}:{os.environ['PATH']}"
    return lab


# The client itself refuses what *begins* with a long sleep before any hook is asked.
def test_long_calls_of_any_family_run_in_the_background(ours):
    commands = [
        "npm ci",
        "docker compose up",
        "tail -f app.log",
        "cd / && npm run dev 2>&1 | cat",
        "true; sleep 40 && echo up",
    ]
    run = ours.run([*(bash(command) for command in commands), "done"], env=HEADLESS)
    assert [("running in background" in result.text, result.failed) for result in run.tool_results] == (
        [(True, False)] * len(commands)
    )
    told = " ".join(run.context_texts())
    for reason in ("`npm ci` installs packages", "`tail -f app.log` follows without end", "`sleep 40` sleeps"):
        assert reason in told


def test_mentions_bounded_and_detached_commands_run_untouched(ours):
    commands = [
        'echo "npm install && docker compose up"',
        "printf '%s\\n' 'tail -f log' > run.sh; cat run.sh",
        "cat <<'EOF' > setup.sh\nnpm ci\nsleep 500\nEOF\nwc -l < setup.sh",
        "grep -c 'npm ci' setup.sh",
        "timeout 5 sleep 0.1; echo bounded",
        "npm --version",
        "npm run dev > /dev/null & echo detached",
    ]
    run = ours.run([*(bash(command) for command in commands), "done"], env=HEADLESS)
    texts = [result.text for result in run.tool_results]
    assert not [text for text in texts if "running in background" in text]
    assert not [result for result in run.tool_results if result.failed]
    assert run.context_texts() == []
    wanted = ["npm install && docker compose up", "tail -f log", "2", "1", "bounded", "ran-npm---version", "detached"]
    assert [word for word, text in zip(wanted, texts, strict=True) if word not in text] == []


def test_a_perhaps_long_command_stays_and_claude_is_told(ours):
    run = ours.run([bash("pytest -q"), "done"], env=HEADLESS)
    assert "ran-pytest--q" in run.tool_results[0].text
    assert any("`pytest -q` runs a test suite" in text for text in run.context_texts())


def test_the_projects_own_scripts_decide(ours):
    ours.write("package.json", json.dumps({"scripts": {"test": "echo quick", "go": "next dev"}}))
    run = ours.run([bash("npm test"), bash("npm run go"), "done"], env=HEADLESS)
    assert ["running in background" in result.text for result in run.tool_results] == [False, True]
    assert "ran-npm-test" in run.tool_results[0].text


def test_a_rule_of_the_users_own_counts(ours):
    config = Path(ours.home) / ".config/hookwright/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text('[[auto_background.rules]]\nprogram = "slowly"\nclass = "job"\n')
    run = ours.run([bash("slowly 1"), bash("slowly 1 &"), "done"], env=HEADLESS)
    assert ["running in background" in result.text for result in run.tool_results] == [True, False]
