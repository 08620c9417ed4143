"""Asks before stashes are thrown away.

Why: a stash is often the only copy of that work, and a dropped stash has no name any more.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "git-stash-drop"
EXAMPLES = {
    "git stash drop": "ask",
    "git stash drop stash@{2}": "ask",
    "git stash clear": "ask",
    "git stash": None,
    "git stash pop": None,
    "git stash list": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    operands = call.operands()
    if len(operands) < 2 or operands[1] not in ("drop", "clear"):
        return None
    which = "every stash" if operands[1] == "clear" else "a stash"
    return ask(f"`{format_call(call)}` throws away {which}, perhaps the only copy of that work", "git stash list")
