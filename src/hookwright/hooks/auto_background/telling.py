"""What Claude and the person are told about a long command: everything once, the rest in a few words.

auto_background (a verdict) → [build_move, build_note] → Decision
A note about a command that may be long is given once per kind of command and session. A move is always told to Claude,
in full the first time; the person sees one line per kind of command and session. Loaded only when there is a verdict.
"""

from __future__ import annotations

from hookwright.protocol.decisions import Decision
from hookwright.store import once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.hooks.base import World
    from hookwright.protocol.events.tool import PreToolUse

IN_FULL = (
    "Its output goes to the file named in the result, and you are notified when it ends; do not poll or sleep for it "
    "and do not read that file again and again: go on with other work, or end your turn. To keep a command in the "
    "foreground, pass run_in_background: false."
)
IN_SHORT = "You are notified when it ends; do not poll or sleep for it."


def build_move(
    world: World, event: PreToolUse, reason: str, *, polling: str, tell_user: bool, deny_polling: bool
) -> Decision:
    """The decision that moves the command; `polling` is what find_polling found."""
    here = find_scope(world, event)
    if polling:
        from hookwright.hooks.auto_background.polling import format_polling  # noqa: PLC0415  few commands poll

        advice = format_polling(polling)
        if deny_polling and polling != "loop":
            return Decision("deny", f"this waits in vain: {advice[0].lower()}{advice[1:]}")
    else:
        advice = IN_FULL if is_first(here, "moved") else IN_SHORT
    told = tell_user and is_first(here, f"moved {name_kind(world.facts, reason)}")
    return Decision(
        None,
        reason,
        changes={"run_in_background": True},
        drops=("timeout",),
        context=f"Moved to the background: {reason}. {advice}",
        message=f"moved to the background: {reason}" if told else "",
    )


def build_note(world: World, event: PreToolUse, reason: str, polling: str) -> Decision | None:
    """The note on a command that may take long; None if this session was told of such a command."""
    here = find_scope(world, event)
    if not is_first(here, f"noted {name_kind(world.facts, reason)}"):
        return None
    advice = "Next time consider run_in_background: true; you are notified when it ends."
    if polling:
        from hookwright.hooks.auto_background.polling import format_polling  # noqa: PLC0415

        advice = format_polling(polling)
    return Decision(None, context=f"This may take long: {reason}. {advice}")


def find_scope(world: World, event: PreToolUse) -> str | None:
    """Where this session's marks are; None outside of the hook process: `explain` and `replay` leave none."""
    return once.scope(world.state, event.session_id) if world.alone and event.session_id else None


def is_first(here: str | None, name: str) -> bool:
    """Whether this is the first time in this session; always, where nothing can be kept."""
    return here is None or once.once(here, name)


def name_kind(facts: dict[str, Any], reason: str) -> str:
    """What commands of one kind have in common: their key if it is known, else the program and the evidence."""
    key = facts.get("key")
    if key:
        return str(key)
    _, _, rest = reason.partition("`")
    call, _, evidence = rest.partition("`")
    return " ".join((*call.split()[:1], *evidence.split()[:4])) if call else reason
