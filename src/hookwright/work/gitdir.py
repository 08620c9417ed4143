"""Where a repository is and whether its state moved, seen from its files alone: no program is started.

folder → [top_of] → repository → [stamp] → equal stamps: nothing was committed, staged, fetched or switched
Hot: a few `stat` calls.
"""

from __future__ import annotations

import posix

TYPE_CHECKING = False  # the door must not import typing
if TYPE_CHECKING:
    Stamp = tuple[tuple[int, int] | None, ...]

_LEVELS = 64
# HEAD: another branch · index: staged, committed · logs/HEAD: committed, reset · the rest: fetched, merging, rebasing
_OWN = ("HEAD", "index", "logs/HEAD", "MERGE_HEAD", "rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD")
_SHARED = ("FETCH_HEAD", "packed-refs", "refs/stash")
_LONGEST_REF = 4096


def top_of(path: str) -> str:
    """The top folder of the repository, worktree or submodule that holds this absolute path; "" if none does."""
    for _ in range(_LEVELS):
        if not path or path[0] != "/":
            return ""
        if _exists(path + "/.git"):
            return path
        path = path[: path.rfind("/")]
    return ""


def git_dir(top: str) -> str:
    """The folder that holds HEAD and index: of a worktree or submodule it lies elsewhere."""
    place = top + "/.git"
    words = _first_line(place)
    if not words.startswith("gitdir:"):
        return place
    target = words[7:].strip()
    return target if target.startswith("/") else f"{top}/{target}"


def common_dir(folder: str) -> str:
    """The folder with the branches that worktrees share."""
    words = _first_line(folder + "/commondir")
    if not words:
        return folder
    return words if words.startswith("/") else f"{folder}/{words}"


def stamp(top: str) -> Stamp:
    """What changes whenever git's own state does."""
    own = git_dir(top)
    shared = common_dir(own)
    head = _first_line(own + "/HEAD")
    branch = head[5:].strip() if head.startswith("ref:") else ""
    places = [f"{own}/{name}" for name in _OWN] + [f"{shared}/{name}" for name in _SHARED]
    if branch:
        places.append(f"{shared}/{branch}")
    return tuple([_stamp(place) for place in places])


def _stamp(path: str) -> tuple[int, int] | None:
    if not _exists(path):
        return None
    try:
        found = posix.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _first_line(path: str) -> str:
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            data = posix.read(descriptor, _LONGEST_REF)
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):  # a folder, or not there
        return ""
    return data.partition(b"\n")[0].decode("utf-8", "surrogateescape")


def _exists(path: str) -> bool:
    try:
        return posix.access(path, posix.F_OK)
    except ValueError:  # a NUL in the path
        return False
