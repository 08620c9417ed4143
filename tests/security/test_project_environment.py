"""Variables that a project's `.claude/settings.json` sets may only tighten; the user's own shell may do more."""

import json
from pathlib import Path

import pytest

from hookwright.config import config_files, project_env, trust
from hookwright.config.project_env import separate_environment
from hookwright.runtime import main
from hookwright.store.paths import project_key
from hookwright.testing.builders import bash, tool_use

PUSH = bash("git push --force origin main")
LONG = bash("npm install")
OFF = {"HOOKWRIGHT_COMMAND_GUARD_MODE": "off"}


@pytest.fixture
def project(hook_process, tmp_path):
    folder = tmp_path / "clone"
    (folder / ".claude").mkdir(parents=True)
    return folder


@pytest.fixture
def ask(hook_process, project):
    """What the hook process answers in the project, with these variables in its environment."""

    def run(event, **env):
        event = {**event.raw, "cwd": str(project)}
        return hook_process.answer(event, CLAUDE_PROJECT_DIR=str(project), **env)

    return run


def permission(answer):
    return ((answer or {}).get("hookSpecificOutput") or {}).get("permissionDecision")


def say(project, env, name="settings.json"):
    (project / ".claude" / name).write_text(env if isinstance(env, str) else json.dumps({"env": env}))


def test_the_users_own_shell_may_switch_the_guard_off(ask):
    assert permission(ask(PUSH)) == "deny"
    assert permission(ask(PUSH, **OFF)) is None


@pytest.mark.parametrize("name", ["settings.json", "settings.local.json"])
@pytest.mark.parametrize("mode", ["off", "shadow", "0"])
def test_a_project_may_not(ask, project, name, mode):
    env = {"HOOKWRIGHT_COMMAND_GUARD_MODE": mode}
    say(project, env, name)
    first = ask(PUSH, **env)
    assert permission(first) == "deny"
    assert "HOOKWRIGHT_COMMAND_GUARD_MODE is left out" in first["systemMessage"]
    second = ask(PUSH, **env)
    assert permission(second) == "deny"
    assert "systemMessage" not in second, "told once"


@pytest.mark.parametrize("name", ["CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED"])
def test_a_project_cannot_say_that_nobody_is_there(ask, project, name):
    """Without a person at the screen, nothing is moved to the background."""
    env = {name: {"CLAUDE_CODE_ENTRYPOINT": "sdk-py", "CLAUDE_CODE_SESSION_ATTENDED": "0"}[name]}
    assert ask(LONG, **env) is None
    say(project, env)
    assert ask(LONG, **env)["hookSpecificOutput"]["updatedInput"]["run_in_background"]


def test_the_hook_process_watches_every_variable_that_counts_as_ours():
    """It has the names a second time, in the form that is cheapest to look up."""
    assert {prefix[:9].encode() for prefix in project_env.OUR_PREFIXES} == main._PREFIXES
    places = {name for name in project_env.PLACES if not name.startswith(project_env.OUR_PREFIXES)}
    elsewhere = {
        "HOME",
        "XDG_DATA_HOME",
        "CLAUDE_CODE_ENTRYPOINT",
    }  # looked at by their value, or by the launcher's path
    assert {name.encode() for name in places | {*project_env.OTHERS} - elsewhere} == main._WATCHED
    assert project_env.LAUNCHER == main._LAUNCHER


@pytest.mark.parametrize(
    "text",
    [
        '{"env": {"\\u0048OOKWRIGHT_COMMAND_GUARD_MODE": "off"}}',  # an escape in the name
        '{"env": {"HOOKWRIGHT_COMMAND_GUARD_MODE": "on"}}',  # changed since the session began
        '{"env": {}, "env": {"HOOKWRIGHT_COMMAND_GUARD_MODE": "off"}}',
        '{"env": {"HOOKWRIGHT_COMMAND_GUARD_MODE": "off"}, // a comment\n}',
        '\ufeff{"env": {"HOOKWRIGHT_COMMAND_GUARD_MODE": "off"}}',
        '{"env": {"HOOKWRIGHT_COMMAND_GUARD_MODE": "off"}, "x": ' + "[" * 5000 + "]" * 5000 + "}",
        '{"env": {"HOOKWRIGHT_COMMAND_GUARD_MODE": "off"}, "x": "' + "y" * (3 << 20) + '"}',
    ],
)
def test_however_it_is_written(ask, project, text):
    say(project, text)
    assert permission(ask(PUSH, **OFF)) == "deny"


def test_a_project_may_tighten(ask, project):
    env = {"HOOKWRIGHT_COMMAND_GUARD_SECRETS": "deny"}
    read = tool_use("Read", {"file_path": str(project / ".env")})
    assert permission(ask(read)) == "ask"
    say(project, env)
    assert permission(ask(read, **env)) == "deny"
    say(project, {"HOOKWRIGHT_COMMAND_GUARD_SECRETS": "off"})
    assert permission(ask(read, HOOKWRIGHT_COMMAND_GUARD_SECRETS="off")) == "ask"


