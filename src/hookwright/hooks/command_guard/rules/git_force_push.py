"""Stops pushes that take commits or branches away from others.

Why: you cannot reach the server's reflog. A forced push to a shared branch, or to an unnamed one, is denied; a push
to your own branch needs a confirmation. `--force-with-lease` does the same and fails if someone else has pushed.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, operand_at, quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
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
    "git push --force origin «@|+HEAD|+@»": "deny",
    "git push --force origin 'refs/heads/*:refs/heads/*'": "deny",
    "git push --prune «--force|-f» origin": "deny",
    "git push -f «-o|--push-option|--repo|--receive-pack|--exec» x origin": "deny",
    "git push --force origin feature/x": "ask",
    "git push origin +feature/x": "ask",
    "git push origin --delete feature/x": "ask",
    "git push origin :refs/tags/v1.0": "ask",
    'git push --force origin "$BRANCH"': "ask",
    "git push --force-with-lease origin main": "ask",
    "git push heroku main": "ask",
    "git push --prune origin": "ask",
    "git push origin -d feature/x": "ask",
    "git push «dokku|production|prod|live» main": "ask",
    "git push": None,
    "git push --force-with-lease": None,
    "git push --force-with-lease origin feature/x": None,
    "git push --dry-run --force origin main": None,
    "git push origin feature/x": None,
    "echo 'git push --force'": None,
    "git push -n --force origin main": None,
}

DEPLOYS = ("heroku", "dokku", "production", "prod", "live")  # remotes that deploy what is pushed
VALUED = ("-o", "--push-option", "--repo", "--receive-pack", "--exec")


def check(call: Call, scene: Scene) -> Finding | None:
    if call.has_flag("-n", "--dry-run"):
        return None
    refs = call.operands(*VALUED)[2:]
    if call.has_flag("--mirror"):
        return deny(
            f"`{format_call(call)}` makes the remote equal to here: every branch that is not here is deleted there",
            list_remote(call),
        )
    gone = [ref for ref in refs if ref[:1] == ":" or call.has_flag("-d", "--delete")]
    if gone:
        return check_deletion(call, gone, scene)
    if call.has_flag("--prune") and not call.has_flag("-f", "--force"):
        return ask(f"`{format_call(call)}` deletes branches on the remote that are not here", list_remote(call))
    forced = call.has_flag("-f", "--force") or any(ref[:1] == "+" for ref in refs)
    if not forced:
        if call.has_flag("--force-with-lease") and any(is_shared(ref, scene) for ref in refs):
            return ask(f"`{format_call(call)}` rewrites a shared branch", "git log --oneline -5")
        if operand_at(call, 1) in DEPLOYS:
            return ask(f"`{format_call(call)}` deploys: what is pushed there goes live", "git log --oneline -5")
        return None
    if not all(ref.literal for ref in refs):
        return ask(f"`{format_call(call)}` overwrites a branch that is only known when it runs", with_lease(call))
    unnamed = not refs or any(ref.lstrip("+") in ("HEAD", "@") or "*" in ref for ref in refs)
    if unnamed or any(is_shared(ref, scene) for ref in refs):
        which = "whatever branch is checked out, perhaps a shared one" if unnamed else "a shared branch"
        return deny(f"`{format_call(call)}` can erase others' commits on {which}", with_lease(call, refs=False))
    return ask(f"`{format_call(call)}` can erase commits that someone else pushed", with_lease(call))


def check_deletion(call: Call, refs: list[Word], scene: Scene) -> Finding:
    if any(is_shared(ref, scene) for ref in refs):
        return deny(f"`{format_call(call)}` would delete a shared branch on the remote", list_remote(call))
    return ask(f"`{format_call(call)}` deletes {' and '.join(refs)} on the remote, for everyone", list_remote(call))


def is_shared(ref: str, scene: Scene) -> bool:
    name = ref.lstrip("+").rpartition(":")[2].removeprefix("refs/heads/")
    return name in scene.branches or name.startswith("release/")


def list_remote(call: Call) -> str:
    return "git ls-remote --heads " + quote_word(operand_at(call, 1) or "origin")


def with_lease(call: Call, *, refs: bool = True) -> str:
    """The same push with a lease; `refs=False` leaves out the branch, for a branch that is shared."""
    operands = call.operands(*VALUED)[1:] if refs else []
    return " ".join(
        ["git push --force-with-lease", *(quote_word(word).lstrip("+") for word in operands if word.literal)]
    )
