"""Events about permissions."""

from __future__ import annotations

from hookwright.protocol.events.base import Event
from hookwright.protocol.json_view import field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class PermissionRequest(Event):
    """A permission dialog would be shown. Carries no tool_use_id."""

    __slots__ = ()
    tool_name: str = field("")
    tool_input: Mapping[str, Any] = field({})
    permission_suggestions: Sequence[Mapping[str, Any]] = field(())
    mcp_server: Mapping[str, Any] | None = field()


class PermissionDenied(Event):
    """The classifier of auto mode denied a call."""

    __slots__ = ()
    tool_name: str = field("")
    tool_input: Mapping[str, Any] = field({})
    tool_use_id: str = field("")
    reason: str = field("")
    mcp_server: Mapping[str, Any] | None = field()