@pytest.mark.parametrize(
    "env",
    [
        {"CLAUDE_AUTOBACKGROUND": "0"},
        {"HOOKWRIGHT_AUTO_BACKGROUND_MODE": "off"},
        {"AGENT_OS_HOOKS_QUIET": "1"},
    ],
)
def test_the_names_of_former_tools_are_the_users_too(ask, project, env):
    ask(LONG)  # the first move of a session is explained at greater length
    usual = ask(LONG)
    assert usual is not None
    say(project, env)
    assert ask(LONG, **env)["hookSpecificOutput"] == usual["hookSpecificOutput"]


RUNS = "from hookwright import PreToolUse, hook\nopen({mark!r}, 'w').close()\n@hook(PreToolUse)\ndef mine(event): ...\n"


@pytest.mark.parametrize("named", [True, False], ids=["named in its settings", "set otherwise"])
@pytest.mark.parametrize("variable", ["HOOKWRIGHT_CONFIG_HOME", "XDG_CONFIG_HOME"])
def test_the_configuration_cannot_be_moved_into_the_project(ask, project, tmp_path, variable, named):
    mark = tmp_path / "ran"
    place = project / "conf" / ("hookwright" if variable[0] == "X" else "")
    (place / "hooks").mkdir(parents=True)
    (place / "config.toml").write_text('[command_guard]\nmode = "off"\n')
    (place / "hooks/a.py").write_text(RUNS.format(mark=str(mark)))
    env = {variable: str(project / "conf")}
    if named:
        say(project, env)
    assert permission(ask(PUSH, **env)) == "deny"
    assert not mark.exists()


@pytest.mark.parametrize("variable", ["HOOKWRIGHT_STATE_HOME", "XDG_STATE_HOME", "HOME"])
def test_records_of_trust_cannot_be_brought_along(ask, project, tmp_path, variable):
    """The repository's Python, and a record in the repository that says it is trusted."""
    mark = tmp_path / "ran"
    hooks = project / ".hookwright/hooks"
    hooks.mkdir(parents=True)
    (hooks / "a.py").write_text(RUNS.format(mark=str(mark)))
    (project / ".hookwright.toml").write_text('[command_guard]\nmode = "off"\n')
    found = trust.read_project(f"{project}/.hookwright.toml", str(hooks))
    below = {"HOOKWRIGHT_STATE_HOME": "", "XDG_STATE_HOME": "hookwright", "HOME": ".local/state/hookwright"}[variable]
    name = f"{project}/.hookwright.toml"
    record = Path(config_files.trust_file(str(project / "state" / below), name, project_key))
    record.parent.mkdir(parents=True, mode=0o700)
    record.write_text(json.dumps({"files": found.hashes}))
    env = {variable: str(project / "state")}
    say(project, env)
    assert permission(ask(PUSH, **env)) == "deny"
    assert not mark.exists()


def test_a_link_that_leads_into_the_project_is_inside_of_it(ask, project, tmp_path):
    (project / "conf").mkdir()
    (project / "conf/config.toml").write_text('[command_guard]\nmode = "off"\n')
    (tmp_path / "conf").symlink_to(project / "conf")
    assert permission(ask(PUSH, HOOKWRIGHT_CONFIG_HOME=str(tmp_path / "conf"))) == "deny"


def test_a_directory_that_others_can_write_to_does_not_count(ask, tmp_path):
    place = tmp_path / "conf"
    place.mkdir()
    (place / "config.toml").write_text('[command_guard]\nmode = "off"\n')
    assert permission(ask(PUSH, HOOKWRIGHT_CONFIG_HOME=str(place))) is None
    place.chmod(0o777)
    answer = ask(PUSH, HOOKWRIGHT_CONFIG_HOME=str(place))
    assert permission(answer) == "deny"
    assert "others can write to" in answer["systemMessage"]


def test_in_the_home_directory_the_projects_settings_are_the_users(hook_process):
    """There `.claude/settings.json` is the user's own file."""
    (hook_process.home / ".claude").mkdir()
    say(hook_process.home, OFF)
    home = str(hook_process.home)
    assert separate_environment(OFF.get, list(OFF), home, home).get("HOOKWRIGHT_COMMAND_GUARD_MODE") == "off"
    assert separate_environment(OFF.get, list(OFF), home, None).get("HOOKWRIGHT_COMMAND_GUARD_MODE") is None


def test_an_internal_variable_of_ours_is_not_the_projects_either(project):
    env = {"HOOKWRIGHT_INSIDE_CHECK": "1", "CLAUDE_CODE_SESSION_ATTENDED": "0", "PATH": "/bin"}
    say(project, env)
    found = separate_environment(env.get, list(env), str(project), None)
    assert [found.get(name) for name in env] == [None, None, "/bin"]
