"""Approve answers only prompts of the client's own, in modes with a person, for calls that are proven to read."""

import pytest

from hookwright.hooks.approve.hook import Approve
from hookwright.hooks.base import World
from hookwright.protocol.events import event_of

READS = {"command": "awk '{print $1}' a.txt"}


@pytest.fixture
def ask(tmp_path):
    (tmp_path / "project").mkdir()

    def decide(tool="Bash", tool_input=READS, *, without=(), **fields):
        payload = {
            "hook_event_name": "PermissionRequest",
            "session_id": "s",
            "cwd": str(tmp_path / "project"),
            "tool_name": tool,
            "tool_input": tool_input,
            "permission_mode": "default",
            "permission_suggestions": [],
            **fields,
        }
        event = event_of({key: value for key, value in payload.items() if key not in without})
        world = World({"PATH": "/usr/bin:/bin"}, home=str(tmp_path / "home"), project=str(tmp_path / "project"))
        decision = Approve(world).decide(event)
        return decision.permission if decision else world.facts["approve"]["why_not"]

    return decide


def test_a_reading_command_is_allowed(ask):
    assert ask() == "allow"


def test_a_prompt_that_somebody_asked_for_is_the_persons(ask):
    assert "wants a person" in ask(without=("permission_suggestions",))


@pytest.mark.parametrize("mode", ["plan", "dontAsk", "bypassPermissions", "something new"])
def test_other_modes_are_left_alone(ask, mode):
    assert mode in ask(permission_mode=mode)


@pytest.mark.parametrize(
    "tool_input",
    [{"command": "touch x"}, {"command": 5}, {}, {**READS, "dangerouslyDisableSandbox": True}, [], "ls", None],
)
def test_anything_else_is_left_alone(ask, tool_input):
    assert ask(tool_input=tool_input) != "allow"


def test_file_tools_read_inside_of_the_project(ask, tmp_path):
    inside, outside = str(tmp_path / "project/a.txt"), str(tmp_path / "b.txt")
    assert ask("Read", {"file_path": inside}) == "allow"
    assert ask("Grep", {"pattern": "x"}) == "allow"
    assert ask("Glob", {"pattern": "*", "path": str(tmp_path / "project")}) == "allow"
    assert "outside" in ask("Read", {"file_path": outside})
    assert "secrets" in ask("Read", {"file_path": str(tmp_path / "project/.env")})
    assert ask("Read", {}) != "allow"


def test_it_is_off_unless_somebody_switches_it_on(hook_process):
    event = {"hook_event_name": "PermissionRequest", "session_id": "s", "cwd": str(hook_process.home),
             "tool_name": "Bash", "tool_input": {"command": "uname"}, "permission_suggestions": []}  # fmt: skip
    event = {**event, "permission_mode": "default"}
    assert hook_process(event).stdout == b""
    config = hook_process.home / ".config/hookwright/config.toml"
    config.parent.mkdir(parents=True, mode=0o700)
    config.write_text('[approve]\nmode = "on"\n')
    assert hook_process.answer(event)["hookSpecificOutput"]["decision"]["behavior"] == "allow"
    config.write_text('[approve]\nmode = "shadow"\n')
    assert hook_process(event).stdout == b""
    assert [row["verdict"] for row in hook_process.journal[-1]["decisions"] if row["hook"] == "approve"] == ["allow"]
