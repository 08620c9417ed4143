"""Which files a call may read without a question: inside of certain directories, and no secrets.

prove.py, check_programs.py → [Readable] → nothing; raises Unproven
Symlinks are followed: what counts is the file that is read.
"""

from __future__ import annotations

import posix

from hookwright.hooks.command_guard.secret_paths import is_secret_folder, is_secret_path
from hookwright.proc.resolve_path import resolve_path
from hookwright.shell.call import join_path

PIPE = "/dev/fd/63"  # what the shell makes of `<(command)`


class Unproven(Exception):
    """The command is not proven to read only; the text says what is missing."""


class Readable:
    """The directories that may be read, the home directory, and the variable PATH."""

    def __init__(self, roots: tuple[str, ...], home: str, path: str) -> None:
        self.roots = tuple(root for root in map(resolve_path, roots) if root and root != "/")
        self.home = home
        self.path = path

    def check_path(self, word: str, places: tuple[str, ...], *, names_only: bool = False) -> None:
        """Raise unless the file is in one of the directories that may be read, and holds no secret."""
        if word in ("", "-", "/dev/null", PIPE):
            return
        for place in places:
            path = resolve_path(join_path(place, word) if word[:1] != "/" else word)
            if not self.is_inside(path):
                raise Unproven(f"{word} is outside of the project")
            for named in (word, path):
                if is_secret_folder(named) or (is_secret_path(named) and not names_only):
                    raise Unproven(f"{word} holds secrets")

    def check_directory(self, path: str) -> None:
        if not self.is_inside(resolve_path(path)) or is_secret_folder(path):
            raise Unproven(f"{path} is outside of the project")

    def is_inside(self, path: str) -> bool:
        return any(path == root or path.startswith(root + "/") for root in self.roots)


def list_names(folder: str) -> list[str]:
    try:
        return sorted(posix.listdir(folder))
    except OSError:
        return []
