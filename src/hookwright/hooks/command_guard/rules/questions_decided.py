"""Asks before a command stores an answer in the user's name.

Why: what `hookwright questions set` writes answers for the user from then on; an agent should not answer its own
questions.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "questions-decided"
EXAMPLES = {
    "hookwright questions set --match . --never-ask": "ask",
    "hookwright questions presence away": "ask",
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
    return ask(f"`{format_call(call)}` changes what is answered in your name", "hookwright questions list")
