"""`@hook(PreToolUse, "Bash")`: make a hook of a function."""

from __future__ import annotations

from hookwright.hooks.base import Hook

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

    HookFunction = Callable[[Any], Decision | None]


def hook(
    *on: type[Event] | str | tuple[type[Event] | str, ...],
    failure: str = "open",
    deadline_s: float = 5.0,
    section: str = "",
    order: int = 0,
) -> Callable[[HookFunction], type[Hook]]:
    """Make a hook of a function: `@hook(PreToolUse, "Bash")` above `def guard(event): …`."""

    def build_hook_class(function: HookFunction) -> type[Hook]:
        body = {
            "on": on,
            "failure": failure,
            "deadline_s": deadline_s,
            "section": section,
            "order": order,
            "decide": lambda self, event: function(event),  # noqa: ARG005  becomes a method
            "__module__": function.__module__,
            "__doc__": function.__doc__,
        }
        return type(function.__name__, (Hook,), body)

    return build_hook_class
