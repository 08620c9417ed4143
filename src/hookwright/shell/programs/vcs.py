"""Version control: clones and histories over the network, whole-repository work, and editors that wait.

The programs and their tables are in vcs.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.call import Word
from hookwright.shell.programs import has_input, look_up_verb, make_inner_call, row_of
from hookwright.shell.programs.vcs_table import CLONES, EDITS, FETCHES, GH, GIT, REWRITES, WAITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.call import Call
    from hookwright.shell.programs import Handler, Row


def classify_git(call: Call) -> Row | None:
    """By the subcommand; one that is in neither table is quick."""
    verb = call.verb
    handler = HANDLERS.get(verb)
    return handler(call) if handler is not None else GIT.get(verb)


def classify_submodule(call: Call) -> Row | None:
    operands = call.operands()
    if len(operands) > 1 and operands[1] == "foreach":
        return classify_foreach(call, operands[2:])
    return CLONES if len(operands) > 1 and operands[1] in {"update", "add"} else None


def classify_foreach(call: Call, words: Sequence[Word]) -> Row | None:
    """`git submodule foreach 'npm ci && npm test'`: the longest call of the text."""
    if len(words) != 1:
        return row_of(make_inner_call(call, words)) if words else None
    best: Row | None = None
    for part in words[0].replace("&&", ";").replace("||", ";").split(";"):
        said = [Word(word) for word in part.split()]
        row = row_of(make_inner_call(call, said)) if said else None
        if row is not None and (best is None or row[0] == "force"):
            best = row
    return best


def classify_lfs(call: Call) -> Row | None:
    operands = call.operands()
    return (
        ("force", "download", "downloads large files")
        if len(operands) > 1 and operands[1] in {"pull", "fetch", "clone"}
        else ("suggest", "transfer", "uploads large files")
        if operands[1:2] == ["push"]
        else REWRITES
        if operands[1:2] == ["migrate"]
        else None
    )


def classify_bisect(call: Call) -> Row | None:
    return ("force", "vcs", "runs a command for many commits") if "run" in call.operands()[1:2] else None


def classify_fetch(call: Call) -> Row | None:
    return FETCHES if call.has_flag("--unshallow", "--recurse-submodules", "--all") else None


def classify_rebase(call: Call) -> Row | None:
    if call.has_flag("-i", "--interactive", "--edit-todo"):
        edited = {"GIT_SEQUENCE_EDITOR", "GIT_EDITOR", "EDITOR"} & set(call.env) or "equence.editor" in call.text
        if edited or has_input(call):
            return None
        return WAITS
    exec_ = call.option("-x", "--exec")
    return ("suggest", "vcs", "runs a command for many commits") if exec_ is not None else None


def classify_patch(call: Call) -> Row | None:
    """`git add -p`, `git checkout -p`: questions for a person."""
    if call.verb == "stash" and call.operands()[1:2] not in ([], ["push"], ["save"]):
        return None
    return WAITS if call.has_flag("-p", "--patch", "-i", "--interactive") and not has_input(call) else None


def classify_commit(call: Call) -> Row | None:
    """Without a message it opens an editor."""
    if call.has_flag("-p", "--patch", "--interactive"):
        return WAITS
    for word in call.args:
        if word[:2] == "--":
            name = word.partition("=")[0]
            if name in {
                "--message",
                "--file",
                "--no-edit",
                "--reuse-message",
                "--fixup",
                "--squash",
                "--allow-empty-message",
            }:
                return None
            if name in {"--dry-run", "--short", "--porcelain"}:
                return None
        elif word[:1] == "-" and set(word[1:]) & set("mFC"):
            return None
    return None if "GIT_EDITOR" in call.env or "EDITOR" in call.env else EDITS


def classify_push(call: Call) -> Row | None:
    """Long if it goes to a platform that builds what is pushed."""
    to = {"heroku", "dokku", "piku", "gigalixir", "production", "live"}
    return ("force", "infra", "is built by the platform") if not to.isdisjoint(call.operands()[1:2]) else None


def classify_remote(call: Call) -> Row | None:
    return FETCHES if call.operands()[1:2] == ["update"] else None


def classify_clone(call: Call) -> Row | None:
    """Quick for a local repository, whose objects are linked."""
    source = call.operands("-b", "--branch", "-o", "--origin", "-c", "--config", "--depth", "-j", "--jobs")[1:2]
    return None if source and source[0][:1] in {".", "/", "~"} else CLONES


def classify_gc(call: Call) -> Row | None:
    return None if call.has_flag("--auto") else REWRITES


HANDLERS: dict[str, Handler] = {
    "clone": classify_clone,
    "gc": classify_gc,
    "submodule": classify_submodule,
    "lfs": classify_lfs,
    "bisect": classify_bisect,
    "fetch": classify_fetch,
    "pull": classify_fetch,
    "rebase": classify_rebase,
    **dict.fromkeys(("add", "checkout", "reset", "stash", "restore"), classify_patch),
    "commit": classify_commit,
    "remote": classify_remote,
    "push": classify_push,
}


def classify_github(call: Call) -> Row | None:
    if call.has_flag("--watch", "--follow") or (call.program == "glab" and "trace" in call.operands()):
        return "force", "follow", "follows a run until it ends"
    if call.is_(call.program, "auth", "login") and call.has_flag("--with-token"):
        return None
    if call.is_(call.program, "repo", "fork"):
        return CLONES if call.has_flag("--clone") and "--clone=false" not in call.words else None
    return look_up_verb(call, GH, "-R", "--repo")


def classify_other_vcs(call: Call) -> Row | None:
    """hg, svn, bzr, fossil, repo, p4, jj."""
    verb = call.verb
    if call.program == "jj":
        return (
            CLONES
            if call.operands()[:2] == ["git", "clone"]
            else (WAITS if verb in {"split", "diffedit", "resolve"} or call.has_flag("-i") else None)
        )
    if verb in {"clone", "checkout", "co", "sync"}:
        return CLONES if verb != "checkout" or call.program == "svn" else None
    if verb in {"pull", "update", "up", "export"} and call.program in {"svn", "repo", "bzr"}:
        return FETCHES
    if verb == "serve":
        return "force", "server", "starts a server that does not end"
    return None
