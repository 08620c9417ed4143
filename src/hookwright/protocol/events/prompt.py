"""Events around the words of the user and of Claude."""

from __future__ import annotations

from hookwright.protocol.events.base import Event
from hookwright.protocol.fields import field


class UserPromptSubmit(Event):
    """A prompt was submitted, by the user or by the client itself."""

    __slots__ = ()
    prompt: str = field("")
    source: str | None = field()
    session_title: str | None = field()

    @property
    def is_synthetic(self) -> bool:
        """The client wrote it: a background task ended, or an asynchronous hook woke the model."""
        return self.prompt.lstrip().startswith(("<task-notification>", "<system-reminder>"))


class UserPromptExpansion(Event):
    """A slash command or an MCP prompt expands."""

    __slots__ = ()
    expansion_type: str = field("")
    command_name: str = field("")
    command_args: str = field("")
    command_source: str | None = field()
    prompt: str = field("")


class MessageDisplay(Event):
    """Text of Claude is being shown."""

    __slots__ = ()
    turn_id: str = field("")
    message_id: str = field("")
    index: int = field(0)
    final: bool = field(default=False)
    delta: str = field("")
