"""The event that is played: harmless unless told, complete, and told in clear words when it cannot be."""

import io
import json
import os
import sys

import click
import pytest

from hookwright.cli import run_payload
from hookwright.errors import UserError
from hookwright.protocol import catalogue
from hookwright.testing import builders

ENV = {"HOME": "/home/ann"}


def made(event, source=None, tool=None, command=None):
    return run_payload.build_payload(event, source, tool, command, ENV)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("event", catalogue.list_events())
def test_every_event_has_a_whole_payload(event, folder):
    payload = made(event)
    assert builders.payload(event, **{k: v for k, v in payload.items() if k != "hook_event_name"}) == payload
    assert payload["cwd"] == str(folder)
    assert "@" not in json.dumps(payload)
    session = payload["session_id"]
    slug = str(folder).replace("/", "-").replace("_", "-")
    assert payload["transcript_path"] == f"/home/ann/.claude/projects/{slug}/{session}.jsonl"


@pytest.mark.parametrize(
    ("words", "tool", "given"),
    [
        ({}, "Bash", {"command": "git status --short"}),
        ({"command": "rm -rf /"}, "Bash", {"command": "rm -rf /"}),
        ({"tool": "PowerShell", "command": "dir"}, "PowerShell", {"command": "dir"}),
        ({"tool": "mcp__x__y"}, "mcp__x__y", {}),
        ({"tool": "Glob"}, "Glob", {"pattern": "*.md"}),
    ],
)
def test_a_tool_is_named_in_a_word(words, tool, given):
    payload = made("PreToolUse", **words)
    assert (payload["tool_name"], payload["tool_input"]) == (tool, given)


@pytest.mark.parametrize(
    ("event", "words", "says"),
    [
        ("Stop", {"tool": "Bash"}, "Stop has no tool"),
        ("PreToolUse", {"tool": "Read", "command": "ls"}, "Read has no command"),
        ("PreToolUse", {"source": "x.json", "command": "ls"}, "--payload cannot be combined"),
    ],
)
def test_words_that_do_not_fit_are_wrong_usage(event, words, says):
    with pytest.raises(click.UsageError, match=says):
        made(event, **words)


def test_a_given_payload_counts_and_is_completed(folder):
    (folder / "p.json").write_text(json.dumps({"tool_input": {"command": "ls"}, "session_id": "mine", "extra": 1}))
    payload = made("PreToolUse", "p.json")
    assert (payload["tool_name"], payload["tool_input"]) == ("Bash", {"command": "ls"})
    assert (payload["session_id"], payload["extra"], payload["permission_mode"]) == ("mine", 1, "default")
    (folder / "inner").mkdir()
    (folder / "q.json").write_text(json.dumps({"cwd": str(folder / "inner"), "tool_name": "Read"}))
    payload = made("PostToolUse", "q.json")
    assert payload["tool_input"] == {"file_path": f"{folder}/inner/hookwright-example.txt"}
    assert payload["tool_response"]["type"] == "text"


def test_a_payload_comes_from_stdin_as_well(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO('{"prompt": "grüß"}\n'.encode())))
    assert made("UserPromptSubmit", "-")["prompt"] == "grüß"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "the payload is empty"),
        (b"{bad", "the payload is not JSON: Expecting property name"),
        (b'{"a": 1} x', "the payload is not JSON: Extra data"),
        (b"[1]", "the payload must be one JSON object"),
        (b"\xff\xfe\x00", "the payload is not UTF-8"),
        (b'{"a":' * 100_000, "the payload is nested too deeply"),
        (b'{"hook_event_name": "Stop"}', "this is a payload of Stop, not of PreToolUse"),
        (b'{"tool_input": "ls"}', "tool_input must be an object, not"),
        (b'{"tool_name": 5}', "tool_name must be a string, not 5"),
        (b'{"cwd": "/no/such/folder"}', "no such directory: /no/such/folder"),
        (b'{"cwd": 7}', "no such directory: 7"),
    ],
)
def test_a_payload_that_is_none_is_told_what_is_wrong(folder, text, says):
    (folder / "p.json").write_bytes(text)
    with pytest.raises(UserError) as error:
        made("PreToolUse", "p.json")
    assert str(error.value).startswith(says)


def test_a_file_that_is_not_there_or_too_large_is_told(folder, monkeypatch):
    with pytest.raises(UserError, match="cannot be read: No such file"):
        made("PreToolUse", "none.json")
    monkeypatch.setattr(run_payload, "MAX_BYTES", 1 << 20)
    with open("big.json", "wb") as file:
        os.truncate(file.fileno(), (1 << 20) + 1)
    with pytest.raises(UserError, match="larger than 1 MiB"):
        made("PreToolUse", "big.json")


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("PreTolUse", "'PreToolUse'"),
        ("pre-tool-use", "'PreToolUse'"),
        ("stop", "'Stop'"),
        ("xyz", "Events: PreToolUse, PermissionRequest"),
    ],
)
def test_an_unknown_event_is_wrong_usage_with_a_hint(word, hint):
    with pytest.raises(click.BadParameter, match=hint):
        run_payload.validate_event(None, None, word)
