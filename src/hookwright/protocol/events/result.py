"""Events after a tool call."""

from __future__ import annotations

from hookwright.protocol.events.base import Event
from hookwright.protocol.json_view import field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class PostToolUse(Event):
    """A tool call succeeded. A failing Bash command fires PostToolUseFailure instead."""

    __slots__ = ()
    tool_name: str = field("", older=("hookMetadata.toolName",))
    tool_input: Mapping[str, Any] = field({})
    tool_response: Any = field()
    tool_use_id: str = field("")
    duration_ms: float | None = field()
    mcp_server: Mapping[str, Any] | None = field()


class PostToolUseFailure(Event):
    """A started tool failed: non-zero exit, timeout, exception."""

    __slots__ = ()
    tool_name: str = field("")
    tool_input: Mapping[str, Any] = field({})
    tool_use_id: str = field("")
    error: str = field("")
    is_interrupt: bool = field(default=False)
    duration_ms: float | None = field()
    mcp_server: Mapping[str, Any] | None = field()


class PostToolBatch(Event):
    """All tool calls of one model turn are finished, including those that failed validation."""

    __slots__ = ()
    tool_calls: Sequence[Mapping[str, Any]] = field(())
