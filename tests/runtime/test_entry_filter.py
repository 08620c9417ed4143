"""Words after the launcher's path: some hooks only, a plugin that stands aside, a hook process that fails closed."""

import json

import pytest

from hookwright.runtime.entry_filter import registers_event
from hookwright.runtime.entry_match import AS_PLUGIN, FAIL_CLOSED
from hookwright.testing.builders import bash

pytestmark = pytest.mark.slow

LONG = bash("npm install").raw
OURS = {"type": "command", "command": "/home/ann/.local/share/hookwright/hook", "args": []}


def settings(event, *handlers, matcher="X"):
    return {"hooks": {event: [{"matcher": matcher, "hooks": [{"type": "command", "command": "true"}, *handlers]}]}}


@pytest.mark.parametrize(
    ("handler", "matcher"),
    [
        ({"command": "/repo/hookwright/hook"}, None),
        ({"args": ["notify"]}, None),
        ({"args": ["as-plugin"]}, None),
        ({"if": "Bash(ls)"}, None),
        ({}, "Read"),
        ({"args": None, "command": "hookwright hook"}, None),
    ],
    ids=str,
)
def test_a_project_cannot_silence_the_plugin(hook_process, tmp_path, handler, matcher):
    project = tmp_path / "project"
    (project / ".claude").mkdir(parents=True)
    entry = {**OURS, "command": hook_process.argv[0], **handler}
    (project / ".claude/settings.json").write_text(json.dumps(settings("PreToolUse", entry, matcher=matcher)))
    hook_process.argv = [*hook_process.argv, AS_PLUGIN]
    assert hook_process.answer(LONG, CLAUDE_PROJECT_DIR=str(project)) is not None


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
def test_only_the_named_hooks_speak(hook_process, words, speaks):
    hook_process.argv = [*hook_process.argv, *words]
    assert (hook_process.answer(LONG) is not None) is speaks


@pytest.mark.parametrize("place", ["user", "project", "local"])
def test_a_plugin_stands_aside_where_settings_register_the_event(hook_process, tmp_path, place):
    project = tmp_path / "project"
    folder = hook_process.home / ".claude" if place == "user" else project / ".claude"
    folder.mkdir(parents=True)
    file = folder / ("settings.local.json" if place == "local" else "settings.json")
    hook_process.argv = [*hook_process.argv, AS_PLUGIN]
    ours = {**OURS, "command": hook_process.argv[0]}
    file.write_text(json.dumps(settings("Stop", ours)))
    assert hook_process.answer(LONG, CLAUDE_PROJECT_DIR=str(project)) is not None  # another event
    file.write_text(json.dumps(settings("PreToolUse", ours, matcher="Bash" if place == "local" else None)))
    assert hook_process.answer(LONG, CLAUDE_PROJECT_DIR=str(project)) is None
    assert not [row for row in hook_process.journal if row["event"] == "PreToolUse"][1:]  # nor does it record


@pytest.mark.parametrize(
    "text",
    ["", "hookwright", '{"hooks": "hookwright"}', '{"hooks": {"Stop": [{"hooks": null}]}} hookwright', "[]", "\xff"],
)
def test_a_settings_file_of_any_form_is_read_without_harm(text):
    assert registers_event(text.encode("latin-1"), "Stop") is False
