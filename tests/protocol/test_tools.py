"""Tool inputs and responses have names; unknown tools keep their raw object."""

import pytest

from hookwright.protocol.fields import Window
from hookwright.protocol.tools import Bash, BashResponse, base_name, input_of, mcp_parts, response_of


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
