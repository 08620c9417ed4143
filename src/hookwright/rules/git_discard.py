"""Asks before git overwrites changed files with older content: checkout, restore, switch -f, rm -f.

Why: changes that were never committed or stashed are gone at once, without a question from git.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, quoted, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "git-discard-changes"
EXAMPLES = {
    "git checkout -- .": "ask",
    "git checkout .": "ask",
    "git checkout HEAD~2 -- src/": "ask",
    "git checkout src/app.py": "ask",
    "git checkout -f main": "ask",
    "git checkout main src": "ask",
    "git restore .": "ask",
    "git restore --source=HEAD --worktree src/app.ts": "ask",
    "git switch --discard-changes main": "ask",
    "git rm -rf src/": "ask",
    "git checkout -B main origin/main": "ask",
    "git switch -C main origin/main": "ask",
    "git switch -C topic origin/main": None,
    "git checkout-index -f -a": "ask",
    "git checkout main": None,
    "git checkout -b fix/force": None,
    "git checkout feature/x": None,
    "git checkout -- 2>/dev/null": None,
    "git restore --staged .": None,
    "git switch main": None,
    "git rm --cached .env": None,
    "git rm -n -r src": None,
}

# What a file's name ends with and a branch's does not.
FILE_ENDS = (
    ".py .js .ts .tsx .jsx .mjs .json .md .txt .toml .yml .yaml .html .css .scss .go .rs .java .kt .rb .php .c .h .cpp "
    ".hpp .cs .swift .sh .sql .xml .lock .cfg .ini .vue .svelte .ipynb .proto .gradle"
).split()
STASH = "git stash"


def check(call: Call, scene: Scene) -> Finding | None:
    verb = call.verb
    if verb == "restore":
        staged_only = call.has_flag("--staged", "-S") and not call.has_flag("--worktree", "-W")
        return None if staged_only or call.has_flag("--help") else lost(call)
    if verb in ("switch", "checkout"):
        moved = call.option("-C", "--force-create") if verb == "switch" else call.option("-B")
        if moved in scene.branches:
            return ask(f"`{shown(call)}` moves {moved}; commits that only it holds are lost", "git branch -vv")
    if verb == "switch":
        return lost(call) if call.has_flag("-f", "--force", "--discard-changes") else None
    if verb == "rm":
        if call.has_flag("--cached", "-n", "--dry-run") or not call.has_flag("-f", "-r", "--force"):
            return None
        return ask(
            f"`{shown(call)}` deletes these files from the folder as well",
            "git rm -r --cached " + " ".join(quoted(word) for word in call.operands()[1:]),
        )
    if verb in ("checkout-index", "read-tree"):
        return lost(call) if call.has_flag("-f", "--force", "--reset") else None
    return checkout(call)


def checkout(call: Call) -> Finding | None:
    """A branch, or files? Files after `--`, `.`, a pattern, or a name that ends like a file's."""
    if call.has_flag("-f", "--force"):
        return lost(call)
    if call.has_flag("-b", "-B", "--orphan", "-t", "--track", "-p", "--patch"):
        return None
    words = list(call.words)
    if "--" in words:
        return lost(call) if words[-1] != "--" else None
    for word in call.operands()[1:]:
        if word in (".", "*", ":/") or word.endswith(tuple(FILE_ENDS)) or word[:2] == "./":
            return lost(call)
    return lost(call) if len(call.operands()) > 2 else None  # a commit, then files


def lost(call: Call) -> Finding:
    return ask(f"`{shown(call)}` overwrites changed files; what was not committed or stashed is lost", STASH)
