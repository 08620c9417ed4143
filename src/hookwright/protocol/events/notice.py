"""Notifications, and questions of MCP servers."""

from __future__ import annotations

from hookwright.protocol.events.base import Event
from hookwright.protocol.json_view import field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Notification(Event):
    """The client notifies: a permission dialog waits, or nothing happened for a while."""

    __slots__ = ()
    message: str = field("", older=("notification_message",))
    title: str | None = field()
    notification_type: str = field("")


class Elicitation(Event):
    """An MCP server asks the user."""

    __slots__ = ()
    mcp_server_name: str = field("")
    message: str = field("")
    mode: str | None = field()
    url: str | None = field()
    elicitation_id: str | None = field()
    requested_schema: Mapping[str, Any] | None = field()


class ElicitationResult(Event):
    """The user answered an MCP server."""

    __slots__ = ()
    mcp_server_name: str = field("")
    elicitation_id: str | None = field()
    mode: str | None = field()
    action: str = field("")
    content: Mapping[str, Any] | None = field()
