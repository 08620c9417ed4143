"""Events without work: the working hooks load nothing of their machinery and stay within the hook process's bar."""

import pytest

from hookwright.testing.builders import payload
from tests.runtime import test_cost
from tests.runtime.test_cost import ALLOWED, bare, modules_of, ratio_to_empty

pytestmark = pytest.mark.slow
installed, hook_process = test_cost.installed, test_cost.hook_process  # of an installed package

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

WORK = {
    *(f"hookwright.hooks.{name}" for name in ("clean_text", "command_writes", "file_patterns", "session_files")),
    *("hookwright.hooks.context.report", "hookwright.hooks.format.format_file", "hookwright.hooks.notify.message"),
    *("hookwright.hooks.stop_guard.decide", "hookwright.git.query", "hookwright.proc.run_programs"),
}


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_nothing_of_the_work_is_loaded(hook_process, event):
    hook_process(event)  # a prompt's first look is work
    loaded = modules_of(hook_process, event)
    assert {name for name in loaded if not name.startswith("hookwright")} - bare() <= ALLOWED
    assert not loaded & WORK


def test_the_dearest_of_them_is_within_the_bar(hook_process):
    assert ratio_to_empty(hook_process, EVENTS["a stop after nothing"], 1.17) <= 1.17
