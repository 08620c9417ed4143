"""Directories of mode 0700 that belong to this user, and files in them.

path → [make_private] → True: the directory exists, is private and ours
Nothing of ours is kept in a directory that others can write. Hot: `posix` only, one `stat` in the common case.
"""

from __future__ import annotations

import posix

_KIND, _DIRECTORY = 0o170000, 0o040000


def make_private(path: str) -> bool:
    """True when `path` is now a directory of mode 0700 that belongs to this user; creates it and its parents."""
    try:
        try:
            found = posix.stat(path)
        except FileNotFoundError:
            _make_parents(path)
            found = posix.stat(path)
        if found.st_mode & _KIND != _DIRECTORY or found.st_uid != posix.geteuid():
            return False
        if found.st_mode & 0o077:
            posix.chmod(path, 0o700)
    except (OSError, ValueError):
        return False
    return True


def open_private(path: str, flags: int) -> int:
    """A descriptor of a file of mode 0600; its directory is created if it is missing. Raises OSError, ValueError."""
    flags |= posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK  # neither waits for the other end of a fifo
    try:
        return posix.open(path, flags, 0o600)
    except FileNotFoundError:
        make_private(path[: path.rfind("/")])
        return posix.open(path, flags, 0o600)


def _make_parents(path: str) -> None:
    missing = []
    while path:
        try:
            posix.mkdir(path, 0o700)
            break
        except FileExistsError:
            break
        except FileNotFoundError:
            missing.append(path)
            path = path[: path.rfind("/")] if "/" in path else ""
    for folder in reversed(missing):
        try:
            posix.mkdir(folder, 0o700)
        except FileExistsError:  # another process was quicker
            continue
