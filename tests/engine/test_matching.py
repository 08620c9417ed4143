"""Matchers as the client reads them; the table of conformance cases holds what was measured."""

import pytest

from hookwright.engine.matching import field_of, fits, javascript, why_not
from hookwright.protocol.catalogue import events


@pytest.mark.parametrize(
    ("matcher", "name", "expected"),
    [
        ("Bash", "Bash", True),
        ("Bash", "BashOutput", False),
        ("Bash|Write", "Write", True),
        ("Bash, Write", "Write", True),
        (" Bash ", "Bash", True),
        ("Bash Write", "Bash", False),
        ("as.", "Bash", True),
        ("^Ba", "Bash", True),
        ("Ba$", "Bash", False),
        ("Task", "Agent", True),
        ("^Task$", "Agent", True),
        ("Agent", "Task", False),
        ("mcp__lab", "mcp__lab__echo", False),
        ("mcp__lab__.*", "mcp__lab__echo", True),
        ("^(?!Bash)", "Bash", False),
        ("(?<tool>Ba)sh", "Bash", True),
        (r"(?<a>s)\k<a>", "Bass", True),
        ("[[:alpha:]]", "Bash", False),
        ("[^]ash", "Bash", True),
        ("[]", "Bash", False),
        (r"\Bash", "Bash", True),
        (r"\Mash", "Mash", True),
        ("Bash$", "Bash\n", False),
        (r"[\w--]+", "Bash", True),
        (r"\u0042ash", "Bash", True),
    ],
)
def test_a_matcher_fits_as_in_javascript(matcher, name, expected):
    assert fits(matcher, name) is expected


def test_what_python_cannot_say_fits_nothing_and_raises_nothing():
    assert javascript("(?<=a*)b") is None
    assert not fits("(?<=a*)b", "ab")


@pytest.mark.parametrize(
    ("event", "matcher", "payload", "reason"),
    [
        ("PreToolUse", "Edit", {"tool_name": "Bash"}, 'the matcher "Edit" does not match Bash'),
        ("PreToolUse", "[", {"tool_name": "Bash"}, 'the matcher "[" never matches: a [ is not closed'),
        ("PreToolUse", "", {"tool_name": "Bash"}, None),
        ("Stop", "nothing", {}, None),
        ("SessionStart", "startup", {"source": "resume"}, 'the matcher "startup" does not match resume'),
        ("FileChanged", ".env|x.json", {"file_path": "/a/.env"}, None),
        (
            "PreModelSwitch",
            "opus",
            {"to_model": "claude-opus-5-5"},
            'the matcher "opus" does not match claude-opus-5-5',
        ),
        ("StopFailure", "rate_limit|overloaded", {"error": "overloaded"}, None),
    ],
)
def test_a_refusal_says_why(event, matcher, payload, reason):
    assert why_not(event, matcher, payload) == reason


@pytest.mark.parametrize("event", events())
def test_every_event_knows_what_its_matcher_looks_at(event):
    assert field_of(event) is None or field_of(event).isidentifier()
