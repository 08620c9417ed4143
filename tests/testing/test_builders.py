"""A builder gives what the client sends, and nothing that the client does not know."""

import pytest

from hookwright.protocol import catalogue
from hookwright.protocol.events import event_of
from hookwright.testing import builders, sample_values
from hookwright.testing.builders import bash, edit, event, keys_of, payload, prompt, read, tool_use, write


@pytest.mark.parametrize("name", catalogue.list_events())
def test_every_event_of_the_protocol_is_built_whole(name):
    made = payload(name)
    assert made["hook_event_name"] == name
    assert [key for key, always in keys_of(name).items() if always and key not in made] == []
    assert set(made) <= set(keys_of(name))
    assert type(event_of(made)).__name__ == name


def test_a_recorded_payload_can_be_built_again(recorded):
    """What the real client sent is accepted key by key: the table knows no less than the client."""
    fields = {key: value for key, value in recorded.items() if key != "hook_event_name"}
    made = payload(recorded["hook_event_name"], **fields)
    assert {key: made[key] for key in recorded} == recorded


def test_what_is_built_has_the_keys_that_were_recorded(recorded):
    """And none is missing that the client always sends, but the ones of a run: prompt_id, effort."""
    of_a_run = {"prompt_id", "effort", "agent_id", "agent_type", "permission_mode", "is_interrupt", "model"}
    built = payload(
        recorded["hook_event_name"], **({"tool_name": recorded["tool_name"]} if "tool_name" in recorded else {})
    )
    optional = {key for key, always in keys_of(recorded["hook_event_name"]).items() if not always}
    assert set(recorded) - set(built) - of_a_run <= optional


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: payload("Stopp"), ["no event 'Stopp'", "did you mean Stop?"]),
        (lambda: payload("Stop", prompt="x"), ["Stop has no prompt", "stop_hook_active"]),
        (lambda: event("UserPromptSubmit", promt="x"), ["no promt", "did you mean prompt?"]),
        (lambda: tool_use("bash", {"command": "ls"}), ["no tool 'bash'", "did you mean Bash?"]),
        (lambda: bash("ls", timout=5), ["Bash's input has no timout", "did you mean timeout?"]),
        (lambda: tool_use("Write", {"path": "x"}), ["Write's input has no path", "file_path"]),
        (lambda: payload("PermissionRequest", tool_use_id="x"), ["PermissionRequest has no tool_use_id"]),
    ],
)
def test_a_name_that_does_not_exist_is_an_error_with_the_right_names(build, words):
    with pytest.raises(ValueError, match="has no") as error:
        build()
    assert [word for word in words if word not in str(error.value)] == []


@pytest.mark.parametrize(
    ("made", "tool", "given"),
    [
        (bash("ls", timeout=5, cwd="/p"), "Bash", {"command": "ls", "timeout": 5}),
        (write("a.py", "x = 1\n"), "Write", {"file_path": "a.py", "content": "x = 1\n"}),
        (
            edit("a.py", "1", "2"),
            "Edit",
            {"file_path": "a.py", "old_string": "1", "new_string": "2", "replace_all": False},
        ),
        (read("a.py", limit=3), "Read", {"file_path": "a.py", "limit": 3}),
        (tool_use("mcp__db__query", {"any": "thing"}), "mcp__db__query", {"any": "thing"}),
        (tool_use("Task", {"prompt": "x"}), "Task", {"prompt": "x"}),
    ],
)
def test_calls_have_the_input_that_was_given_and_no_more(made, tool, given):
    assert (made.tool_name, made.tool_input) == (tool, given)


def test_an_mcp_call_names_its_server():
    assert tool_use("mcp__db__query", {}).mcp_server == {"name": "db", "source": "dynamic"}


def test_paths_lie_in_the_project_of_the_event():
    assert (
        payload("PostToolUse", tool_name="Write", cwd="/p")["tool_response"]["filePath"] == f"/p/{sample_values.FILE}"
    )
    assert prompt("@/x is mine").prompt == "@/x is mine"


def test_every_tool_of_the_catalogue_has_a_typical_call_that_the_builder_takes():
    for tool in builders._tool_keys():
        assert tool_use(tool, dict(sample_values.TOOLS[tool])).tool_name == tool


def test_every_event_and_tool_has_a_key_that_a_mere_text_means():
    about_tools = {name for name in catalogue.list_events() if catalogue.is_about_tools(name)}
    assert set(sample_values.MAIN_KEY) == set(catalogue.list_events()) - about_tools - {"PostToolBatch"}
    assert all(key in keys_of(name) for name, key in sample_values.MAIN_KEY.items())
    assert all(key in (builders.inputs_of(tool) or (key,)) for tool, key in sample_values.MAIN_INPUT.items())
