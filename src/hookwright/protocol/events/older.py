"""Payloads of the older documented shapes, brought to today's keys.

Former documents show payloads without `hook_event_name`, with the tool's name under
`hookMetadata`. Nothing is taken away: missing keys are added, the rest stays.
"""

from __future__ import annotations

from hookwright.protocol.fields import dig

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

# The first key that is present tells the event; order matters (a notification also has stop_hook_active).
_TELLING_KEYS = (
    ("tool_response", "PostToolUse"),
    ("tool_input", "PreToolUse"),
    ("prompt", "UserPromptSubmit"),
    ("notification_type", "Notification"),
    ("notification_message", "Notification"),
    ("stop_hook_active", "Stop"),
)


def completed(payload: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the payload with the event's and the tool's name filled in where the keys imply them."""
    full = dict(payload)
    for key, event in _TELLING_KEYS:
        if key in full:
            full["hook_event_name"] = event
            break
    tool_input = full.get("tool_input")
    if "tool_name" not in full and isinstance(tool_input, dict):
        name = dig(full, "hookMetadata.toolName")
        if not isinstance(name, str) and isinstance(tool_input.get("command"), str):
            name = "Bash"
        if isinstance(name, str):
            full["tool_name"] = name
    return full
