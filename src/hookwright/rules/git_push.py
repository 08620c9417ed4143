"""Stops pushes that take commits or branches away from others.

Why: the server's reflog is out of your reach. A forced push to a shared branch, or to nobody knows which, is refused;
to a branch of your own it is asked about; `--force-with-lease` does the same and refuses when somebody has pushed.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, operand, quoted, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "git-force-push"
EXAMPLES = {
    "git push --force": "deny",
    "cd /repo && git push -f origin main": "deny",
    "git push origin +HEAD:master": "deny",
    "git push --force origin HEAD": "deny",
    "git push -uf origin HEAD:refs/heads/main": "deny",
    "git push --mirror origin": "deny",
    "git push origin --delete main": "deny",
    "git push origin :master": "deny",
    "git push --force origin feature/x": "ask",
    "git push origin +feature/x": "ask",
    "git push origin --delete feature/x": "ask",
    "git push origin :refs/tags/v1.0": "ask",
    'git push --force origin "$BRANCH"': "ask",
    "git push --force-with-lease origin main": "ask",
    "git push heroku main": "ask",
    "git push": None,
    "git push --force-with-lease": None,
    "git push --force-with-lease origin feature/x": None,
    "git push --dry-run --force origin main": None,
    "git push origin feature/x": None,
    "echo 'git push --force'": None,
}

DEPLOYS = ("heroku", "dokku", "production", "prod", "live")  # remotes that run what they are given
VALUED = ("-o", "--push-option", "--repo", "--receive-pack", "--exec")


def check(call: Call, scene: Scene) -> Finding | None:
    if call.has_flag("-n", "--dry-run", "--help"):
        return None
    refs = call.operands(*VALUED)[2:]
    if call.has_flag("--mirror"):
        return deny(
            f"`{shown(call)}` makes the remote equal to here: every branch that is not here is deleted there",
            list_remote(call),
        )
    gone = [ref for ref in refs if ref[:1] == ":" or call.has_flag("-d", "--delete")]
    if gone:
        return deleted(call, gone, scene)
    if call.has_flag("--prune") and not call.has_flag("-f", "--force"):
        return ask(f"`{shown(call)}` deletes branches on the remote that are not here", list_remote(call))
    forced = call.has_flag("-f", "--force") or any(ref[:1] == "+" for ref in refs)
    if not forced:
        if call.has_flag("--force-with-lease") and any(is_shared(ref, scene) for ref in refs):
            return ask(f"`{shown(call)}` rewrites a branch that others build on", "git log --oneline -5")
        if operand(call, 1) in DEPLOYS:
            return ask(f"`{shown(call)}` deploys: what is pushed there goes live", "git log --oneline -5")
        return None
    if not all(ref.literal for ref in refs):
        return ask(f"`{shown(call)}` overwrites a branch that is only known when it runs", with_lease(call))
    unnamed = not refs or any(ref.lstrip("+") in ("HEAD", "@") or "*" in ref for ref in refs)
    if unnamed or any(is_shared(ref, scene) for ref in refs):
        which = "whatever branch is checked out, perhaps a shared one" if unnamed else "a branch that others build on"
        return deny(f"`{shown(call)}` can erase others' commits on {which}", with_lease(call, refs=False))
    return ask(f"`{shown(call)}` can erase commits that somebody else pushed", with_lease(call))


def deleted(call: Call, refs: list[Word], scene: Scene) -> Finding:
    if any(is_shared(ref, scene) for ref in refs):
        return deny(f"`{shown(call)}` would delete a shared branch on the remote", list_remote(call))
    return ask(f"`{shown(call)}` deletes {' and '.join(refs)} on the remote, for everybody", list_remote(call))


def is_shared(ref: str, scene: Scene) -> bool:
    name = ref.lstrip("+").rpartition(":")[2].removeprefix("refs/heads/")
    return name in scene.branches or name.startswith("release/")


def list_remote(call: Call) -> str:
    return "git ls-remote --heads " + quoted(operand(call, 1) or "origin")


def with_lease(call: Call, *, refs: bool = True) -> str:
    """The same push in its careful form; without the branch's name where that branch is shared."""
    operands = call.operands(*VALUED)[1:] if refs else []
    return " ".join(["git push --force-with-lease", *(quoted(word).lstrip("+") for word in operands if word.literal)])
