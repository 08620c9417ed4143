"""Find a program on PATH without taking one that a repository brought along.

name, PATH, directories to avoid → [find_program] → absolute path | ""
An empty or relative entry of PATH means the current directory, which is the project's: it is never searched. Hot:
`posix` only.
"""

from __future__ import annotations

import posix

from hookwright.proc.resolve_path import resolve_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_PATH = "/usr/bin:/bin"  # where PATH is not set, or nothing of it is left
_KIND, _REGULAR = 0o170000, 0o100000


def clean_search_path(path: str | None, avoid: Iterable[str] = ()) -> str:
    """PATH without its empty and relative entries, and without those inside of a directory to avoid; never empty."""
    roots = [root for folder in avoid for root in (folder.rstrip("/"), resolve_path(folder)) if len(root) > 1]
    absolute = [entry for entry in (path or "").split(":") if entry[:1] == "/"]
    return ":".join([entry for entry in absolute if not roots or not _is_inside(entry, roots)]) or DEFAULT_PATH


def find_program(name: str, path: str | None, avoid: Iterable[str] = ()) -> str:
    """The program that PATH names; "" if there is none. A name with a slash is a path already."""
    if "/" in name or not name:
        return name
    for folder in clean_search_path(path, avoid).split(":"):
        candidate = f"{folder}/{name}"
        try:
            if posix.access(candidate, posix.X_OK) and posix.stat(candidate).st_mode & _KIND == _REGULAR:
                return candidate
        except (OSError, ValueError):
            continue
    return ""


def require_program(name: str, path: str | None, avoid: Iterable[str] = ()) -> str:
    """`find_program`, or FileNotFoundError."""
    found = find_program(name, path, avoid)
    if not found:
        raise FileNotFoundError(2, "No such file or directory", name)
    return found


def _is_inside(entry: str, roots: list[str]) -> bool:
    for place in (entry, resolve_path(entry)):
        for root in roots:
            if f"{place}/".startswith(f"{root}/"):
                return True
    return False
