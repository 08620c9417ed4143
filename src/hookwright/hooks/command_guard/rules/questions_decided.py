"""Denies an agent to store an answer in the user's name, and asks before a stored one is taken back.

Why: what `hookwright questions set` writes answers for the user from then on; an agent should not answer its own
questions.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "questions-decided"
EXAMPLES = {
    "hookwright questions set --match . --never-ask": "deny",
    "hookwright questions presence away": "deny",
    "hookwright questions presence present": "ask",
    "hookwright questions forget p-4f2a1c": "ask",
    "hookwright questions undo": "ask",
    "hookwright questions set --help": None,
    "hookwright questions list": None,
    "hookwright questions suggest --times 3": None,
    "hookwright questions log --json": None,
    "hookwright questions": None,
}
WRITING = ("set", "forget", "undo", "presence")


def check(call: Call, scene: Scene) -> Finding | None:
    deed = call.operands()[1:2]
    if not deed or deed[0] not in WRITING:
        return None
    what = f"`{format_call(call)}` changes what is answered in the user's name"
    loosens = deed[0] == "set" or (deed[0] == "presence" and "away" in call.operands())
    return (deny if loosens else ask)(what, "hookwright questions list")
