"""Stops functions that call themselves twice: the fork bomb.

Why: the processes double until the machine takes no more input.
"""

from __future__ import annotations

from hookwright.rules.kit import deny

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "fork-bomb"
EXAMPLES = {
    ":(){ :|:& };:": "deny",
    "bomb() { bomb | bomb & }; bomb": "deny",
    'walk() { for f in *; do walk "$f"; done; }; walk .': None,
    "echo ':(){ :|:& };:'": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    """A call of the function in whose body it stands; in a pipe or in the background it multiplies."""
    if call.pipeline or call.background:
        return deny(f"`{call.function}` starts itself again and again until the machine stops", "ulimit -u")
    return None
