"""Asks before a command decides a question in the user's name.

Why: what `hookwright questions set` writes, answers for the user from then on; whoever asks the questions should
not be the one who answers them.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
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
    if not deed or deed[0] not in WRITING or call.has_flag("--help"):
        return None
    return ask(f"`{shown(call)}` changes what is answered in your name", "hookwright questions list")
