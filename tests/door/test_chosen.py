"""Words behind the launcher's own arguments: some hooks only, a plugin that stands aside, a door that fails closed."""

import json
import subprocess

import pytest

from hookwright.door.chosen import registers
from hookwright.door.entry import AS_PLUGIN, FAIL_CLOSED
from hookwright.testing.builders import bash

LONG = bash("npm install").raw
OURS = {"type": "command", "command": "hookwright hook"}


def settings(event, *handlers):
    return {"hooks": {event: [{"matcher": "X", "hooks": [{"type": "command", "command": "true"}, *handlers]}]}}


@pytest.mark.parametrize(
    ("words", "speaks"),
    [
        ([], True),
        (["auto_background"], True),
        (["observer", "auto_background"], True),
        (["observer"], False),
        (["no_such_hook"], False),
        ([FAIL_CLOSED], True),
        ([FAIL_CLOSED, "observer"], False),
        ([AS_PLUGIN], True),
    ],
)
def test_only_the_named_hooks_speak(door, words, speaks):
    door.argv = [*door.argv, *words]
    assert (door.answer(LONG) is not None) is speaks


@pytest.mark.parametrize("place", ["user", "project", "local"])
def test_a_plugin_stands_aside_where_settings_register_the_event(door, tmp_path, place):
    project = tmp_path / "project"
    folder = door.home / ".claude" if place == "user" else project / ".claude"
    folder.mkdir(parents=True)
    file = folder / ("settings.local.json" if place == "local" else "settings.json")
    door.argv = [*door.argv, AS_PLUGIN]
    file.write_text(json.dumps(settings("Stop", OURS)))
    assert door.answer(LONG, CLAUDE_PROJECT_DIR=str(project)) is not None  # another event
    file.write_text(json.dumps(settings("PreToolUse", OURS)))
    assert door.answer(LONG, CLAUDE_PROJECT_DIR=str(project)) is None
    assert not [row for row in door.journal if row["event"] == "PreToolUse"][1:]  # nor does it record


@pytest.mark.parametrize(
    "text",
    ["", "hookwright", '{"hooks": "hookwright"}', '{"hooks": {"Stop": [{"hooks": null}]}} hookwright', "[]", "\xff"],
)
def test_a_settings_file_of_any_form_is_read_without_harm(text):
    assert registers(text.encode("latin-1"), "Stop") is False


def test_a_door_that_fails_closed_ends_with_1_when_it_cannot_open(door):
    for words, code in ([], 0), ([FAIL_CLOSED], 1):
        argv = [*door.argv[:6], "/nonexistent/", "/nonexistent", door.argv[8], *words]
        done = subprocess.run(argv, input=b"{}", capture_output=True, env=door.env, check=False)
        assert done.returncode == code
        done = subprocess.run([*door.argv, *words], input=b"{no", capture_output=True, env=door.env, check=False)
        assert done.returncode == code
