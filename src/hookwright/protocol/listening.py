"""Read what a hook listens to, and refuse a declaration that could never fire.

`on` of a hook class, the arguments of `@hook` → [read_listening] → {event: tools}, or BadDeclaration
Builtin modules only: it runs wherever a hook file is loaded. What is wrong is worded by `declaration_errors.py`.
"""

from __future__ import annotations

from hookwright.protocol.events import FAMILY
from hookwright.protocol.tool_names import TOOL_EVENTS, is_known_tool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


def read_listening(on: Any) -> dict[str, tuple[str, ...]]:
    """The tools of each event, () for all: `(PreToolUse, "Bash")`, `("PreToolUse", "Bash")`, `((Stop,), (Setup,))`."""
    found: dict[str, tuple[str, ...]] = {}
    for event, *tools in _split_groups(on):
        if tools and event not in TOOL_EVENTS:
            from hookwright.protocol.declaration_errors import refuse_tools  # noqa: PLC0415  only if it is wrong

            refuse_tools(event, tools)
        before = found.get(event, ())
        found[event] = () if event in found and not (before and tools) else (*before, *tools)
    return found


def _split_groups(on: Any) -> Iterator[list[str]]:
    """A list per event: its name, then its tools. An event's name starts the next one."""
    group: list[str] = []
    for word in on if isinstance(on, (tuple, list)) else (on,):
        if isinstance(word, (tuple, list)):
            if group:
                yield group
                group = []
            yield from _split_groups(word)
            continue
        name = word.__name__ if isinstance(word, type) else word
        if isinstance(name, str) and name in FAMILY:
            if group:
                yield group
            group = [name]
        elif group and isinstance(word, str) and is_known_tool(word):
            group.append(word)
        else:
            from hookwright.protocol.declaration_errors import require_tool  # noqa: PLC0415  only if it is wrong

            group.append(require_tool(word, group))
    if group:
        yield group
