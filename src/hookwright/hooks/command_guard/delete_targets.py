"""What deleting one path would destroy: for `rm` and for code that deletes.

rules/recursive_delete, rules/inline_code → [check_target] → Finding | None
"""

from __future__ import annotations

from hookwright.hooks.command_guard.path_kinds import (
    DESCRIPTION,
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
    classify_word,
    strip_wildcard,
)
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, quote_word, quote_words
from hookwright.hooks.command_guard.secret_paths import NAMES
from hookwright.shell.command import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

DELETERS = frozenset(("rm", "grm", "rimraf", "del-cli", "unlink"))
KEPT_ENDS = (".sqlite", ".sqlite3", ".db", ".dump", ".rdb", ".tfstate", ".pem", ".key", ".p12", ".kdbx", ".env")
# Files without which it is no project.
MANIFESTS = frozenset("package.json pyproject.toml Cargo.toml go.mod pom.xml Gemfile composer.json".split())
VITAL = frozenset("/etc/passwd /etc/shadow /etc/group /etc/fstab /etc/sudoers /etc/hosts /etc/resolv.conf".split())


def check_target(call: Call, word: Word, scene: Scene, *, recursive: bool) -> Finding | None:
    """The finding on deleting the path that this word names; None if that is harmless."""
    kind = classify_word(call, word, scene)
    if kind in FREE or (kind in (INSIDE, OUTSIDE) and made_here(call, word, scene)):
        return None
    if kind in (INSIDE, OUTSIDE, GIT) and scene.session is not None and made_before(call, word, scene):
        return None
    if kind == UNKNOWN and len(word.ran) == 1 and word == word.ran[0]:
        from hookwright.hooks.command_guard.delete_searches import check_substitution

        return check_substitution(call, word, scene)
    if not recursive or is_file(word):
        return check_single_file(call, word, kind)
    if kind == REMOTE:
        return check_remote(call, word)
    if kind == GIT and cloned_here(word, scene):
        return None
    if kind == GIT and "/hooks/" in word and not word.glob:
        return check_git_file(call, word, call.path(word) or "")
    if kind == SYSTEM and call.remote is not None and word.startswith("/etc/") and len(word) > len("/etc/*"):
        return ask(f"`{format_call(call)}` deletes settings on {call.remote[1]}", ls_command(call, word))
    if kind in NEVER:
        return deny(f"`{format_call(call)}` would delete {DESCRIPTION[kind]}", ls_command(call, word))
    if kind == UNKNOWN and word in ("/{}", "/{}/", "~/{}", "$HOME/{}") and call.wrappers:
        return deny(f"`{format_call(call)}` would delete one thing after another from the top", "ls /")
    if kind == UNKNOWN:
        hint = ", or everything if it is empty" if "/" in word else ""
        return ask(
            f"`{format_call(call)}` deletes a folder that is only known when it runs{hint}", "ls -la " + safe_word(word)
        )
    return ask(
        f"`{format_call(call)}` would delete {DESCRIPTION[kind]}",
        move_command(call, word) if kind == INSIDE else ls_command(call, word),
    )


def check_single_file(call: Call, word: Word, kind: str) -> Finding | None:
    """Deletion of one file, or of all files of one directory without its subdirectories."""
    path = call.path(word) or ""
    everything = word.glob and strip_wildcard(path) != path
    if kind in (ROOT, HOME):
        return (
            deny(f"`{format_call(call)}` would delete the files of {DESCRIPTION[kind]}", ls_command(call, word))
            if everything
            else None
        )
    if kind == SETTINGS:
        return deny(f"`{format_call(call)}` would delete {DESCRIPTION[kind]}", ls_command(call, word))
    if kind == GIT:
        return check_git_file(call, word, path)
    if kind == PRECIOUS:
        return deny(f"`{format_call(call)}` would delete a key that nothing brings back", ls_command(call, word))
    if kind == SYSTEM:
        if path in VITAL or everything or path.startswith("/boot/"):
            return deny(
                f"`{format_call(call)}` would delete a file that the system cannot do without", ls_command(call, word)
            )
        return ask(f"`{format_call(call)}` deletes a file of the operating system", ls_command(call, word))
    if kind == PROJECT:
        return ask(f"`{format_call(call)}` deletes every file of this folder, committed or not", "git status --short")
    if kind in (REMOTE, OUTSIDE):
        return ask(f"`{format_call(call)}` deletes a file outside of the project", ls_command(call, word))
    if kind == INSIDE and is_irreplaceable(word):
        return ask(f"`{format_call(call)}` deletes what nothing else holds", move_command(call, word))
    if kind == INSIDE and word.glob and "*" in word.rpartition("/")[2]:
        return ask(f"`{format_call(call)}` deletes every file that matches, committed or not", "ls " + quote_word(word))
    return None


