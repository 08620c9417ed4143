"""Stops rewriting the whole history and removing what could restore it.

Why: filter-branch and filter-repo give every commit a new hash; an expired reflog and a pruned object store take away
the last way to undo anything.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, operand_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "git-rewrite-history"
EXAMPLES = {
    "git filter-branch --tree-filter 'rm -f passwords.txt' HEAD": "deny",
    "git filter-repo --path src --force": "deny",
    "bfg --delete-files id_rsa .": "deny",
    "git reflog expire --expire=now --all": "deny",
    "git reflog expire --expire=now --all && git gc --prune=now": "deny",
    "git-filter-repo --path src": "deny",
    "git reflog expire --all «--expire=all|--expire=0|--expire-unreachable=now»": "deny",
    "git gc --prune=now --aggressive": "ask",
    "git prune": "ask",
    "git reflog delete HEAD@{1}": "ask",
    "git lfs migrate «import|export» --everything": "ask",
    "git reflog expire --expire=now HEAD": "ask",
    "git gc --prune=all": "ask",
    "git reflog": None,
    "git gc": None,
    "git prune -n": None,
    "git filter-repo --analyze": None,
    "git log --grep=filter-branch": None,
    "git filter-branch «--dry-run|--version»": None,
    "git lfs migrate info": None,
    "git lfs fetch origin import": None,
    "git lfs track '*.psd'": None,
}

BUNDLE = "git bundle create /tmp/backup.bundle --all"


def check(call: Call, scene: Scene) -> Finding | None:
    verb = call.verb if call.program == "git" else call.program
    if call.has_flag("-n", "--dry-run", "--analyze", "--version"):
        return None
    if verb in ("filter-branch", "filter-repo", "bfg", "git-filter-repo"):
        return deny(f"`{format_call(call)}` rewrites every commit of the history", BUNDLE)
    if verb == "lfs":
        hit = operand_at(call, 1) == "migrate" and operand_at(call, 2) in ("import", "export")
        return ask(f"`{format_call(call)}` rewrites the history", BUNDLE) if hit else None
    if verb == "reflog":
        operation = operand_at(call, 1)
        if operation == "expire" and call.has_flag("--all") and expires_now(call):
            return deny(f"`{format_call(call)}` takes away what brings lost commits back", "git reflog")
        if operation in ("expire", "delete"):
            return ask(f"`{format_call(call)}` removes entries that bring lost commits back", "git reflog")
        return None
    if verb == "prune" or (verb == "gc" and call.option("--prune") in ("now", "all")):
        return ask(f"`{format_call(call)}` deletes commits that only the reflog still names", "git fsck --lost-found")
    return None


def expires_now(call: Call) -> bool:
    return any(value in ("now", "all", "0") for value in call.options("--expire", "--expire-unreachable"))
