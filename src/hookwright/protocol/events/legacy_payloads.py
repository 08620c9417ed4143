"""Complete payloads of older documented shapes.

Old documentation shows payloads without `hook_event_name` and with the tool's name under `hookMetadata`. Missing keys
are added; nothing is removed.
"""

from __future__ import annotations

from hookwright.protocol.json_view import read_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# The first key that is present implies the event; order matters (a notification also has stop_hook_active).
_IMPLYING_KEYS = (
    ("tool_response", "PostToolUse"),
    ("tool_input", "PreToolUse"),
    ("prompt", "UserPromptSubmit"),
    ("notification_type", "Notification"),
    ("notification_message", "Notification"),
    ("stop_hook_active", "Stop"),
)


def complete_payload(payload: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the payload with the event's and the tool's name filled in where the keys imply them."""
    full = dict(payload)
    for key, event in _IMPLYING_KEYS:
        if key in full:
            full["hook_event_name"] = event
            break
    tool_input = full.get("tool_input")
    if "tool_name" not in full and isinstance(tool_input, dict):
        name = read_path(full, "hookMetadata.toolName")
        if not isinstance(name, str) and isinstance(tool_input.get("command"), str):
            name = "Bash"
        if isinstance(name, str):
            full["tool_name"] = name
    return full
