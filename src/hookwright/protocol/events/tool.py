"""PreToolUse, in a separate module because it is by far the most frequent event that waits for an answer."""

from __future__ import annotations

from hookwright.protocol.events.base import Event
from hookwright.protocol.json_view import field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class PreToolUse(Event):
    """A tool is about to run: the last moment to change or stop it."""

    __slots__ = ()
    tool_name: str = field("", older=("hookMetadata.toolName",))
    tool_input: Mapping[str, Any] = field({})
    tool_use_id: str = field("")
    mcp_server: Mapping[str, Any] | None = field()
