"""What every event carries."""

from __future__ import annotations

from hookwright.protocol.fields import Window, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Event(Window):
    """Something happened in Claude Code. Unknown keys are readable in `raw`."""

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
        """A subagent's event: what it starts in the background dies with its answer."""
        return bool(self.raw.get("agent_id"))
