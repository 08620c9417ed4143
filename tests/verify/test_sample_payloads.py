"""Sample payloads are payloads that the client could have sent, for every event."""

import json

import pytest

from hookwright.engine.types import encode_payload
from hookwright.protocol.catalogue import list_events, payload_keys
from hookwright.verify.sample_payloads import harmless_payloads, tools_for

PROJECT = '/home/ann/a "shop"'


@pytest.mark.parametrize("event", list_events())
def test_every_event_has_one_with_all_its_keys(event):
    for payload in harmless_payloads(event, None, PROJECT):
        always = {key for key, needed in payload_keys(event).items() if needed}
        assert payload.keys() >= always - {"prompt_id"}
        assert payload["cwd"] == PROJECT
        assert "@" not in json.dumps(payload)


@pytest.mark.parametrize(
    ("matcher", "tools"),
    [
        (None, ["Bash", "Read", "Write"]),
        ("*", ["Bash", "Read", "Write"]),
        ("Bash", ["Bash"]),
        ("Write|Edit|MultiEdit", ["Edit", "Write", "MultiEdit"]),
        ("mcp__memory__.*", ["mcp__memory__x"]),
        ("mcp__.*", ["mcp__example__look"]),
        ("^(Bash|mcp__.*__AskUserQuestion)$", ["Bash"]),
        ("Notebook.*", ["NotebookEdit"]),
    ],
)
def test_the_tools_are_those_that_the_matcher_lets_through(matcher, tools):
    assert tools_for(matcher) == tools


def test_a_matcher_of_another_kind_is_met_too():
    [payload] = harmless_payloads("SessionStart", "resume|clear", PROJECT)
    assert payload["source"] == "clear"
    [payload] = harmless_payloads("Notification", "permission_prompt", PROJECT)
    assert payload["notification_type"] == "permission_prompt"


def test_a_first_stop_says_that_it_is_one():
    [payload] = harmless_payloads("Stop", None, PROJECT)
    assert payload["stop_hook_active"] is False


def test_all_of_them_fit_into_a_pipe():
    assert all(
        len(encode_payload(one)) < 65_536 for event in list_events() for one in harmless_payloads(event, None, PROJECT)
    )
