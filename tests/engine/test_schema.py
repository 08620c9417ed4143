"""The client's words for an output that breaks its schema; that they are its words is measured in tests/conformance."""

import pytest

from hookwright.engine.schema import INVALID, problem
from hookwright.protocol import output
from hookwright.protocol.catalogue import events


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
            {"hookSpecificOutput": {"hookEventName": "Stop", "watchPaths": "a"}},
            "hookSpecificOutput.watchPaths: expected array, received string",
        ),
    ],
)
def test_the_first_problem_is_named(answer, words):
    assert problem("Stop", answer) == (None if words is None else INVALID + words)


@pytest.mark.parametrize("event", events())
def test_it_finds_a_problem_exactly_where_the_output_is_dropped(event):
    answers = [
        {"hookSpecificOutput": {"hookEventName": event, key: value}}
        for key in output.SPECIFIC
        if key != "hookEventName"
        for value in (None, 5, "x", True, {}, [], ["x"])
    ]
    answers += [{key: value} for key in output.TOP for value in (None, 5, "block", True, {}, [])]
    for answer in answers:
        dropped = next(output._schema_problems(event, answer), None)
        assert (problem(event, answer) is None) is (dropped is None), answer
