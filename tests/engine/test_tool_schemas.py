"""Rewrites against the schema of the tool."""

import pytest

from hookwright.engine.tool_schemas import INPUTS, fit_input, output_fits
from hookwright.protocol.catalogue import load_protocol


@pytest.mark.parametrize(
    ("tool", "updated", "fits"),
    [
        ("Bash", {"command": "a", "timeout": "5000", "x": 1}, {"command": "a", "timeout": 5000}),
        ("Bash", {"command": "a", "run_in_background": "false"}, {"command": "a", "run_in_background": False}),
        ("Read", {"file_path": "a", "limit": "1.5"}, {"file_path": "a", "limit": 1.5}),
        ("mcp__a__b", {"anything": None}, {"anything": None}),
        ("NewTool", {"anything": None}, {"anything": None}),
    ],
)
def test_what_fits_is_passed_on_as_the_tool_wants_it(tool, updated, fits):
    assert fit_input(tool, updated) == (fits, None)


@pytest.mark.parametrize(
    ("tool", "updated", "lines"),
    [
        ("Bash", {}, ["The required parameter `command` is missing"]),
        ("Bash", {"command": None}, ["The parameter `command` type is expected as `string` but provided as `null`"]),
        (
            "Write",
            {"content": []},
            [
                "The required parameter `file_path` is missing",
                "The parameter `content` type is expected as `string` but provided as `array`",
            ],
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_the_clients_words(tool, updated, lines):
    _, refusal = fit_input(tool, updated)
    assert refusal.splitlines()[1:-1] == lines
    assert ("issues:" in refusal) is (len(lines) > 1)


@pytest.mark.parametrize(
    ("tool", "value", "response", "fits"),
    [
        ("mcp__a__b", "text", None, True),
        ("Bash", "text", None, False),
        ("Bash", {"stdout": "a", "stderr": "", "interrupted": False}, None, True),
        ("Bash", {"stdout": "a", "stderr": "", "interrupted": 0}, None, False),
        ("Glob", {"filenames": []}, {"filenames": [], "numFiles": 0}, False),
        ("Glob", {"filenames": [], "numFiles": 0}, {"filenames": [], "numFiles": 0}, True),
    ],
)
def test_an_output_keeps_the_shape_of_the_tools_own(tool, value, response, fits):
    assert output_fits(tool, value, response) is fits


@pytest.mark.parametrize("tool", ["Bash", "Write", "Edit", "Glob", "NotebookEdit", "WebFetch"])
def test_every_key_that_the_protocol_lists_for_a_tool_is_known(tool):
    listed = {word.split("?")[0].split(" ")[0] for word in load_protocol()["tools"][tool]["in"]}
    assert INPUTS[tool].keys() >= listed
