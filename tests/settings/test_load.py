"""All sources merged as the client does."""

import json
import os
import threading

import pytest

from hookwright.settings.client_validation import Kind
from hookwright.settings.find import Source
from hookwright.settings.load import load_sources


def hook(name, event="Stop"):
    return {"hooks": {event: [{"hooks": [{"type": "command", "command": name}]}]}}


@pytest.fixture
def sources(tmp_path):
    """Files given as scope=content, strongest first."""

    def made(**files):
        found = []
        for scope, value in files.items():
            path = tmp_path / f"{scope}.json"
            path.write_text(value if isinstance(value, str) else json.dumps(value))
            name = scope.rstrip("123")
            found.append(Source(name, str(path), Kind.PLUGIN if name == "plugin" else Kind.SETTINGS))
        return found

    return made


def running(loaded):
    return [registered.entry.handler["command"] for registered in loaded.entries]


ALL = {"managed": hook("m"), "local": hook("l"), "project": hook("p"), "user": hook("u"), "plugin": hook("x")}
SWITCHES = [
    ({}, "m l p u x"),
    ({"user": {"disableAllHooks": True}}, "m"),
    ({"project": {"disableAllHooks": True}, "user": {"disableAllHooks": False}}, "m"),
    ({"local": {"disableAllHooks": False}, "project": {"disableAllHooks": True}}, "m l p u x"),
    ({"managed": {"disableAllHooks": True}}, ""),
    ({"managed": {"allowManagedHooksOnly": True}}, "m"),
    ({"user": {"allowManagedHooksOnly": True}}, "m l p u x"),
]


@pytest.mark.parametrize(("switches", "runs"), SWITCHES)
def test_hooks_add_up_unless_a_switch_takes_them_away(sources, switches, runs):
    loaded = load_sources(sources(**{scope: {**value, **switches.get(scope, {})} for scope, value in ALL.items()}))
    assert running(loaded) == runs.split()
    assert len(loaded.entries) + len(loaded.off) == 5
    assert any(finding.code == "hooks-off" for finding in loaded.findings) == (runs != "m l p u x")


def test_a_drop_in_speaks_before_the_main_managed_file(sources):
    loaded = load_sources(sources(managed2={"disableAllHooks": False}, managed1={**hook("m"), "disableAllHooks": True}))
    assert running(loaded) == ["m"]


@pytest.mark.parametrize("broken", ["{,", '{"model": 5, "disableAllHooks": true}'])
def test_a_file_that_is_skipped_says_nothing_at_all(sources, broken):
    loaded = load_sources(sources(project=broken, user=hook("u")))
    assert running(loaded) == ["u"]
    assert [source.scope for source in loaded.skipped] == ["project"]


def test_an_unreadable_file_is_a_finding(tmp_path):
    loaded = load_sources([Source("user", str(tmp_path))])
    assert [finding.code for finding in loaded.findings] == ["file-unreadable"]


def test_the_finding_of_a_broken_file_names_line_and_column(sources):
    (finding,) = load_sources(sources(user='{"a": 1,\n}')).findings
    assert (finding.code, finding.where.rpartition(".json")[2]) == ("file-unparsable", ":1:8")


def test_a_fifo_in_a_settings_files_place_is_named_and_holds_nobody_up(tmp_path):
    os.mkfifo(tmp_path / "settings.json")
    [finding] = load_sources([Source("project", str(tmp_path / "settings.json"))]).findings
    assert (finding.code, finding.what) == ("file-unreadable", "cannot be read: Not a regular file")


def test_settings_named_on_the_command_line_may_come_through_a_pipe(tmp_path):
    path = str(tmp_path / "pipe")
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_text(json.dumps(hook("f"))))
    writer.start()
    loaded = load_sources([Source("flag", path)])
    writer.join()
    assert running(loaded) == ["f"]
