"""What counts of an output and what is silently ignored; tests/client/test_output.py asks the client the same."""

import json

import pytest

from hookwright.protocol.catalogue import list_events
from hookwright.protocol.hook_output import read_output
from tests.protocol.output_cases import CASES


@pytest.mark.parametrize("name", CASES)
def test_an_output_is_heard_as_the_client_hears_it(name):
    case = CASES[name]
    stdout = case.stdout if isinstance(case.stdout, str) else json.dumps(case.stdout)
    reading = read_output("PreToolUse", case.exit, stdout.encode(), case.stderr.encode())
    assert (reading.decision == "deny") is case.denied
    assert reading.context == (["context-@"] if case.context else [])
    assert reading.system_message == ("message-@" if case.message else "")
    assert (reading.updated_input is not None) is case.rewritten
    assert tuple(one.code for one in reading.ignored) == case.ignored
    if case.reason:
        assert reading.reason == case.reason


@pytest.mark.parametrize(
    ("event", "exit_code", "stdout", "decision", "ignored"),
    [
        ("Stop", 0, {"decision": "block", "reason": "r"}, "block", []),
        ("Stop", 2, "", "block", []),
        ("TaskCompleted", 2, "", "block", []),
        ("UserPromptSubmit", 2, "", "block", []),
        ("PermissionRequest", 2, "", None, ["exit-2-without-effect"]),
        ("PermissionRequest", 0, {"hookSpecificOutput": {"hookEventName": "PermissionRequest",
                                                         "decision": {"behavior": "deny"}}}, "deny", []),
        ("PermissionRequest", 0, {"hookSpecificOutput": {"hookEventName": "PermissionRequest",
                                                         "decision": {"behavior": "no"}}}, None, ["schema"]),
        ("SessionEnd", 0, {"systemMessage": "bye"}, None, ["not-carried"]),
        ("SessionStart", 0, {"continue": False}, None, ["not-carried"]),
        ("PostToolUse", 0, {"hookSpecificOutput": {"hookEventName": "PostToolUse", "permissionDecision": "deny"}},
         None, ["not-carried"]),
        ("Stop", 0, {"decision": "approve"}, None, ["decision-without-effect"]),
        ("WorktreeCreate", 1, "", "block", []),
        ("PreToolUse", 0, {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "defer"}},
         "defer", []),
        ("PreToolUse", 0, {"decision": "block", "reason": "x" * 10_001}, "deny", []),
        ("PreToolUse", 0, {"systemMessage": "x" * 10_001}, None, ["text-too-long"]),
    ],
)  # fmt: skip
def test_each_event_hears_what_it_can_carry(event, exit_code, stdout, decision, ignored):
    text = stdout if isinstance(stdout, str) else json.dumps(stdout)
    reading = read_output(event, exit_code, text.encode(), b"why")
    assert reading.decision == decision
    assert [one.code for one in reading.ignored] == ignored


def test_plain_text_is_context_where_the_client_takes_it_for_that():
    assert read_output("SessionStart", 0, b"On branch main").context == ["On branch main"]
    assert read_output("Stop", 0, b"On branch main").context == []


def test_a_first_line_that_says_async_ends_the_hearing():
    reading = read_output("PostToolUse", 0, b'{"async": true}\nlater text')
    assert (reading.is_async, reading.ignored) == (True, [])


@pytest.mark.parametrize("event", list_events())
@pytest.mark.parametrize("stdout", [b"\xff\xfe", b"{", b'{"a": {"b": [', b"null", b'{"hookSpecificOutput": {}}', b"{}"])
def test_any_output_of_any_event_can_be_read(event, stdout):
    for code in (0, 1, 2, 127):
        read_output(event, code, stdout, b"\xff")