def check_git_file(call: Call, word: Word, path: str) -> Finding | None:
    inner = path.rpartition(".git/")[2]
    if inner.endswith((".lock", "_MSG", "_HEAD")) and inner != "HEAD":
        return None
    if inner.startswith("hooks/") and word.glob:
        return deny(
            f"`{format_call(call)}` removes every git hook, and with them the repository's checks",
            ls_command(call, word),
        )
    if inner.startswith("hooks/"):
        return ask(f"`{format_call(call)}` removes a git hook, one of the repository's checks", ls_command(call, word))
    return deny(
        f"`{format_call(call)}` would break the repository: {inner or '.git'} is part of its history",
        ls_command(call, word),
    )


def check_remote(call: Call, word: Word) -> Finding:
    assert call.remote is not None
    where = call.remote[1]
    if call.remote[0] == "ssh" and word[:1] == "/":
        return deny(
            f"`{format_call(call)}` would delete files on {where}, where no project and no undo is known",
            ls_command(call, word),
        )
    return ask(f"`{format_call(call)}` deletes files on {where}", ls_command(call, word))


def is_file(word: Word) -> bool:
    """Whether the name is that of a file: `rm -rf notes.txt` deletes no directory."""
    name = word.rpartition("/")[2]
    stem, dot, end = name.rpartition(".")
    return bool(stem and dot) and 0 < len(end) <= 7 and end.isalnum() and not end.isdigit() and word.literal


def is_irreplaceable(word: Word) -> bool:
    name = word.rpartition("/")[2]
    return (
        name in MANIFESTS
        or name in NAMES
        or name.endswith(KEPT_ENDS)
        or (name.startswith(".env") and "example" not in name and "sample" not in name)
    )


def made_here(call: Call, word: Word, scene: Scene) -> bool:
    """Whether an earlier call of the same command created it: `mkdir x && … && rm -rf x`."""
    path = call.path(word)
    for other in scene.command.calls:
        if other is call:
            break
        if path is not None and any(other.path(made) == path for made in created_folders(other)):
            return not moved_into(call, path, scene)
    return False


def moved_into(call: Call, path: str, scene: Scene) -> bool:
    """Whether an earlier call moved something there: `mkdir x && mv src x && rm -rf x` deletes src."""
    for other in scene.command.calls:
        if other is call:
            break
        operands = other.operands()
        if other.program == "mv" and len(operands) > 1:
            target = other.option("-t", "--target-directory") or operands[-1]
            where = other.path(target)
            if where is None or where == path or where.startswith(path + "/"):
                return True
    return False


def made_before(call: Call, word: Word, scene: Scene) -> bool:
    """Whether an earlier call of this session made it, and all that is in it."""
    path = call.path(word)
    return path is not None and scene.session is not None and scene.session.is_scratch(path, scene.command.cwd)


def created_folders(call: Call) -> list[Word]:
    """The directories that a call creates."""
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
    """`git clone x y && rm -rf y/.git`: the history still exists where it was cloned from."""
    folder = word.removesuffix("/").removesuffix("/.git")
    for call in scene.command.calls_of("git", "clone"):
        operands = call.operands("--depth", "-b", "--branch", "-o", "--origin", "-c", "--config")
        name = operands[2] if len(operands) > 2 else operands[-1].rpartition("/")[2].removesuffix(".git")
        if folder in (name, "./" + name):
            return True
    return False


def move_command(call: Call, word: Word) -> str:
    """Move all targets into a fresh directory that only the user can read, and say where they went."""
    words = call.operands() if call.program in DELETERS and all(each.literal for each in call.operands()) else [word]
    return f'mv -v {quote_words(words)} "$(mktemp -d)"'


def ls_command(call: Call, word: Word) -> str:
    """A look at what would be deleted, from the directory in which the command starts."""
    path = call.path(word) if call.remote is None and word[:1] not in ("/", "~") else None
    if path is not None and call.outer is not None and path[:1] in ("/", "~"):
        placed = Word(path)
        placed.glob = word.glob
        placed.home = path[:1] == "~"
        return "ls -la " + quote_word(placed)
    return "ls -la " + safe_word(word)


def safe_word(word: Word) -> str:
    """The word for a command that only shows something; a substitution in it must not run."""
    if word.literal:
        return quote_word(word)
    return '"' + str(word) + '"' if "$(" not in word and not set('`"\\').intersection(word) else "."
