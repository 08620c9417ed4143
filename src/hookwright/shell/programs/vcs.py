"""Version control: clones and histories over the network, whole-repository work, and editors that wait.

force    git clone https://github.com/acme/app
force    git submodule update --init --recursive
force    git rebase -i HEAD~4
force    git bisect run ./test.sh
suggest  git gc --aggressive
none     git status
none     git commit -m "run npm install first"
none     git push origin main
force    gh run watch 123456
none     gh pr view 12
"""

from __future__ import annotations

from hookwright.shell.command import Word
from hookwright.shell.programs import each, is_fed, looked_up, row_of, table, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

CLONES: Row = ("force", "vcs", "downloads a repository")
FETCHES: Row = ("suggest", "vcs", "fetches much")
REWRITES: Row = ("suggest", "vcs", "works over the whole history")
WAITS: Row = ("force", "terminal", "waits for a person")
EDITS: Row = ("force", "terminal", "opens an editor")
FOLLOWS: Row = ("force", "follow", "follows without end")


def git(call: Call) -> Row | None:
    """Verbs about which there is something to say; all others are quick."""
    handler = GIT.get(call.verb)
    if handler is None or handler.__class__ is tuple:
        return handler  # a row
    return handler(call)  # type: ignore[operator]  # a function


def submodule(call: Call) -> Row | None:
    operands = call.operands()
    if len(operands) > 1 and operands[1] == "foreach":
        return foreach(call, operands[2:])
    return CLONES if len(operands) > 1 and operands[1] in {"update", "add"} else None


def foreach(call: Call, words: Sequence[Word]) -> Row | None:
    """`git submodule foreach 'npm ci && npm test'`: the longest of a text, or one call."""
    if len(words) != 1:
        return row_of(within(call, words)) if words else None
    best: Row | None = None
    for part in words[0].replace("&&", ";").replace("||", ";").split(";"):
        said = [Word(word) for word in part.split()]
        row = row_of(within(call, said)) if said else None
        if row is not None and (best is None or row[0] == "force"):
            best = row
    return best


def lfs(call: Call) -> Row | None:
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


def bisect(call: Call) -> Row | None:
    return ("force", "vcs", "runs a command for many commits") if "run" in call.operands()[1:2] else None


def fetch(call: Call) -> Row | None:
    return FETCHES if call.has_flag("--unshallow", "--recurse-submodules", "--all") else None


def interactive(call: Call) -> Row | None:
    if call.has_flag("-i", "--interactive", "--edit-todo"):
        edited = {"GIT_SEQUENCE_EDITOR", "GIT_EDITOR", "EDITOR"} & set(call.env) or "equence.editor" in call.text
        if edited or is_fed(call):
            return None
        return WAITS
    exec_ = call.option("-x", "--exec")
    return ("suggest", "vcs", "runs a command for many commits") if exec_ is not None else None


def patch(call: Call) -> Row | None:
    """`git add -p`, `git checkout -p`: questions for a person."""
    if call.verb == "stash" and call.operands()[1:2] not in ([], ["push"], ["save"]):
        return None
    return WAITS if call.has_flag("-p", "--patch", "-i", "--interactive") and not is_fed(call) else None


def commit(call: Call) -> Row | None:
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


def push(call: Call) -> Row | None:
    """To a platform that builds what it gets."""
    to = {"heroku", "dokku", "piku", "gigalixir", "production", "live"}
    return ("force", "infra", "is built by the platform") if not to.isdisjoint(call.operands()[1:2]) else None


def remote(call: Call) -> Row | None:
    return FETCHES if call.operands()[1:2] == ["update"] else None


def clone(call: Call) -> Row | None:
    """A repository of this machine is linked, not copied."""
    source = call.operands("-b", "--branch", "-o", "--origin", "-c", "--config", "--depth", "-j", "--jobs")[1:2]
    return None if source and source[0][:1] in {".", "/", "~"} else CLONES


def collect(call: Call) -> Row | None:
    return None if call.has_flag("--auto") else REWRITES


GIT: dict[str, Handler] = {
    "clone": clone,
    "gc": collect,
    "submodule": submodule,
    "lfs": lfs,
    "bisect": bisect,
    "fetch": fetch,
    "pull": fetch,
    "rebase": interactive,
    **each("add checkout reset stash restore", patch),
    "commit": commit,
    **each("repack fsck filter-branch filter-repo", REWRITES),
    **each("daemon instaweb gui citool", ("force", "server", "stays until somebody stops it")),
    **each("mergetool difftool", WAITS),
    **each("svn p4 cvsimport subtree", FETCHES),
    "remote": remote,
    "push": push,
}

GH = table(
    {
        CLONES: "repo clone, gist clone",
        FOLLOWS: "run watch",
        ("suggest", "download", "downloads files"): "release download, run download",
        ("suggest", "transfer", "uploads files"): "release upload, release create",
        ("suggest", "install", "downloads an extension"): "extension install, extension upgrade",
        ("force", "terminal", "waits for a person"): "auth login, codespace ssh, cs ssh, copilot suggest",
        ("suggest", "infra", "makes a virtual machine"): "codespace create, cs create",
    }
)


def github(call: Call) -> Row | None:
    if call.has_flag("--watch", "--follow") or (call.program == "glab" and "trace" in call.operands()):
        return "force", "follow", "follows a run until it ends"
    if call.is_(call.program, "auth", "login") and call.has_flag("--with-token"):
        return None
    if call.is_(call.program, "repo", "fork"):
        return CLONES if call.has_flag("--clone") and "--clone=false" not in call.words else None
    return looked_up(call, GH, "-R", "--repo")


def older(call: Call) -> Row | None:
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


PROGRAMS: dict[str, Handler] = {
    "git": git,
    **each("gh glab hub", github),
    **each("hg svn bzr fossil repo p4 jj", older),
    **each("git-filter-repo bfg", REWRITES),
}
