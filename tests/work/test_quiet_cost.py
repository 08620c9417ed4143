"""Events without work: the working hooks load nothing of their machinery and stay within the door's bar."""

import json
import shutil

import pytest

from hookwright.testing.builders import payload
from tests.door.test_cost import ALLOWED, bare, instructions, modules_of

BASH = {
    "tool_name": "Bash",
    "tool_input": {"command": "make build"},
    "tool_response": {"stdout": ""},
    "duration_ms": 10,
}
EDIT = {"tool_name": "Edit", "tool_input": {"file_path": "/p/a.py"}, "tool_response": {"originalFile": "x"}}
EVENTS = {
    "a command": payload("PostToolUse", **BASH),
    "an edit": payload("PostToolUse", **EDIT),
    "a stop after nothing": payload("Stop", stop_hook_active=False, session_id="without changes"),
    "a prompt": payload("UserPromptSubmit", prompt="go on"),
    "a notification": payload("Notification", message="x", notification_type="idle_prompt"),
}


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_nothing_of_the_work_is_loaded(door, event):
    door(event)  # a prompt's first look is work
    loaded = modules_of(door, event)
    assert {name for name in loaded if not name.startswith("hookwright")} - bare(door) <= ALLOWED
    assert {name for name in loaded if name.startswith("hookwright.work")} <= {
        "hookwright.work",
        "hookwright.work.gitdir",
    }


def test_the_dearest_of_them_is_within_the_bar(door, tmp_path):
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    env = {**door.env, "PYTHONHASHSEED": "0"}
    stop = EVENTS["a stop after nothing"]
    door(stop)
    empty = instructions([door.argv[0], "-I", "-S", "-c", "pass"], b"", env, tmp_path)
    ours = instructions(door.argv, json.dumps(stop).encode(), env, tmp_path)
    assert ours <= 1.15 * empty
