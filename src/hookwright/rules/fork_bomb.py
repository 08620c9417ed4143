"""Stops the fork bomb: functions that call themselves twice, loops that start without end.

Why: the processes double until the machine takes no more input.
"""

from __future__ import annotations

from hookwright.rules.kit import deny, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "fork-bomb"
EXAMPLES = {
    ":(){ :|:& };:": "deny",
    "bomb() { bomb | bomb & }; bomb": "deny",
    'walk() { for f in *; do walk "$f"; done; }; walk .': None,
    "while true; do bash & done": "deny",
    "while true; do sleep 60 & wait; done": None,
    "echo ':(){ :|:& };:'": None,
}


WAITS = frozenset(("sleep", "wait", "read", "inotifywait"))


def check(call: Call, scene: Scene) -> Finding | None:
    """A function that starts itself in a pipe or in the background; an endless loop that starts without waiting."""
    if call.function and call.function == call.program:
        if call.pipeline or call.background:
            return deny(f"`{call.function}` starts itself again and again until the machine stops", "ulimit -u")
        return None
    loop = call.loop
    waits = any(
        other.loop is loop and other.program in WAITS and (other.program != "sleep" or other.foreground)
        for other in scene.command.calls
    )
    if loop is None or waits or loop.breaks or call.program in ("echo", "printf", ":"):
        return None
    return deny(f"an endless loop starts `{shown(call)}` again without waiting, until the machine stops", "ulimit -u")
