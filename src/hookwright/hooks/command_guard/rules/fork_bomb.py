"""Stops fork bombs: functions that call themselves in a pipe or in the background, endless loops that start processes.

Why: the processes multiply until the machine no longer responds.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "fork-bomb"
EXAMPLES = {
    ":(){ :|:& };:": "deny",
    "bomb() { bomb | bomb & }; bomb": "deny",
    'walk() { for f in *; do walk "$f"; done; }; walk .': None,
    "while true; do bash & done": "deny",
    "while true; do sleep 60 & done": "deny",
    "bomb() { bomb & }; bomb": "deny",
    "walk() { walk | cat; }; walk": "deny",
    "while true; do sleep 60 & wait; done": None,
    "a() { b & }; b() { a & }; a": "deny",
    "echo ':(){ :|:& };:'": None,
    "while true; do worker & «sleep 1|read x|inotifywait src»; done": None,
    "while true; do «echo x|printf x|:» & done": None,
}


def starts_itself(call: Call) -> bool:
    """Whether the call is one of the functions that it is in: `a` from `b`, which `a` has started."""
    outer = call.outer
    while outer is not None and outer.program != call.program:
        outer = outer.outer
    return call.function == call.program or outer is not None


WAITS = frozenset(("sleep", "wait", "read", "inotifywait"))


def check(call: Call, scene: Scene) -> Finding | None:
    """A function that starts itself in a pipe or in the background; an endless loop that starts without waiting."""
    if call.function and starts_itself(call):
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
    return deny(
        f"an endless loop starts `{format_call(call)}` again without waiting, until the machine stops", "ulimit -u"
    )
