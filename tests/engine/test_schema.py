"""The client's messages for an output that breaks its schema, as recorded in tests/conformance."""

import pytest

from hookwright.engine.schema import INVALID, find_problem
from hookwright.protocol import hook_output
from hookwright.protocol.catalogue import list_events


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ({}, None),
        ({"decision": "block", "color": 1}, None),
        ({"reason": 3}, "reason: expected string, received number"),
        ({"continue": None}, "continue: expected boolean, received null"),
        ({"decision": "no"}, 'decision: Invalid option: expected one of "approve"|"block"'),
        ({"hookSpecificOutput": []}, "hookSpecificOutput: expected object, received array"),
        ({"hookSpecificOutput": {}}, 'hookSpecificOutput is missing required field "hookEventName"'),
        (
            {"hookSpecificOutput": {"hookEventName": "SessionStart", "watchPaths": "a"}},
            "hookSpecificOutput.watchPaths: expected array, received string",
        ),
        ({"hookSpecificOutput": {"hookEventName": "Stop", "watchPaths": "a"}}, None),  # a key of another event
    ],
)
def test_the_first_problem_is_named(answer, words):
    assert find_problem("Stop", answer) == (None if words is None else INVALID + words)


@pytest.mark.parametrize("event", list_events())
def test_it_finds_a_problem_exactly_where_the_output_is_dropped(event):
    answers = [
        {"hookSpecificOutput": {"hookEventName": event, key: value}}
        for key in hook_output.SPECIFIC
        if key != "hookEventName"
        for value in (None, 5, "x", True, {}, [], ["x"])
    ]
    answers += [{key: value} for key in hook_output.TOP for value in (None, 5, "block", True, {}, [])]
    for answer in answers:
        dropped = next(hook_output._schema_problems(event, answer), None)
        assert (find_problem(event, answer) is None) is (dropped is None), answer
