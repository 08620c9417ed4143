"""Stops `rm` where the target is more than a folder that a build brings back.

Why: `rm` asks nothing and nothing comes back. Root, home, system, `.git` and keys are refused; other folders are asked
about, since work that is not committed goes with them; `node_modules`, `dist`, `/tmp/…` and single files pass.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, quoted, shown
from hookwright.rules.paths import (
    FREE,
    GIT,
    HOME,
    INSIDE,
    NEVER,
    OUTSIDE,
    PRECIOUS,
    PROJECT,
    REMOTE,
    ROOT,
    SETTINGS,
    SYSTEM,
    UNKNOWN,
    WHAT,
    folder_of_all,
    kind,
)
from hookwright.rules.protected import SECRET_NAMES
from hookwright.shell.command import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "recursive-delete"
EXAMPLES = {
    "rm -rf /": "deny",
    "sudo rm -rf /*": "deny",
    'cd ~ && rm -rf "$PWD"': "deny",
    "X=/; rm -rf $X": "deny",
    "rm -rf ~/.ssh": "deny",
    "rm -rf /home/$USER": "deny",
    "rm -rf /var/lib/postgresql": "deny",
    "rm -rf .git": "deny",
    "rm ~/.claude/settings.json": "deny",
    "ssh web 'rm -rf /srv/app'": "deny",
    "docker run -v /:/host alpine rm -rf /host/home": "deny",
    "rm -rf src": "ask",
    "rm -rf ../other": "ask",
    'rm -rf "$DIR"': "ask",
    "rm -rf *": "ask",
    "rm .env": "ask",
    "rm -f *.sqlite3": "ask",
    "rm src/*.py": "ask",
    'for f in *.md; do rm "$f"; done': "ask",
    "rm .git/hooks/pre-commit": "ask",
    "rm -f .git/hooks/*": "deny",
    "ls / | xargs -I{} sudo rm -rf /{}": "deny",
    "cat <<EOF | ssh web bash\nrm -rf /srv/app\nEOF": "deny",
    "rm -rf env": "ask",
    "rm -rf venv env": None,
    "rm -rf _build deps": None,
    "rm -rf node_modules dist": None,
    "mkdir demo && cd demo && npm init -y && cd .. && rm -rf demo": None,
    "rm -rf packages/*/build": None,
    "rm -rf /tmp/work": None,
    'rm -rf "$(mktemp -d)"': None,
    "rm -f .git/index.lock": None,
    "rm -f *.log build/*.js": None,
    'for f in *.log; do rm "$f"; done': None,
    "rm -rf $(find . -name __pycache__)": None,
    "rm notes.txt": None,
    "echo rm -rf /": None,
    "git commit -m 'never rm -rf /'": None,
}

KEPT_ENDS = (".sqlite", ".sqlite3", ".db", ".dump", ".rdb", ".tfstate", ".pem", ".key", ".p12", ".kdbx", ".env")
# What a project is not one without.
MANIFESTS = frozenset("package.json pyproject.toml Cargo.toml go.mod pom.xml Gemfile composer.json".split())
VITAL = frozenset("/etc/passwd /etc/shadow /etc/group /etc/fstab /etc/sudoers /etc/hosts /etc/resolv.conf".split())
ALWAYS = frozenset(("rimraf", "del-cli", "trash-empty"))
FED = ("xargs", "parallel")
SEARCHES = ("find", "gfind", "fd", "fdfind")


def check(call: Call, scene: Scene) -> Finding | None:
    """The strictest answer over all targets."""
    if call.has_flag("--help", "--version"):
        return None
    if fed(call):
        from hookwright.rules import find_delete

        return find_delete.fed(call, scene)
    recursive = call.program in ALWAYS or call.has_flag("-r", "-R", "--recursive")
    first = None
    targets = call.operands()
    if "obj" in targets or "obj/" in targets:
        targets = [word for word in targets if word not in ("bin", "bin/")]  # what .NET builds
    if not {"venv", ".venv"}.isdisjoint(targets):
        targets = [word for word in targets if word not in ("env", "env/")]  # another one
    if "deps" in targets and ("mix" in scene.command.programs or "_build" in targets):
        targets = [word for word in targets if word != "deps"]  # what mix fetches
    for word in spelled(call, targets):
        finding = target(call, word, scene, recursive=recursive)
        if finding is not None:
            if finding.verdict == "deny":
                return finding
            first = first or finding
    return first


def fed(call: Call) -> bool:
    """Whether its targets come from a search: `find -exec rm {}`, `… | xargs rm`."""
    last = call.words[-1]
    outer = call.outer
    if outer is not None and outer.program in SEARCHES:
        return not last.literal or not call.operands()
    if reads_names(call) and (call.stdin_text is None or not call.stdin_text.literal):
        return True
    return last == "{}" and not last.literal and any(wrapper.program in FED for wrapper in call.wrappers)


def reads_names(call: Call) -> bool:
    """`while read f; do rm "$f"; done`."""
    loop = call.loop
    if loop is None or loop.kind != "while" or not loop.condition:
        return False
    read = loop.condition[-1]
    return read.program == "read" and not call.words[-1].literal and call.words[-1].strip("${}") in read.words


def spelled(call: Call, targets: list[Word]) -> list[Word]:
    """The targets, and for the variable of a loop what it goes through: `for f in *.md; do rm "$f"; done`."""
    if reads_names(call) and call.stdin_text is not None:
        return [*targets[:-1], *map(Word, call.stdin_text.split())]
    found: list[Word] = []
    for word in targets:
        values: tuple[Word, ...] = (word,)
        loop = None if word.literal else call.loop
        while loop is not None:
            if loop.variable and word in (f"${loop.variable}", f"${{{loop.variable}}}"):
                values = loop.values or values
            loop = loop.outer
        found += values
    return found


def target(call: Call, word: Word, scene: Scene, *, recursive: bool) -> Finding | None:
    """What deleting this one word means."""
    what = kind(call, word, scene)
    if what in FREE or (what in (INSIDE, OUTSIDE) and made_here(call, word, scene)):
        return None
    if what == UNKNOWN and len(word.ran) == 1 and word == word.ran[0]:
        from hookwright.rules import find_delete

        return find_delete.printed_list(call, word, scene)
    if not recursive or is_file(word):
        return single(call, word, what, scene)
    if what == REMOTE:
        return remote(call, word)
    if what == GIT and cloned_here(word, scene):
        return None
    if what in NEVER:
        return deny(f"`{shown(call)}` would delete {WHAT[what]}", look(word))
    if what == UNKNOWN and word in ("/{}", "/{}/", "~/{}", "$HOME/{}") and call.wrappers:
        return deny(f"`{shown(call)}` would delete one thing after another from the top", "ls /")
    if what == UNKNOWN:
        hint = ", or everything if it is empty" if "/" in word else ""
        return ask(
            f"`{shown(call)}` deletes a folder that is only known when it runs{hint}", "ls -la " + safe_word(word)
        )
    return ask(
        f"`{shown(call)}` would delete {WHAT[what]}", f"mv {quoted(word)} /tmp/" if what == INSIDE else look(word)
    )


def single(call: Call, word: Word, what: str, scene: Scene) -> Finding | None:
    """One file, or all files of one folder without the folders in it."""
    path = call.path(word) or ""
    everything = word.glob and folder_of_all(path) != path
    if what in (ROOT, HOME):
        return deny(f"`{shown(call)}` would delete the files of {WHAT[what]}", look(word)) if everything else None
    if what == SETTINGS:
        return deny(f"`{shown(call)}` would delete {WHAT[what]}", look(word))
    if what == GIT:
        return git_file(call, word, path)
    if what == PRECIOUS:
        return deny(f"`{shown(call)}` would delete a key that nothing brings back", look(word))
    if what == SYSTEM:
        if path in VITAL or everything or path.startswith("/boot/"):
            return deny(f"`{shown(call)}` would delete a file that the system cannot do without", look(word))
        return ask(f"`{shown(call)}` deletes a file of the operating system", look(word))
    if what == PROJECT:
        return ask(f"`{shown(call)}` deletes every file of this folder, committed or not", "git status --short")
    if what in (REMOTE, OUTSIDE):
        return ask(f"`{shown(call)}` deletes a file outside of the project", look(word))
    if what == INSIDE and keeps(word):
        return ask(f"`{shown(call)}` deletes what nothing else holds", f"mv {quoted(word)} /tmp/")
    if what == INSIDE and word.glob and "*" in word.rpartition("/")[2]:
        return ask(f"`{shown(call)}` deletes every file that matches, committed or not", "ls " + quoted(word))
    return None


def git_file(call: Call, word: Word, path: str) -> Finding | None:
    inner = path.rpartition(".git/")[2]
    if inner.endswith((".lock", "_MSG", "_HEAD")) and inner != "HEAD":
        return None
    if inner.startswith("hooks/") and word.glob:
        return deny(f"`{shown(call)}` removes every git hook: the checks that somebody put there", look(word))
    if inner.startswith("hooks/"):
        return ask(f"`{shown(call)}` removes a git hook: a check that somebody put there", look(word))
    return deny(f"`{shown(call)}` would break the repository: {inner or '.git'} is part of its history", look(word))


def remote(call: Call, word: Word) -> Finding:
    assert call.remote is not None
    where = call.remote[1]
    if call.remote[0] == "ssh" and word[:1] == "/":
        return deny(f"`{shown(call)}` would delete files on {where}, where no project and no undo is known", look(word))
    return ask(f"`{shown(call)}` deletes files on {where}", look(word))


def is_file(word: Word) -> bool:
    """`rm -rf notes.txt`: by its name a file, whatever the flags."""
    name = word.rpartition("/")[2]
    stem, dot, end = name.rpartition(".")
    return bool(stem and dot) and 0 < len(end) <= 7 and end.isalnum() and not end.isdigit() and word.literal


def keeps(word: Word) -> bool:
    name = word.rpartition("/")[2]
    return (
        name in MANIFESTS
        or name in SECRET_NAMES
        or name.endswith(KEPT_ENDS)
        or (name.startswith(".env") and "example" not in name and "sample" not in name)
    )


def made_here(call: Call, word: Word, scene: Scene) -> bool:
    """Whether an earlier call of the same command has made what is deleted: `mkdir x && … && rm -rf x`."""
    path = call.path(word)
    for other in scene.command.calls:
        if other is call:
            break
        if path is not None and any(other.path(made) == path for made in makes(other)):
            return True
    return False


def makes(call: Call) -> list[Word]:
    """The folders that a call makes."""
    program = call.program
    operands = call.operands("-b", "--branch", "--depth", "-m", "--mode")
    if program == "mkdir":
        return operands
    if program == "git" and operands[:1] in (["clone"], ["init"]) and len(operands) > 1:
        named = operands[2:] if operands[0] == "clone" else operands[1:]
        return named or [Word(operands[1].rpartition("/")[2].removesuffix(".git"))]
    if program == "git" and operands[:2] == ["worktree", "add"]:
        return operands[2:3]
    if program == "unzip":
        return call.options("-d")
    if program.startswith("create-") or (program in ("cargo", "rails", "django-admin") and operands[:1] == ["new"]):
        return operands
    return operands[-1:] if program == "cp" and len(operands) > 1 else []


def cloned_here(word: Word, scene: Scene) -> bool:
    """`git clone x y && rm -rf y/.git`: the history is still where it came from."""
    folder = word.removesuffix("/").removesuffix("/.git")
    for call in scene.command.calls_of("git", "clone"):
        operands = call.operands("--depth", "-b", "--branch", "-o", "--origin", "-c", "--config")
        name = operands[2] if len(operands) > 2 else operands[-1].rpartition("/")[2].removesuffix(".git")
        if folder in (name, "./" + name):
            return True
    return False


def look(word: Word) -> str:
    return "ls -la " + safe_word(word)


def safe_word(word: Word) -> str:
    """The word for a command that only looks; a substitution in it must not run again."""
    return quoted(word) if word.literal else f"'{str(word).replace(chr(39), '')}'"
