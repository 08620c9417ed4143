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
    "git push «--force-with-lease|--force-with-lease origin|--force-with-lease origin HEAD»": "ask",
    "git push origin main --for": "deny",
    "hub push -f origin main": "deny",
    "git push origin --force --tags": "deny",
    "git push --force-with-lease origin feature/x": None,
    "git push --dry-run --force origin main": None,
    "git push origin feature/x": None,
    "echo 'git push --force'": None,
    "git push -n --force origin main": None,
}

DEPLOYS = ("heroku", "dokku", "production", "prod", "live")  # remotes that deploy what is pushed
SHORTEST = 5  # characters of an option that is cut short
VALUED = ("-o", "--push-option", "--repo", "--receive-pack", "--exec")


def check(call: Call, scene: Scene) -> Finding | None:
    if call.has_flag("-n", "--dry-run"):
        return None
    refs = call.operands(*VALUED)[2:]
    if has_option(call, "--mirror"):
        return deny(
            f"`{format_call(call)}` makes the remote equal to here: every branch that is not here is deleted there",
            list_remote(call),
        )
    deletes = call.has_flag("-d") or has_option(call, "--delete")
    gone = [ref for ref in refs if ref[:1] == ":" or deletes]
    if gone:
        return check_deletion(call, gone, scene)
    if call.has_flag("--prune") and not call.has_flag("-f", "--force"):
        return ask(f"`{format_call(call)}` deletes branches on the remote that are not here", list_remote(call))
    forced = call.has_flag("-f") or has_option(call, "--force") or any(ref[:1] == "+" for ref in refs)
    if not forced:
        if call.has_flag("--force-with-lease", "--force-if-includes") and rewrites_shared(call, refs, scene):
            return ask(
                f"`{format_call(call)}` rewrites a shared branch, or one that it does not name", new_branch(call)
            )
        if operand_at(call, 1) in DEPLOYS:
            return ask(f"`{format_call(call)}` deploys: what is pushed there goes live", "git log --oneline -5")
        return None
    if not all(ref.literal for ref in refs):
        return ask(f"`{format_call(call)}` overwrites a branch that is only known when it runs", list_remote(call))
    unnamed = not refs or any(ref.lstrip("+") in ("HEAD", "@") or "*" in ref for ref in refs)
    if unnamed or any(is_shared(ref, scene) for ref in refs):
        which = "the current branch" if unnamed else "a shared branch"
        if call.has_flag("--tags") and not refs:
            return deny(f"`{format_call(call)}` replaces tags that others have fetched", list_remote(call))
        return deny(f"`{format_call(call)}` can erase others' commits on {which}", new_branch(call))
    return ask(f"`{format_call(call)}` can erase commits that someone else pushed", with_lease(call))


def has_option(call: Call, name: str) -> bool:
    """Whether the option is given, perhaps cut short as git allows: `--forc`, `--del`."""
    return any(len(word) >= SHORTEST and name.startswith(word) for word in call.args)


def check_deletion(call: Call, refs: list[Word], scene: Scene) -> Finding:
    if any(is_shared(ref, scene) for ref in refs):
        return deny(f"`{format_call(call)}` would delete a shared branch on the remote", list_remote(call))
    return ask(f"`{format_call(call)}` deletes {' and '.join(refs)} on the remote, for everyone", list_remote(call))


def is_shared(ref: str, scene: Scene) -> bool:
    name = ref.lstrip("+").rpartition(":")[2].removeprefix("refs/heads/")
    return name in scene.branches or name.startswith("release/")


def list_remote(call: Call) -> str:
    return "git ls-remote --heads " + quote_word(operand_at(call, 1) or "origin")


def with_lease(call: Call) -> str:
    """The same push with a lease."""
    operands = call.operands(*VALUED)[1:]
    return " ".join(["git push --force-with-lease", *(quote_word(word).lstrip("+") for word in operands)])


def new_branch(call: Call) -> str:
    """A push of the same commits that no branch of others can be the target of."""
    remote = operand_at(call, 1)
    return f"git push {quote_word(remote) if remote else 'origin'} HEAD:refs/heads/new-branch"


def rewrites_shared(call: Call, refs: list[Word], scene: Scene) -> bool:
    """Whether a push with a lease rewrites a shared branch: named, or the one that is checked out, or unknown."""
    named = [ref for ref in refs if ref.lstrip("+") not in ("HEAD", "@")]
    if named:
        return any(is_shared(ref, scene) for ref in named)
    branch = read_branch(call)
    return not branch or is_shared(branch, scene)


def read_branch(call: Call) -> str:
    """The branch that is checked out where the call runs; "" if that is not known."""
    folder = call.option("-C")
    path = call.cwd if folder is None else call.path(folder)
    if path is None or path[:1] != "/" or call.remote is not None:
        return ""
    from hookwright.git.directory import find_worktree_root, git_dir, read_first_line

    top = find_worktree_root(path)
    head = read_first_line(git_dir(top) + "/HEAD") if top else ""
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else ""
