"""Our validation against the client's recorded behaviour (measured.py)."""

import json

import pytest

from hookwright.settings.client_validation import Kind, inspect_file
from hookwright.settings.findings import Effect
from hookwright.settings.json_document import UnreadableError, read_document
from tests.settings import measured
from tests.settings.measured import COMMAND, FILE, HOOKS, KEPT

HEALTHY = {"type": "command", "command": "healthy"}


def inspect_settings(settings, kind=Kind.SETTINGS):
    return inspect_file(read_document(json.dumps(settings).encode(), "s.json"), kind)


def kept_commands(found):
    return [entry.handler.get("command") for entry in found.entries]


@pytest.mark.parametrize("row", measured.FILES, ids=lambda row: row.name)
def test_a_file_is_skipped_exactly_when_the_client_skips_it(row):
    try:
        found = inspect_file(read_document(row.file(HEALTHY), "s.json"))
    except UnreadableError:
        assert row.effect == FILE
        return
    assert {KEPT: "healthy" in kept_commands(found), HOOKS: not found.entries, FILE: found.skipped}[row.effect]
    assert found.skipped == (row.effect == FILE)


@pytest.mark.parametrize(("handler", "kept"), measured.HANDLERS, ids=lambda value: json.dumps(value)[:60])
def test_a_broken_handler_costs_itself_or_with_a_guard_the_file(handler, kept):
    harmless = inspect_settings({"hooks": {"PostToolUse": [{"hooks": [handler, HEALTHY]}]}})
    guard = inspect_settings({"hooks": {"PreToolUse": [{"hooks": [handler]}], "Stop": [{"hooks": [HEALTHY]}]}})
    assert len(harmless.entries) == 2 if kept else kept_commands(harmless) == ["healthy"]
    assert guard.skipped is not kept


@pytest.mark.parametrize(("group", "kept"), measured.GROUPS, ids=lambda value: json.dumps(value)[:60])
def test_a_broken_group_costs_itself_or_with_a_guard_the_file(group, kept):
    harmless = inspect_settings({"hooks": {"PostToolUse": [group, {"hooks": [HEALTHY]}]}})
    guard = inspect_settings({"hooks": {"PermissionRequest": [group], "Stop": [{"hooks": [HEALTHY]}]}})
    assert "healthy" in kept_commands(harmless)
    assert bool(harmless.findings) is not kept
    assert guard.skipped is not kept


@pytest.mark.parametrize(("size", "skipped"), [(measured.LARGEST, False), (measured.LARGEST + 1, True)])
def test_a_file_of_more_than_two_megabytes_is_skipped(size, skipped):
    text = '{"x": ""}'
    raw = text.replace('""', '"' + "y" * (size - len(text)) + '"').encode()
    assert len(raw) == size
    assert inspect_file(read_document(raw, "s.json")).skipped is skipped


def test_a_finding_names_file_line_and_remedy():
    text = '{\n "hooks": {\n  "Stop": [\n   {"hooks": [\n    {"type": "command"}]}]}}'
    (finding,) = inspect_file(read_document(text.encode(), "/x/s.json")).findings
    assert finding.as_json() == {
        "code": "handler-incomplete",
        "what": 'a command handler needs "command"',
        "where": "/x/s.json:5",
        "try": 'add "command": a string',
    }
    assert finding.effect is Effect.ENTRY


def test_an_unknown_event_is_named_with_the_one_that_was_meant():
    (finding,) = inspect_settings({"hooks": {"PostTooluse": [{"hooks": [COMMAND]}]}}).findings
    assert (finding.code, finding.fix) == ("event-unknown", '"PostToolUse"')


def test_the_first_of_two_equal_keys_is_named_as_dead():
    found = inspect_file(read_document(b'{"hooks": {"Stop": [],\n"Stop": []}}', "s.json"))
    assert [(f.code, f.where) for f in found.findings] == [("duplicate-key", "s.json:1")]


def test_entries_know_their_place():
    text = '{"hooks": {"Stop": [{"hooks": []},\n{"matcher": "x", "hooks": [\n{"type": "command", "command": "a"}]}]}}'
    (entry,) = inspect_file(read_document(text.encode(), "s.json")).entries
    assert (entry.where, entry.path, entry.matcher) == ("s.json:3", "hooks.Stop[1].hooks[0]", "x")


PLUGIN = [
    ({"hooks": {"PreToolUse": measured.GROUP}}, KEPT),
    ({"description": "d", "modules": ["x"], "zork": 1, "hooks": {"PreToolUse": measured.GROUP}}, KEPT),
    ({"hooks": {"PreToolUse": measured.BROKEN, "Stop": measured.GROUP}}, FILE),
    ({"hooks": {"Stop": [*measured.BROKEN, *measured.GROUP]}}, KEPT),
    ({"hooks": {"Zork": measured.GROUP, "Stop": measured.GROUP}}, KEPT),
    ({"PreToolUse": measured.GROUP}, FILE),
]


@pytest.mark.parametrize(("plugin", "effect"), PLUGIN)
def test_plugin_files_follow_the_same_rules(plugin, effect):
    found = inspect_settings(plugin, Kind.PLUGIN)
    assert found.skipped == (effect == FILE)
    assert bool(found.entries) == (effect == KEPT)


@pytest.mark.parametrize("raw", [b"", b"\xef\xbb\xbf{}"])
def test_plugin_files_may_not_have_what_settings_may(raw):
    assert inspect_file(read_document(raw, "hooks.json"), Kind.PLUGIN).skipped
    assert not inspect_file(read_document(raw, "settings.json")).skipped
