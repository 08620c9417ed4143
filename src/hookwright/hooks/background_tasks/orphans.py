"""Commands that ended sessions left running: found at the start of a session, offered for ending, never ended here.

SessionStart → [tell_orphans] → one line for the person
"""

from __future__ import annotations

from hookwright.protocol.decisions import Decision
from hookwright.store import limits
from hookwright.store.orphans import find_orphans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.base import World
    from hookwright.protocol.events.base import Event

_SHOWN = 2


def tell_orphans(world: World, event: Event) -> Decision | None:
    """One line about commands whose session has ended, each told once; None if there is none."""
    if event.raw.get("source") not in ("startup", "resume", None):
        return None
    found = [
        task
        for task, _ in find_orphans(world.state, but_not=event.session_id)
        if limits.once(f"{world.state}/orphans", task.id)
    ]
    if not found:
        return None
    names = ", ".join(f"`{task.command[:50]}` ({task.id})" for task in found[:_SHOWN])
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    what = "a background command" if len(found) == 1 else f"{len(found)} background commands"
    return Decision(
        message=f"{what} of ended sessions still run{'s' if len(found) == 1 else ''}: {names}{more}. "
        "Look: hookwright background; end one: hookwright background end ID"
    )
