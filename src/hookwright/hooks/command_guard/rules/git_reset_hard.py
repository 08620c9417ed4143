"""Asks before `git reset --hard`, which throws away work that is not committed.

Why: the index and the working tree are overwritten at once; the reflog knows commits, not uncommitted files.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "git-reset-hard"
EXAMPLES = {
    "git reset --hard": "ask",
    "cd app && sudo git reset --hard origin/main": "ask",
    "git -C app reset --merge HEAD~1": "ask",
    "git reset --soft HEAD~1": None,
    "git reset HEAD file.txt": None,
    "git commit -m 'git reset --hard'": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    if not call.has_flag("--hard", "--merge"):
        return None
    return ask(
        f"`{format_call(call)}` overwrites files with uncommitted changes; no reflog brings them back", "git stash -u"
    )
