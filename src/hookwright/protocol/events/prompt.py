"""Prompts, slash commands, and the text that Claude shows."""

from __future__ import annotations

from hookwright.protocol.events.base import Event
from hookwright.protocol.json_view import field


class UserPromptSubmit(Event):
    """A prompt was submitted, by the user or by the client itself."""

    __slots__ = ()
    prompt: str = field("")
    source: str | None = field()
    session_title: str | None = field()

    @property
    def is_synthetic(self) -> bool:
        """True if the client wrote the prompt: a background task ended, or an asynchronous hook woke the model."""
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
    """Text from Claude is being displayed."""

    __slots__ = ()
    turn_id: str = field("")
    message_id: str = field("")
    index: int = field(0)
    final: bool = field(default=False)
    delta: str = field("")
