"""The 33 events of Claude Code.

payload → [event_of] → Event → hooks
The classes are spread over family modules: the hook process loads the module of its own event and no other.
They are written by hand, since protocol.json knows neither all types nor the defaults, and an editor shows them as they
stand here; tests/protocol/test_events.py holds them to protocol.json, key by key.
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
    """The class of a named event; `Event` for one that is not known."""
    family = FAMILY.get(name)
    if family is None:
        return Event
    path = "hookwright.protocol.events." + family
    found: type[Event] = getattr(modules.get(path) or __import__(path, None, None, (name,)), name)
    return found


def event_of(payload: Mapping[str, Any]) -> Event:
    """The typed view of a payload. A payload without an event name gets the one that its keys imply."""
    name = payload.get("hook_event_name")
    if not isinstance(name, str):
        from hookwright.protocol.events import legacy_payloads  # noqa: PLC0415  only payloads of former clients

        payload = legacy_payloads.complete_payload(payload)
        name = payload.get("hook_event_name")
    return event_class(name if isinstance(name, str) else "")(payload)
