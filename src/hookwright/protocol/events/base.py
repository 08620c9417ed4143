"""The base class of all events: the keys that every payload has."""

from __future__ import annotations

from hookwright.protocol.json_view import Window, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Event(Window):
    """An event of Claude Code. Keys without an attribute are readable in `raw`."""

    __slots__ = ()
    session_id: str = field("", older=("sessionId", "threadId", "hookMetadata.sessionId"))
    transcript_path: str = field("")
    cwd: str = field("", older=("projectRoot", "hookMetadata.projectDir"))
    hook_event_name: str = field("")
    prompt_id: str | None = field()
    permission_mode: str | None = field()
    agent_id: str | None = field()
    agent_type: str | None = field()
    effort: Mapping[str, Any] | None = field()

    @property
    def in_subagent(self) -> bool:
        """True inside a subagent: background commands that it starts end with it."""
        return bool(self.raw.get("agent_id"))
