"""Asks before branches, tags, worktrees and submodules are removed by force.

Why: `-D` drops commits that no other branch holds; a forced worktree or submodule removal drops uncommitted files.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, operand_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "git-delete-refs"
EXAMPLES = {
    "git branch -D feature": "ask",
    "git branch --delete --force feature": "ask",
    "git branch -f main HEAD~5": "ask",
    "git tag -d v1.0": "ask",
    "git tag -f v1.0": "ask",
    "git update-ref -d refs/heads/main": "deny",
    "git update-ref -d refs/heads/x": "ask",
    "git update-ref refs/heads/main abc123": "ask",
    "git update-ref refs/heads/topic abc123": None,
    "git worktree remove --force ../wt": "ask",
    "git submodule deinit -f --all": "ask",
    "git remote remove origin": "ask",
    "git tag --force v1": "ask",
    "git tag --delete v1": "ask",
    "git update-ref --delete refs/heads/x": "ask",
    "git remote rm origin": "ask",
    "git update-ref -d -m gone refs/heads/x": "ask",
    "git branch -d merged": None,
    "git branch -a": None,
    "git tag -l 'v1*'": None,
    "git tag -a v1 -m 'drop old things'": None,
    "git worktree add ../wt": None,
    "git worktree remove ../wt": None,
    "git submodule update --init": None,
    "git remote -v": None,
    "git remote set-url origin https://example.com/other.git": None,
    "git tag -l -d": None,
    "git tag -m 'x' -d": None,
}

EFFECT = {
    "branch": "can drop commits that no other branch holds",
    "tag": "removes or moves a tag, the name of a release",
    "update-ref": "deletes a branch without any check",
    "worktree": "deletes a folder with its uncommitted changes",
    "submodule": "deletes the submodules' folders with their changes",
    "remote": "forgets the remote with everything that was fetched from it",
}
SAFER = {
    "branch": "git branch -vv",
    "tag": "git tag -n",
    "update-ref": "git branch -vv",
    "worktree": "git worktree list",
    "submodule": "git submodule status",
    "remote": "git remote -v",
}


def check(call: Call, scene: Scene) -> Finding | None:
    verb = call.verb
    if not deletes_ref(call, verb):
        shared = [word for word in call.operands()[1:2] if word.removeprefix("refs/heads/") in scene.branches]
        if verb == "update-ref" and shared:
            return ask(f"`{format_call(call)}` moves a shared branch, without any check", SAFER[verb])
        return None
    if verb == "update-ref" and any(word.removeprefix("refs/heads/") in scene.branches for word in call.operands()):
        return deny(f"`{format_call(call)}` deletes a shared branch, without any check", SAFER[verb])
    return ask(f"`{format_call(call)}` {EFFECT[verb]}", SAFER[verb])


def deletes_ref(call: Call, verb: str) -> bool:
    if verb == "branch":
        return call.has_flag("-D", "-f", "--force")
    if verb == "tag" and call.has_flag("-f", "--force"):
        return True
    if verb in ("tag", "update-ref"):
        return call.has_flag("-d", "--delete") and (verb != "tag" or not call.has_flag("-m", "-l"))
    operation = operand_at(call, 1)
    if verb == "remote":
        return operation in ("remove", "rm")
    return operation in ("remove", "deinit") and call.has_flag("-f", "--force")
