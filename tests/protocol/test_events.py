"""Events are typed views of what the client really sends; older shapes are read as well."""

import inspect

import pytest

from hookwright.protocol import catalogue
from hookwright.protocol.capabilities import LEGAL
from hookwright.protocol.events import FAMILY, event_class, event_of
from hookwright.protocol.events.base import Event
from hookwright.protocol.json_view import _Field


def fields_of(cls):
    """Every field of a class: its type and default."""
    return {
        name: (inspect.get_annotations(owner)[name], value.default)
        for owner in reversed(cls.__mro__)
        for name, value in vars(owner).items()
        if isinstance(value, _Field)
    }


def notes_of(event):
    """The keys of an event as protocol.json notes them: `duration_ms?:num` is `("duration_ms", True, "num")`."""
    known = catalogue.load_protocol()
    source = "PreModelSwitch" if event == "PostModelSwitch" else event
    for text in (*known["base_stdin"], *known["events"][source]["stdin_extra"]):
        if not text.startswith("("):
            name, _, kind = text.split(" ")[0].partition(":")
            yield name.rstrip("?"), name.endswith("?"), kind


TYPES = {"str": ("str",), "num": ("int", "float"), "int": ("int",), "bool": ("bool",), "obj": ("Mapping[str, Any]",)}


def test_every_event_of_the_protocol_has_a_class_and_a_row_of_legal_decisions():
    assert set(catalogue.load_protocol()["events"]) == set(FAMILY) == set(LEGAL)
    assert all(event_class(name).__name__ == name for name in FAMILY)


@pytest.mark.parametrize("name", FAMILY)
def test_a_class_has_exactly_the_keys_of_its_event(name):
    assert {key for key, _, _ in notes_of(name)} | set(fields_of(Event)) == set(fields_of(event_class(name)))


@pytest.mark.parametrize("name", FAMILY)
def test_types_and_defaults_are_those_of_the_protocol(name):
    fields = fields_of(event_class(name))
    for key, optional, kind in notes_of(name):
        annotation, default = fields[key]
        plain = annotation.removesuffix(" | None")
        assert plain in (*TYPES.get(kind, (plain,)), "Any"), key
        assert not optional or "None" in annotation or default in ((), False), f"{key} may be missing"
        assert default is not None or "None" in annotation or annotation == "Any", f"{key} has a default of its type"


def test_recorded_payloads_are_read_whole(recorded):
    event = event_of(recorded)
    assert type(event).__name__ == recorded["hook_event_name"]
    for key, value in recorded.items():
        assert getattr(event, key, event.raw[key]) == value
    assert event.raw is recorded


def test_recorded_payloads_hold_no_key_that_no_class_names(recorded):
    unnamed = set(recorded) - set(fields_of(event_class(recorded["hook_event_name"])))
    assert unnamed == set()


OLDER = [
    ({"hookMetadata": {"sessionId": "s1"}}, "session_id", "s1"),
    ({"sessionId": "s2"}, "session_id", "s2"),
    ({"threadId": "s3"}, "session_id", "s3"),
    ({"sessionId": "s2", "session_id": "new"}, "session_id", "new"),
    ({"projectRoot": "/p"}, "cwd", "/p"),
    ({"hookMetadata": {"projectDir": "/q"}}, "cwd", "/q"),
    ({"notification_message": "Claude waits"}, "message", "Claude waits"),
    ({"tool_input": {"command": "ls"}}, "tool_name", "Bash"),
    ({"tool_input": {"file_path": "x"}, "hookMetadata": {"toolName": "Write"}}, "tool_name", "Write"),
    ({"tool_input": {"command": "ls"}}, "hook_event_name", "PreToolUse"),
    ({"tool_input": {"command": "ls"}, "tool_response": {}}, "hook_event_name", "PostToolUse"),
    ({"prompt": "hello"}, "hook_event_name", "UserPromptSubmit"),
    ({"stop_hook_active": False}, "hook_event_name", "Stop"),
    ({"stop_hook_active": False, "notification_message": "x"}, "hook_event_name", "Notification"),
]


@pytest.mark.parametrize(("payload", "field", "value"), OLDER)
def test_older_documented_shapes_are_read(payload, field, value):
    assert getattr(event_of(payload), field) == value


@pytest.mark.parametrize("payload", [{}, {"hook_event_name": "BrandNew", "x": 1}, {"hook_event_name": 5}, {"a": None}])
def test_unknown_events_pass_through_untouched(payload):
    event = event_of(payload)
    assert type(event) is Event
    assert dict(event.raw) == payload


def test_a_changed_event_leaves_the_first_as_it_was():
    event = event_of({"hook_event_name": "PreToolUse", "tool_input": {"command": "a"}, "new_key": 1})
    changed = event.replace(tool_input={"command": "b"})
    assert (event.tool_input, changed.tool_input, changed.raw["new_key"]) == ({"command": "a"}, {"command": "b"}, 1)


@pytest.mark.parametrize(("prompt", "synthetic"), [("<task-notification>\n…", True), ("fix it", False)])
def test_prompts_of_the_client_itself_are_known(prompt, synthetic):
    assert event_of({"hook_event_name": "UserPromptSubmit", "prompt": prompt}).is_synthetic is synthetic
