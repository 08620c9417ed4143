"""Everything that an author of hooks writes with, under one roof."""

from __future__ import annotations

from hookwright.hooks.base import Hook, World, hook
from hookwright.options import option
from hookwright.protocol.decisions import (
    Decision,
    add_context,
    allow,
    ask,
    block,
    deny,
    rewrite,
    stop,
    system_message,
)
from hookwright.protocol.events import FAMILY, event_class
from hookwright.protocol.events.base import Event
from hookwright.protocol.verbs import (
    answer_elicitation,
    display,
    emit_terminal_sequence,
    replace_output,
    retry,
    set_title,
    watch,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hookwright.protocol.events.files import *  # noqa: F403
    from hookwright.protocol.events.notice import *  # noqa: F403
    from hookwright.protocol.events.permission import *  # noqa: F403
    from hookwright.protocol.events.prompt import *  # noqa: F403
    from hookwright.protocol.events.result import *  # noqa: F403
    from hookwright.protocol.events.session import *  # noqa: F403
    from hookwright.protocol.events.stop import *  # noqa: F403
    from hookwright.protocol.events.tool import *  # noqa: F403
    from hookwright.shell.command import Call, Command


def command_of(event: Any) -> Command:
    """The command of a Bash event as a shell would read it: `command_of(event).problem`, `.calls`."""
    from hookwright.shell.command import Command  # noqa: PLC0415  authors who never ask do not pay for it

    text = event.tool_input.get("command")
    return Command(text if isinstance(text, str) else "", cwd=event.cwd or ".")


def calls(event: Any, program: str = "", *verbs: str) -> Sequence[Call]:
    """What a Bash event really runs, wrappers and quoting removed: all calls, or `calls(event, "git", "push")`."""
    command = command_of(event)
    return command.calls_of(program, *verbs) if program else command.calls


WORDS = (
    Decision, Event, Hook, World, add_context, allow, answer_elicitation, ask, block, calls, command_of, deny, display,
    emit_terminal_sequence, hook, option, replace_output, retry, rewrite, set_title, stop, system_message, watch,
)  # fmt: skip
_BY_NAME = {word.__name__: word for word in WORDS}


def find(name: str) -> object:
    """The word of that name, or AttributeError as a module would raise it."""
    if name in FAMILY:
        return event_class(name)
    if name not in _BY_NAME:
        raise AttributeError(f"module 'hookwright' has no attribute {name!r}")
    return _BY_NAME[name]
