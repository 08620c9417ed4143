"""Which files a shell command can have written: those it names, and whether it may have written others.

recorded command → shell parser → [find_writes] → paths, and a flag for unnamed files
Known readers write nothing, known writers name their files, most git commands leave the work tree's changes alone. Any
other program may have written anything: then the caller compares modification times.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookwright.shell.command import Command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookwright.shell.command import Call, Word

READERS = frozenset(
    (  # noqa: SIM905  a long list of names reads better as lines
        "[ [[ : ack ag alias awk basename bat cat cd cksum cmp column comm command curl cut date df diff dig dirname "
        "du echo egrep env eza exa export expr false fd fgrep file find fold free getent gh grep head help hexdump "
        "history host hostname id jobs jq kill kubectl less locale ls lsof man md5sum mkdir more nl nproc od paste "
        "pgrep ping pkill popd printenv printf ps pushd pwd read readlink realpath rev rg rmdir seq set sha1sum "
        "sha256sum shasum shopt sleep sort source ss stat strings sum tac tail test time top tr tree true type ulimit "
        "uname uniq unset uptime wait watch wc wget whatis where which who whoami xxd yq ssh scp rsync exit return"
    ).split()
)
# Git subcommands that leave uncommitted changes in files; others check out or record whole versions.
_GIT_WRITERS = frozenset(("apply", "am", "rm", "mv"))


class Writes:
    """`paths`: files named as targets. `others`: True if unnamed files may have changed too."""

    __slots__ = ("others", "paths")

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.others = False


def find_writes(text: str, cwd: str, home: str = "") -> Writes:
    found = Writes()
    command = Command(text, cwd=cwd, home=home)
    for call in command.calls:
        if call.remote:
            continue
        _add_paths(found, call, call.writes)
        _add_program_writes(found, call)
    if command.problem or not text:
        found.others = True
    return found


def _add_program_writes(found: Writes, call: Call) -> None:
    program = call.program
    if program == "git":
        found.others |= call.verb in _GIT_WRITERS
    elif program in ("sed", "gsed", "perl", "ruby"):
        if _edits_in_place(call):
            _add_paths(found, call, call.operands("-e", "-f")[0 if call.has_flag("-e", "-f", "--expression") else 1 :])
    elif program in ("tee", "touch", "rm", "unlink", "truncate", "shred", "sponge"):
        _add_paths(found, call, call.operands("-s", "-d", "-r", "-t"))
    elif program in ("mv", "cp", "install", "ln"):
        _add_copies(found, call)
    elif program == "dd":
        _add_paths(found, call, [word for word in call.args if word.startswith("of=")], cut=3)
    elif program not in READERS or (program == "find" and call.has_flag("-delete")) or program in ("wget", "rsync"):
        found.others = True


def _edits_in_place(call: Call) -> bool:
    return call.has_flag("-i", "--in-place") or any(word.startswith(("-i.", "-pi", "-ni")) for word in call.args)


def _add_copies(found: Writes, call: Call) -> None:
    words = call.operands("-t", "--target-directory", "-m", "-o", "-g", "-S")
    directory = call.option("-t", "--target-directory")
    target = directory if directory is not None else words[-1] if len(words) > 1 else None
    if target is None:
        return
    sources = words if directory is not None else words[:-1]
    _add_paths(found, call, [target])
    for path in _absolute_paths(call, [target]):
        # The target may be a directory: count both interpretations.
        found.paths.update(f"{path}/{source.rstrip('/').rpartition('/')[2]}" for source in sources)
    if call.program == "mv":
        _add_paths(found, call, sources)


def _add_paths(found: Writes, call: Call, words: list[Word], cut: int = 0) -> None:
    if cut:
        found.paths.update(path for path in (_resolve_path(call, word[cut:]) for word in words) if path)
        return
    for word in words:
        if word.glob or not word.literal or (call.cwd is None and word[:1] != "/"):
            found.others = True
    found.paths.update(_absolute_paths(call, words))


def _absolute_paths(call: Call, words: list[Word]) -> Iterator[str]:
    for word in words:
        path = call.path(word)
        if path and path.startswith("/") and not path.startswith("/dev/"):
            yield path


def _resolve_path(call: Call, text: str) -> str:
    return text if text.startswith("/") else f"{call.cwd}/{text}" if call.cwd else ""
