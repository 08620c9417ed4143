"""Status: what is on, where it is registered, how it did lately."""

import json

import pytest

from hookwright.testing.builders import bash


def hooks(home):
    code, found = home.json("status")
    assert code == 0
    return {row["hook"]: row for row in found["hooks"]}, found


def test_before_an_install_nothing_is_registered(home):
    rows, found = hooks(home)
    assert {row["file"] for row in rows.values()} == {None}
    assert rows["observer"]["calls"] == 0
    assert found["changed_since_last_look"] == []
    assert "hookwright install" in home("status")[1]


@pytest.mark.slow
def test_a_hook_tells_its_file_and_what_it_did(home):
    home("install", "--yes")
    home.hook_process(bash("npm install").raw)
    home.hook_process(bash("git status").raw)
    row = hooks(home)[0]["auto_background"]
    assert row["scope"] == "user"
    assert row["file"] == str(home.file())
    assert (row["mode"], row["calls"], row["failures"]) == ("on", 2, 0)
    assert row["median_us"] > 0
    assert row["last_fired"].endswith("Z")
    _, out, _ = home("status")
    assert "auto_background" in out
    assert "just now" in out or "ago" in out


def test_modes_are_those_in_force_and_failures_are_counted(home, monkeypatch):
    folder = home.hook_process.config.parent / "hooks"
    folder.mkdir()
    (folder / "mine.py").write_text(
        "from hookwright import PreToolUse, hook\n"
        "@hook(PreToolUse, 'Bash')\ndef mine(event):\n    raise ValueError('no')\n"
    )
    home.hook_process.config.write_text('[stop_guard]\nmode = "shadow"\n')
    monkeypatch.setenv("HOOKWRIGHT_NOTIFY_MODE", "off")
    home.hook_process(bash("git status").raw)
    rows, _ = hooks(home)
    assert rows["stop_guard"]["mode"] == "shadow"
    assert rows["notify"]["mode"] == "off"
    assert rows["mine"]["failures"] == 1


@pytest.mark.slow
def test_an_event_that_is_not_registered_is_named(home):
    home("install", "--yes", "--only", "auto_background")
    rows, _ = hooks(home)
    assert rows["auto_background"]["unregistered"] == []
    assert rows["observer"]["file"] is None
    assert "Stop" in rows["stop_guard"]["unregistered"]


@pytest.mark.slow
def test_tools_that_an_earlier_version_did_not_register_are_named(home):
    home("install", "--yes")
    settings = home.settings()
    settings["hooks"]["PreToolUse"][0]["matcher"] = "Bash|Read|Write|Edit|NotebookEdit|AskUserQuestion"
    home.write(settings)
    rows, _ = hooks(home)
    assert len(rows["command_guard"]["unregistered"]) == 1
    assert "WebFetch" in rows["command_guard"]["unregistered"][0]
    assert "mcp__*" in rows["command_guard"]["unregistered"][0]
    home("install", "--yes")
    assert hooks(home)[0]["command_guard"]["unregistered"] == []


@pytest.mark.slow
def test_a_strangers_hook_that_appeared_is_named_once(home):
    home("install", "--yes")
    settings = home.settings()
    settings["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "say done"}]})
    home.write(json.dumps(settings))
    assert "say done" in "".join(hooks(home)[1]["changed_since_last_look"])
    assert hooks(home)[1]["changed_since_last_look"] == []


def loosening(found):
    return [(row["code"], row["what"].split()[0], row["where"]) for row in found["findings"]]


def test_a_variable_of_the_project_is_named_and_does_not_count(home):
    env = {"HOOKWRIGHT_COMMAND_GUARD_MODE": "off", "HOOKWRIGHT_STATE_HOME": "/x", "XDG_CACHE_HOME": "/y", "A": "b"}
    home.write({"env": env}, scope="project")
    rows, found = hooks(home)
    assert rows["command_guard"]["mode"] == "on"
    file = str(home.file("project"))
    assert loosening(found) == [("environment-loosens", name, file) for name in env if name != "A"]
    assert "HOOKWRIGHT_COMMAND_GUARD_MODE is left out" in home("status")[1]


def test_a_variable_of_the_project_that_tightens_counts_and_is_not_named(home):
    home.hook_process.config.write_text('[command_guard]\nmode = "shadow"\n')
    home.write({"env": {"HOOKWRIGHT_COMMAND_GUARD_MODE": "on"}}, scope="local")
    rows, found = hooks(home)
    assert (rows["command_guard"]["mode"], found["findings"]) == ("on", [])


def test_a_variable_of_the_user_counts_and_is_named(home, monkeypatch):
    monkeypatch.setenv("HOOKWRIGHT_COMMAND_GUARD_MODE", "off")
    home.write({"env": {"CLAUDE_AUTOBACKGROUND": "0"}})
    rows, found = hooks(home)
    assert (rows["command_guard"]["mode"], rows["auto_background"]["mode"]) == ("off", "off")
    assert loosening(found) == [
        ("environment-loosens", "HOOKWRIGHT_COMMAND_GUARD_MODE", "environment"),
        ("environment-loosens", "CLAUDE_AUTOBACKGROUND", str(home.file())),
    ]
