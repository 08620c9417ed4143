"""Stops rewriting of the whole history and the removal of what could bring it back.

Why: filter-branch and filter-repo give every commit a new name; an expired reflog and a pruned object store take away
the last way to undo anything.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, operand, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "git-rewrite-history"
EXAMPLES = {
    "git filter-branch --tree-filter 'rm -f passwords.txt' HEAD": "deny",
    "git filter-repo --path src --force": "deny",
    "bfg --delete-files id_rsa .": "deny",
    "git reflog expire --expire=now --all": "deny",
    "git reflog expire --expire=now --all && git gc --prune=now": "deny",
    "git gc --prune=now --aggressive": "ask",
    "git prune": "ask",
    "git reflog delete HEAD@{1}": "ask",
    "git reflog": None,
    "git gc": None,
    "git prune -n": None,
    "git filter-repo --analyze": None,
    "git log --grep=filter-branch": None,
}

BUNDLE = "git bundle create /tmp/backup.bundle --all"


def check(call: Call, scene: Scene) -> Finding | None:
    verb = call.verb if call.program == "git" else call.program
    if call.has_flag("-n", "--dry-run", "--analyze", "--help", "--version"):
        return None
    if verb in ("filter-branch", "filter-repo", "bfg", "git-filter-repo"):
        return deny(f"`{shown(call)}` rewrites every commit of the history", BUNDLE)
    if verb == "lfs":
        hit = operand(call, 1) == "migrate" and operand(call, 2) in ("import", "export")
        return ask(f"`{shown(call)}` rewrites the history", BUNDLE) if hit else None
    if verb == "reflog":
        operation = operand(call, 1)
        if operation == "expire" and call.has_flag("--all") and now(call):
            return deny(f"`{shown(call)}` takes away what brings lost commits back", "git reflog")
        if operation in ("expire", "delete"):
            return ask(f"`{shown(call)}` removes entries that bring lost commits back", "git reflog")
        return None
    if verb == "prune" or (verb == "gc" and call.option("--prune") in ("now", "all")):
        return ask(f"`{shown(call)}` deletes commits that only the reflog still names", "git fsck --lost-found")
    return None


def now(call: Call) -> bool:
    return any(value in ("now", "all", "0") for value in call.options("--expire", "--expire-unreachable"))
