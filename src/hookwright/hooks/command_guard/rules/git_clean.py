"""Asks before `git clean -f`, which deletes untracked files.

Why: untracked files have no history; with `-x` also `.env`, local databases and everything else that is ignored.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "git-clean"
EXAMPLES = {
    "git clean -fdx": "ask",
    "git clean --force -d": "ask",
    "cd sub && git clean -fdq": "ask",
    "git -c clean.requireForce=false clean -d": "ask",
    "git clean -nfd": None,
    "git clean -n": None,
    "git clean --dry-run -fdx": None,
    "git clean": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    forced = call.has_flag("-f", "--force") or "clean.requireForce=false" in call.words
    if not forced or call.has_flag("-n", "--dry-run"):
        return None
    also = " and ignored ones (.env, local data)" if call.has_flag("-x", "-X") else ""
    return ask(f"`{format_call(call)}` deletes untracked files{also}, which no commit holds", "git clean -nd")
