"""Matchers as the client reads them; the table of conformance cases holds what was measured."""

import pytest

from hookwright.engine.matcher import why_not
from hookwright.protocol.catalogue import list_events
from hookwright.protocol.event_matcher import FORMER_NAMES
from hookwright.protocol.tools import LEGACY_NAMES
from hookwright.settings.matcher_syntax import compile_matcher, field_of


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
    assert (why_not("PreToolUse", matcher, {"tool_name": name}) is None) is expected


def test_what_python_cannot_say_fits_nothing_and_raises_nothing():
    assert compile_matcher("PreToolUse", "(?<=a*)b")[1] == "never"
    assert why_not("PreToolUse", "(?<=a*)b", {"tool_name": "ab"})


def test_the_evaluator_knows_every_former_name():
    assert {old: new for new, old in FORMER_NAMES.items()} == LEGACY_NAMES


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


@pytest.mark.parametrize("event", list_events())
def test_every_event_knows_what_its_matcher_looks_at(event):
    assert field_of(event) is None or field_of(event).isidentifier()
