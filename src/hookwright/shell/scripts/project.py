"""Project: from `npm run build` to the text behind it.

wrappers.py → [Project.texts] → packages.py | makefile.py | justfile.py | python.py
Reads at most a few small files, each once as long as it does not change.
"""

from __future__ import annotations

import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from hookwright.shell.command import Call, Word

LARGEST = 1 << 18  # bytes of a file that we read
UPWARDS = 12  # folders to look for a file in
MOST_TEXTS = 64  # that one call may run
REGULAR = 0o100000
KIND = 0o170000

# Which module knows the scripts of a program; loaded when that program is called.
RESOLVERS = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "deno", "composer"), "packages"),
    **dict.fromkeys(("run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently"), "packages"),
    **dict.fromkeys(("make", "gmake"), "makefile"),
    "just": "justfile",
    **dict.fromkeys(("poe", "pdm", "hatch", "tox", "nox", "pipenv", "rye", "pixi", "task"), "python"),
}

_read: dict[str, tuple[Any, str]] = {}  # path → (identity, text)
_parsed: dict[tuple[str, str], tuple[str, Any]] = {}  # (kind, path) → (text, what the parser made of it)


class Project:
    """Looks up project scripts in the file tree; give another `read` and `names` to look elsewhere."""

    __slots__ = ("names", "read")

    def __init__(
        self, read: Callable[[str], str | None] | None = None, names: Callable[[str], list[str]] | None = None
    ) -> None:
        self.read = read or read_file
        self.names = names or folder_names

    def texts(self, call: Call, home: str = "") -> Sequence[tuple[str, str]]:
        """What the call runs by the project's files: (text, folder) each; empty when that is not known."""
        folder = call.cwd
        if folder is None or call.remote is not None or call.program not in RESOLVERS:
            return ()
        if folder[:1] == "~" and home and folder[1:2] in {"", "/"}:
            folder = home + folder[1:]
        if folder[:1] != "/":
            return ()
        module = RESOLVERS[call.program]
        try:
            if module == "packages":
                from hookwright.shell.scripts.packages import texts
            elif module == "makefile":
                from hookwright.shell.scripts.makefile import texts
            elif module == "justfile":
                from hookwright.shell.scripts.justfile import texts
            else:
                from hookwright.shell.scripts.python import texts
            return texts(self, call, folder)[:MOST_TEXTS]
        except RecursionError:
            return ()

    def above(self, folder: str, *names: str) -> tuple[str, str] | None:
        """The nearest file of that name in this folder or one above: (its folder, its name)."""
        for _ in range(UPWARDS):
            for name in names:
                if self.read(folder.rstrip("/") + "/" + name) is not None:
                    return folder, name
            if folder in {"/", ""}:
                return None
            folder = folder.rpartition("/")[0] or "/"
        return None

    def parsed(self, path: str, parse: Callable[[str], Any]) -> Any:
        """The file as its parser reads it; None when there is no such file or it cannot be read."""
        text = self.read(path)
        if text is None:
            return None
        key = (parse.__name__, path)
        found = _parsed.get(key)
        if found is not None and found[0] == text:
            return found[1]
        value = parse(text)
        _parsed[key] = (text, value)
        return value


def read_file(path: str) -> str | None:
    """The text of a small regular file, remembered as long as the file is the same; None otherwise."""
    try:
        stat = posix.stat(path)
    except (OSError, ValueError):
        return None
    if stat.st_mode & KIND != REGULAR or stat.st_size > LARGEST:
        return None
    identity = (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    found = _read.get(path)
    if found is not None and found[0] == identity:
        return found[1]
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
    except OSError:
        return None
    try:
        text = posix.read(descriptor, LARGEST).decode("utf-8", "replace")
    except OSError:
        return None
    finally:
        posix.close(descriptor)
    _read[path] = (identity, text)
    return text


def folder_names(path: str) -> list[str]:
    try:
        return sorted(posix.listdir(path))
    except (OSError, ValueError):
        return []


SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@,+%")


def quoted(words: Sequence[Word]) -> str:
    """Words as they would be written after a script's text."""
    out = []
    for word in words:
        if not word.literal or (word and SAFE.issuperset(word)) or (word.glob and "'" not in word and " " not in word):
            out.append(str(word))
        else:
            out.append("'" + word.replace("'", "'\\''") + "'")
    return "".join([" " + word for word in out])
