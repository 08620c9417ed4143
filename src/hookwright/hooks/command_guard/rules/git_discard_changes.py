"""Asks before git overwrites changed files with older content: checkout, restore, switch -f, rm -f.

Why: changes that were never committed or stashed are lost at once, and git asks for no confirmation.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call, quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
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
    "git restore --staged «--worktree|-W» a.py": "ask",
    "git restore -SW a.py": "ask",
    "git switch --force-create main": "ask",
    "git switch «-f|--force» feature": "ask",
    "git rm «-f|-r|--force» a.py": "ask",
    "git «checkout-index -a|read-tree HEAD» «-f|--force|--reset»": "ask",
    "git checkout --force": "ask",
    "git checkout «*|:/|./a»": "ask",
    "git checkout -- Makefile": "ask",
    "git checkout HEAD Makefile": "ask",
    "git checkout a«.js|.ts|.tsx|.jsx|.mjs|.json|.md|.txt|.toml|.yml|.yaml|.html|.css|.scss|.go|.rs|.java»": "ask",
    "git checkout a«.kt|.rb|.php»": "ask",
    "git checkout a«.c|.h|.cpp|.hpp|.cs|.swift|.sh|.sql|.xml|.lock|.cfg|.ini|.vue|.svelte|.ipynb|.proto»": "ask",
    "git checkout a.gradle": "ask",
    "git checkout main": None,
    "git checkout -b fix/force": None,
    "git checkout feature/x": None,
    "git checkout -- 2>/dev/null": None,
    "git restore --staged .": None,
    "git switch main": None,
    "git rm --cached .env": None,
    "git rm -n -r src": None,
    "git restore -S a.py": None,
    "git rm -r --dry-run src": None,
    "git rm a.py": None,
    "git checkout-index -a": None,
    "git checkout «-b|--orphan|-t|--track|-p|--patch» topic.py origin/main": None,
    "git checkout -B topic.py": None,
    "git checkout -bfeature": None,
    "git switch -cfeature": None,
    "git checkout --conflict merge main": None,
}

# Extensions that file names have and branch names do not.
FILE_ENDS = (
    ".py .js .ts .tsx .jsx .mjs .json .md .txt .toml .yml .yaml .html .css .scss .go .rs .java .kt .rb .php .c .h .cpp "
    ".hpp .cs .swift .sh .sql .xml .lock .cfg .ini .vue .svelte .ipynb .proto .gradle"
).split()
STASH = "git stash"


def check(call: Call, scene: Scene) -> Finding | None:
    finding = find_loss(call, scene)
    if finding is not None and scene.session is not None and scene.session.owns_edits(call):
        return None  # it discards what this session wrote itself
    return finding


def find_loss(call: Call, scene: Scene) -> Finding | None:
    verb = call.verb
    if verb == "restore":
        staged_only = call.has_flag("--staged", "-S") and not call.has_flag("--worktree", "-W")
        return None if staged_only else ask_about_loss(call)
    if verb in ("switch", "checkout"):
        moved = call.option("-C", "--force-create") if verb == "switch" else call.option("-B")
        if moved in scene.branches:
            return ask(f"`{format_call(call)}` moves {moved}; commits that only it holds are lost", "git branch -vv")
    if verb == "switch":
        creates = any(word[:2] in ("-c", "-C") and len(word) > 2 for word in call.args)  # -cfeature
        forced = call.has_flag("-f", "--force", "--discard-changes")
        return ask_about_loss(call) if forced and not creates else None
    if verb == "rm":
        if call.has_flag("--cached", "-n", "--dry-run") or not call.has_flag("-f", "-r", "--force"):
            return None
        return ask(
            f"`{format_call(call)}` deletes these files from the folder as well",
            "git rm -r --cached " + " ".join(quote_word(word) for word in call.operands()[1:]),
        )
    if verb in ("checkout-index", "read-tree"):
        return ask_about_loss(call) if call.has_flag("-f", "--force", "--reset") else None
    return check_checkout(call)


def check_checkout(call: Call) -> Finding | None:
    """Checkout of files, not of a branch: after `--`, `.`, a pattern, or a name with a file's extension."""
    attached = next((word for word in call.args if word[:2] in ("-b", "-B") and len(word) > 2), None)  # -bfeature
    if attached is None and call.has_flag("-f", "--force"):
        return ask_about_loss(call)
    if attached is not None or call.has_flag("-b", "-B", "--orphan", "-t", "--track", "-p", "--patch"):
        return None
    words = list(call.words)
    if "--" in words:
        return ask_about_loss(call) if words[-1] != "--" else None
    operands = call.operands("--conflict", "--pathspec-from-file", "--recurse-submodules")
    for word in operands[1:]:
        if word in (".", "*", ":/") or word.endswith(tuple(FILE_ENDS)) or word[:2] == "./":
            return ask_about_loss(call)
    return ask_about_loss(call) if len(operands) > 2 else None  # a commit, then files


def ask_about_loss(call: Call) -> Finding:
    return ask(f"`{format_call(call)}` overwrites changed files; what was not committed or stashed is lost", STASH)
