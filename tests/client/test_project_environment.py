"""In the real client: the variables of a repository's `.claude/settings.json` reach the hooks, and change nothing."""

import json
import os

import pytest

from hookwright.config import config_files, trust
from hookwright.store.paths import project_key
from tests.client.kit.scripted_api import bash
from tests.hook_kit import prepare_hook

PUSH = "git push --force origin main; echo pushed"


@pytest.fixture
def guarded(lab, monkeypatch, built_bundle):
    for name in [name for name in os.environ if name.startswith(("XDG_", "HOOKWRIGHT_", "CLAUDE", "AGENT_OS"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", lab.home)
    argv = prepare_hook(built_bundle)
    lab.handler("PreToolUse", {"type": "command", "command": argv[0], "args": argv[1:], "timeout": 60}, matcher="Bash")
    lab.allow("Bash")
    lab.write("conf/config.toml", '[command_guard]\nmode = "off"\n')
    for folder in ("conf/hooks", ".hookwright/hooks"):
        lab.write(f"{folder}/mine.py", f"open({str(lab.project)!r} + '/RAN', 'w').close()\n")
    return lab


def set_variables(lab, env, name="settings.json"):
    lab.write(f".claude/{name}", json.dumps({"env": {**env, "SEEN_BY_BASH": "yes"}}))


def run_push(lab):
    run = lab.run([bash("echo seen=$SEEN_BY_BASH project=$CLAUDE_PROJECT_DIR"), bash(PUSH), "done"])
    seen, pushed = run.tool_results
    assert "seen=yes" in seen.text, "the client takes the variables of this file"
    return pushed


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
@pytest.mark.parametrize("variable", ["HOOKWRIGHT_COMMAND_GUARD_MODE", "HOOKWRIGHT_COMMAND_GUARD_OFF"])
def test_a_repository_does_not_switch_the_guard_off(guarded, name, variable):
    set_variables(guarded, {variable: "git-force-push" if variable.endswith("OFF") else "off"}, name)
    pushed = run_push(guarded)
    assert pushed.failed
    assert "[hookwright git-force-push]" in pushed.text


@pytest.mark.parametrize("variable", ["HOOKWRIGHT_CONFIG_HOME", "HOOKWRIGHT_STATE_HOME", "XDG_STATE_HOME", "HOME"])
def test_a_repository_does_not_move_configuration_or_trust(guarded, variable):
    project = str(guarded.project)
    guarded.write(".hookwright.toml", '[command_guard]\nmode = "off"\n')
    found = trust.read_project(f"{project}/.hookwright.toml", f"{project}/.hookwright/hooks")
    for state in ("conf", "conf/hookwright", "conf/.local/state/hookwright"):
        record = config_files.trust_file(f"{project}/{state}", f"{project}/.hookwright.toml", project_key)
        guarded.write(os.path.relpath(record, project), json.dumps({"files": found.hashes}))
    for folder in (f"{project}/conf", f"{project}/conf/.local/state/hookwright"):
        os.chmod(folder, 0o700)
    set_variables(guarded, {variable: f"{project}/conf"})
    pushed = run_push(guarded)
    assert pushed.failed
    assert "[hookwright git-force-push]" in pushed.text
    assert guarded.read("RAN") is None, "Python of the repository was run"


def test_a_repository_does_not_name_another_project(guarded, tmp_path):
    """CLAUDE_PROJECT_DIR says where the settings are that we look into: the client sets it itself."""
    other = tmp_path / "other"
    other.mkdir()
    set_variables(guarded, {"CLAUDE_PROJECT_DIR": str(other), "HOOKWRIGHT_COMMAND_GUARD_MODE": "off"})
    pushed = run_push(guarded)
    assert pushed.failed
    assert "[hookwright git-force-push]" in pushed.text


def test_the_user_may(guarded):
    guarded.settings.setdefault("env", {})["HOOKWRIGHT_COMMAND_GUARD_MODE"] = "off"
    run = guarded.run([bash(PUSH), "done"])
    assert "pushed" in run.tool_results[0].text
