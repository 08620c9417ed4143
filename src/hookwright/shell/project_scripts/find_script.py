"""Project: from a call such as `npm run build` to the shell texts that it runs.

nested_commands.py → [Project.resolve_task] → package_json.py | makefile.py | justfile.py | python_tasks.py
Only the module that knows the called program is loaded. Bounded, cached reads of small regular files; a file that is
missing or cannot be read is None, never an error.
"""

from __future__ import annotations

import posix

from hookwright.proc.safe_read import read_head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from hookwright.shell.call import Call

MAX_BYTES = 1 << 18  # of a file that is read
MAX_PARENTS = 12  # folders in which a file is searched, upwards
MAX_TEXTS = 64  # shell texts that one call may run
S_IFREG = 0o100000  # of st_mode: a regular file
S_IFMT = 0o170000  # the bits of st_mode that hold the file type

# Which module knows the tasks of a program.
RESOLVERS = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "deno", "composer"), "package_json"),
    **dict.fromkeys(("run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently"), "package_json"),
    **dict.fromkeys(("make", "gmake"), "makefile"),
    "just": "justfile",
    **dict.fromkeys(("poe", "pdm", "hatch", "tox", "nox", "pipenv", "rye", "pixi", "task"), "python_tasks"),
}

_read: dict[str, tuple[Any, str]] = {}  # path → (identity, text)
_parsed: dict[tuple[str, str], tuple[str, Any]] = {}  # (name of the parser, path) → (text, parsed value)


class Project:
    """Resolves project tasks by the project's files; give another `read` and `names` to look elsewhere."""

    __slots__ = ("names", "read")

    def __init__(
        self, read: Callable[[str], str | None] | None = None, names: Callable[[str], list[str]] | None = None
    ) -> None:
        self.read = read or read_file
        self.names = names or list_folder

    def resolve_task(self, call: Call, home: str = "") -> Sequence[tuple[str, str]]:
        """What the call runs by the project's files: (shell text, folder) each; empty when unknown."""
        folder = call.cwd
        if folder is None or call.remote is not None or call.program not in RESOLVERS:
            return ()
        if folder[:1] == "~" and home and folder[1:2] in {"", "/"}:
            folder = home + folder[1:]
        if folder[:1] != "/":
            return ()
        module = RESOLVERS[call.program]
        if module == "package_json":
            from hookwright.shell.project_scripts.package_json import resolve_task
        elif module == "makefile":
            from hookwright.shell.project_scripts.makefile import resolve_task
        elif module == "justfile":
            from hookwright.shell.project_scripts.justfile import resolve_task
        else:
            from hookwright.shell.project_scripts.python_tasks import resolve_task
        try:
            return resolve_task(self, call, folder)[:MAX_TEXTS]
        except (RecursionError, ValueError, MemoryError):
            return ()

    def find_above(self, folder: str, *names: str) -> tuple[str, str] | None:
        """The nearest file with one of these names, in this folder or above: (its folder, its name)."""
        for _ in range(MAX_PARENTS):
            for name in names:
                if self.read(folder.rstrip("/") + "/" + name) is not None:
                    return folder, name
            if folder in {"/", ""}:
                return None
            folder = folder.rpartition("/")[0] or "/"
        return None

    def parse_file(self, path: str, parse: Callable[[str], Any]) -> Any:
        """The parsed file, cached as long as its text stays the same; None when it cannot be read."""
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
    """The text of a small regular file, cached as long as its stat is the same; None otherwise."""
    try:
        stat = posix.stat(path)
    except (OSError, ValueError):
        return None
    if stat.st_mode & S_IFMT != S_IFREG or stat.st_size > MAX_BYTES:
        return None
    identity = (stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    found = _read.get(path)
    if found is not None and found[0] == identity:
        return found[1]
    try:
        text = read_head(path, MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    _read[path] = (identity, text)
    return text


def list_folder(path: str) -> list[str]:
    try:
        return sorted(posix.listdir(path))
    except (OSError, ValueError):
        return []
