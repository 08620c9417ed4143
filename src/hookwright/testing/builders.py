"""Payloads as Claude Code sends them, for tests: only keys that the protocol knows, checked as they are built.

decision = AutoBackground().decide(bash("npm install"))
"""

from __future__ import annotations

from typing import Any

from hookwright.protocol import catalogue
from hookwright.protocol.events import event_class, event_of
from hookwright.protocol.events.result import PostToolUse, PostToolUseFailure
from hookwright.protocol.events.tool import PreToolUse

SESSION = "00000000-0000-4000-8000-000000000001"
COMMON = {
    "session_id": SESSION,
    "transcript_path": f"/home/ann/.claude/projects/-home-ann-shop/{SESSION}.jsonl",
    "cwd": "/home/ann/shop",
}


def payload(event: str, /, **fields: Any) -> dict[str, Any]:
    """A payload of this event. A key that the event does not have is an error in the test."""
    if event_class(event).__name__ != event:
        raise ValueError(f"Claude Code has no event {event!r}")
    known = {**catalogue.keys_of(event), **_same_as(event)}
    strange = [name for name in fields if name not in known]
    if strange:
        raise ValueError(f"{event} has no {', '.join(strange)}; it has {', '.join(known)}")
    return {**COMMON, "hook_event_name": event, **fields}


def _same_as(event: str) -> dict[str, bool]:
    return catalogue.keys_of("PreModelSwitch") if event == "PostModelSwitch" else {}


def event(name: str, /, **fields: Any) -> Any:
    """The typed event over such a payload."""
    return event_of(payload(name, **fields))


def tool_use(tool: str, tool_input: dict[str, Any], **fields: Any) -> PreToolUse:
    """A tool is about to run."""
    made: PreToolUse = event(
        "PreToolUse", **{"tool_use_id": "toolu_1", **fields}, tool_name=tool, tool_input=tool_input
    )
    return made


_EVENT_KEYS = frozenset(("agent_id", "agent_type", "cwd", "permission_mode", "session_id", "tool_use_id"))


def bash(command: str, **fields: Any) -> PreToolUse:
    """A Bash call is about to run; other names are keys of its input, or of the event where the event has them."""
    of_event = {name: value for name, value in fields.items() if name in _EVENT_KEYS}
    of_input = {name: value for name, value in fields.items() if name not in _EVENT_KEYS}
    return tool_use("Bash", {"command": command, **of_input}, **of_event)


def bash_done(command: str, stdout: str = "", *, duration_ms: float = 5, **fields: Any) -> PostToolUse:
    """A Bash call succeeded."""
    response = {"stdout": stdout, "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
    made: PostToolUse = event(
        "PostToolUse",
        **{"tool_use_id": "toolu_1", **fields},
        tool_name="Bash",
        tool_input={"command": command},
        tool_response=response,
        duration_ms=duration_ms,
    )
    return made


def bash_failed(command: str, error: str = "Exit code 1", **fields: Any) -> PostToolUseFailure:
    """A Bash call failed."""
    made: PostToolUseFailure = event(
        "PostToolUseFailure",
        **{"tool_use_id": "toolu_1", "duration_ms": 5, **fields},
        tool_name="Bash",
        tool_input={"command": command},
        error=error,
    )
    return made
