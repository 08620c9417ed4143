"""Tool inputs and responses have names; unknown tools keep their raw object."""

import inspect

import pytest

from hookwright.protocol import catalogue
from hookwright.protocol.json_view import Window
from hookwright.protocol.tools import (
    INPUTS,
    LEGACY_NAMES,
    RESPONSES,
    Bash,
    BashResponse,
    base_name,
    input_of,
    mcp_parts,
    response_of,
)


def keys_of(tool, side):
    """The keys that protocol.json notes for a tool; Grep's flags such as -A are no attribute names."""
    known = catalogue.load_protocol()["tools"]
    noted = known["Agent (alias Task)" if tool == "Agent" else tool][side]
    return {key.split(" ")[0].rstrip("?") for key in noted if not key.startswith("-")}


@pytest.mark.parametrize("tool", sorted(set(INPUTS) - set(LEGACY_NAMES) - {"PowerShell"}))
def test_a_view_has_exactly_the_keys_of_its_tool(tool):
    assert set(inspect.get_annotations(INPUTS[tool])) == keys_of(tool, "in")


def test_responses_have_exactly_their_keys():
    assert set(inspect.get_annotations(RESPONSES["Bash"])) == keys_of("Bash", "out")
    assert set(inspect.get_annotations(RESPONSES["Edit"])) == keys_of("Edit", "out") | keys_of("Write", "out")
    assert RESPONSES["Write"] is RESPONSES["Edit"]


def test_a_bash_call_is_read_by_name():
    tool = input_of("Bash", {"command": "ls", "timeout": 5000, "novel": 1})
    assert isinstance(tool, Bash)
    assert (tool.command, tool.timeout, tool.run_in_background, tool.raw["novel"]) == ("ls", 5000, None, 1)


def test_recorded_responses_have_typed_windows(recorded):
    if recorded["hook_event_name"] == "PostToolUse" and recorded["tool_name"] == "Bash":
        response = response_of("Bash", recorded["tool_response"])
        assert isinstance(response, BashResponse)
        assert response.stdout == recorded["tool_response"]["stdout"]


@pytest.mark.parametrize(
    ("name", "parts", "base"),
    [
        ("mcp__conductor__AskUserQuestion", ("conductor", "AskUserQuestion"), "AskUserQuestion"),
        ("mcp__plugin_a_b__do__it", ("plugin_a_b", "do__it"), "do__it"),
        ("mcp__server", None, "mcp__server"),
        ("Bash", None, "Bash"),
    ],
)
def test_mcp_names_fall_into_server_and_tool(name, parts, base):
    assert (mcp_parts(name), base_name(name)) == (parts, base)


def test_an_unknown_tool_gets_a_plain_window():
    assert type(input_of("BrandNew", {"a": 1})) is Window
