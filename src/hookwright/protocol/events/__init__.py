"""The 33 events of Claude Code, in families; an event loads only its own family's file.

payload → [event_of] → Event → hooks
"""

from __future__ import annotations

from sys import modules

from hookwright.protocol.events.base import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FAMILY = {
    "PreToolUse": "tool",
    "PostToolUse": "result",
    "PostToolUseFailure": "result",
    "PostToolBatch": "result",
    "PermissionRequest": "permission",
    "PermissionDenied": "permission",
    "UserPromptSubmit": "prompt",
    "UserPromptExpansion": "prompt",
    "MessageDisplay": "prompt",
    "SessionStart": "session",
    "SessionEnd": "session",
    "Setup": "session",
    "PreCompact": "session",
    "PostCompact": "session",
    "PreModelSwitch": "session",
    "PostModelSwitch": "session",
    "Stop": "stop",
    "StopFailure": "stop",
    "SubagentStart": "stop",
    "SubagentStop": "stop",
    "TeammateIdle": "stop",
    "TaskCreated": "stop",
    "TaskCompleted": "stop",
    "Notification": "notice",
    "Elicitation": "notice",
    "ElicitationResult": "notice",
    "ConfigChange": "files",
    "InstructionsLoaded": "files",
    "CwdChanged": "files",
    "FileChanged": "files",
    "DirectoryAdded": "files",
    "WorktreeCreate": "files",
    "WorktreeRemove": "files",
}


def event_class(name: str) -> type[Event]:
    """The class of a named event; an event we do not know is a plain Event."""
    family = FAMILY.get(name)
    if family is None:
        return Event
    path = "hookwright.protocol.events." + family
    found: type[Event] = getattr(modules.get(path) or __import__(path, None, None, (name,)), name)
    return found


def event_of(payload: Mapping[str, Any]) -> Event:
    """The typed window over a payload. A payload without a name gets the one its keys imply."""
    name = payload.get("hook_event_name")
    if not isinstance(name, str):
        from hookwright.protocol.events import older  # noqa: PLC0415  only payloads of former clients need it

        payload = older.completed(payload)
        name = payload.get("hook_event_name")
    return event_class(name if isinstance(name, str) else "")(payload)
