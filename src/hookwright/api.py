"""The public names of the package, and the module that each is loaded from.

`from hookwright import PreToolUse, deny, hook` → [load_name] → the module of each name, loaded on first use
Hot where a user hook runs: a name costs what its own module costs.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.hooks.base import Hook as Hook, World as World
    from hookwright.hooks.decorator import hook as hook
    from hookwright.options import REQUIRED as REQUIRED, BadValue as BadValue, option as option
    from hookwright.protocol.decisions import (
        Decision as Decision,
        add_context as add_context,
        allow as allow,
        ask as ask,
        block as block,
        deny as deny,
        rewrite as rewrite,
        stop as stop,
        system_message as system_message,
    )
    from hookwright.protocol.declaration_errors import BadDeclaration as BadDeclaration
    from hookwright.protocol.events.base import Event as Event
    from hookwright.protocol.events.files import *  # noqa: F403
    from hookwright.protocol.events.notice import *  # noqa: F403
    from hookwright.protocol.events.permission import *  # noqa: F403
    from hookwright.protocol.events.prompt import *  # noqa: F403
    from hookwright.protocol.events.result import *  # noqa: F403
    from hookwright.protocol.events.session import *  # noqa: F403
    from hookwright.protocol.events.stop import *  # noqa: F403
    from hookwright.protocol.events.tool import *  # noqa: F403
    from hookwright.protocol.verbs import (
        answer_elicitation as answer_elicitation,
        display as display,
        emit_terminal_sequence as emit_terminal_sequence,
        replace_output as replace_output,
        retry as retry,
        set_title as set_title,
        watch as watch,
    )
    from hookwright.shell.call import Call as Call
    from hookwright.shell.command import Command as Command

_DECISIONS = "protocol.decisions"
_VERBS = "protocol.verbs"
# Name → the module that has it. Events are found through their own table, `protocol.events.FAMILY`.
MODULES = {
    "BadDeclaration": "protocol.declaration_errors",
    "BadValue": "options",
    "Call": "shell.call",
    "Command": "shell.command",
    "Decision": _DECISIONS,
    "Event": "protocol.events.base",
    "Hook": "hooks.base",
    "REQUIRED": "options",
    "World": "hooks.base",
    "add_context": _DECISIONS,
    "allow": _DECISIONS,
    "answer_elicitation": _VERBS,
    "ask": _DECISIONS,
    "block": _DECISIONS,
    "calls": "api",
    "command_of": "api",
    "deny": _DECISIONS,
    "display": _VERBS,
    "emit_terminal_sequence": _VERBS,
    "hook": "hooks.decorator",
    "option": "options",
    "replace_output": _VERBS,
    "retry": _VERBS,
    "rewrite": _DECISIONS,
    "set_title": _VERBS,
    "stop": _DECISIONS,
    "system_message": _DECISIONS,
    "watch": _VERBS,
}


def command_of(event: Event) -> Command:
    """The command of a Bash event as a shell would read it: `command_of(event).problem`, `.calls`."""
    from hookwright.shell.command import Command  # noqa: PLC0415  a hook that never asks does not pay for it

    tool_input = event.raw.get("tool_input")
    text = tool_input.get("command") if isinstance(tool_input, dict) else None
    return Command(text if isinstance(text, str) else "", cwd=event.cwd or ".")


def calls(event: Event, program: str = "", *verbs: str) -> Sequence[Call]:
    """What a Bash event really runs, wrappers and quoting removed: all calls, or `calls(event, "git", "push")`."""
    command = command_of(event)
    return command.calls_of(program, *verbs) if program else command.calls


def load_name(name: str) -> object:
    """The public object of that name, or AttributeError as a module would raise it."""
    module = "version" if name == "__version__" else MODULES.get(name)
    if module is not None:
        return getattr(__import__("hookwright." + module, None, None, (name,)), name)
    from hookwright.protocol.events import FAMILY, event_class  # noqa: PLC0415

    if name in FAMILY:
        return event_class(name)
    raise AttributeError(f"module 'hookwright' has no attribute {name!r}")


def public_names() -> list[str]:
    """What `from hookwright import *` imports."""
    from hookwright.protocol.events import FAMILY  # noqa: PLC0415

    return sorted((*MODULES, *FAMILY))
