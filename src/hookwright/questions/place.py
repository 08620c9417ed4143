"""Which repository a folder belongs to: the same for its subfolders and its worktrees, another for all others.

folder → [this] → the repository's own `.git`, or "" outside of one
Hot: a few system calls, no git.
"""

from __future__ import annotations

import posix

_LEVELS = 64
_LINKS = 40
_MOST_BYTES = 4096


def repository(folder: str) -> str:
    """The folder that all worktrees of the repository share."""
    folder = real(folder)
    for _ in range(_LEVELS):
        if not folder:
            return ""
        path = folder.rstrip("/") + "/.git"
        kind = _kind(path)
        if kind == 0o040000:
            return path
        if kind == 0o100000:
            return _linked(path)
        if folder == "/":
            return ""
        folder = above(folder)
    return ""


def above(folder: str) -> str:
    return folder[: folder.rfind("/")] or "/"


def real(path: str) -> str:
    """The path without links; "" if it is not an absolute path."""
    if not path.startswith("/"):
        return ""
    done = ""
    rest = path.split("/")[::-1]
    links = 0
    while rest:
        part = rest.pop()
        if part in ("", "."):
            continue
        if part == "..":
            done = done[: done.rfind("/")] if done else ""
            continue
        target = _link(f"{done}/{part}") if links < _LINKS else ""
        if not target:
            done = f"{done}/{part}"
            continue
        links += 1
        if target[0] == "/":
            done = ""
        rest.extend(target.split("/")[::-1])
    return done or "/"


def _linked(path: str) -> str:
    """Where a `.git` file leads: to the repository of a worktree, or to a submodule's own."""
    line = _first_line(path)
    if not line.startswith("gitdir:"):
        return ""
    target = _joined(above(path), line[7:].strip())
    common = _first_line(target + "/commondir")
    # The repository must know this worktree: a file that merely points at a repository does not belong to it.
    if common and _joined(target, _first_line(target + "/gitdir")) == path:
        return _joined(target, common)
    return target


def _joined(folder: str, path: str) -> str:
    return real(path if path.startswith("/") else f"{folder}/{path}")


def _first_line(path: str) -> str:
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            text = posix.read(descriptor, _MOST_BYTES).decode("utf-8", "surrogateescape")
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return ""
    return text.partition("\n")[0].rstrip("\r")


def _link(path: str) -> str:
    try:
        return posix.readlink(path)
    except (OSError, ValueError):
        return ""


def _kind(path: str) -> int:
    try:
        return posix.stat(path).st_mode & 0o170000
    except (OSError, ValueError):
        return 0
