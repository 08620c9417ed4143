"""Read a repository's own files: where it is, which repository that is, and whether its state moved.

path → [find_worktree_root] → top → [read_stamp] → equal stamps: nothing was committed, staged, fetched or switched
path → [find_repository] → one directory for all subdirectories and worktrees of a repository
No program is started. Hot: a few system calls.
"""

from __future__ import annotations

import posix

from hookwright.proc.safe_read import read_head

TYPE_CHECKING = False
if TYPE_CHECKING:
    Stamp = tuple[tuple[int, int] | None, ...]

_LEVELS = 64
_LONGEST_LINE = 4096
_KIND, _DIRECTORY, _REGULAR = 0o170000, 0o040000, 0o100000
# HEAD: another branch · index: staged, committed · logs/HEAD: committed, reset · the rest: fetched, merging, rebasing
_OWN = ("HEAD", "index", "logs/HEAD", "MERGE_HEAD", "rebase-merge", "rebase-apply", "CHERRY_PICK_HEAD")
_SHARED = ("FETCH_HEAD", "packed-refs", "refs/stash")


def find_worktree_root(path: str) -> str:
    """The top directory of the repository, worktree or submodule that holds this absolute path; "" if none does."""
    for _ in range(_LEVELS):
        if not path or path[0] != "/":
            return ""
        if _path_exists(path + "/.git"):
            return path
        path = path[: path.rfind("/")]
    return ""


def find_repository(path: str) -> str:
    """The `.git` directory that all worktrees of a repository share, without symlinks; "" outside of one."""
    from hookwright.proc.resolve_path import resolve_path  # noqa: PLC0415  for `questions` only

    folder = resolve_path(path)
    for _ in range(_LEVELS):
        if not folder:
            return ""
        top = folder.rstrip("/")
        kind = _file_type(top + "/.git")
        if kind == _DIRECTORY:
            return top + "/.git"
        if kind == _REGULAR:
            return _follow_git_file(top)
        if not top:
            return ""
        folder = parent_dir(folder)
    return ""


def git_dir(top: str) -> str:
    """The directory that holds HEAD and index: of a worktree or submodule it is elsewhere."""
    return _linked_dir(top) or top + "/.git"


def common_dir(folder: str) -> str:
    """The directory with the branches that worktrees share."""
    line = read_first_line(folder + "/commondir")
    return _join(folder, line) if line else folder


def read_stamp(top: str) -> Stamp:
    """What changes whenever git's own state does."""
    own = git_dir(top)
    shared = common_dir(own)
    head = read_first_line(own + "/HEAD")
    branch = head[5:].strip() if head.startswith("ref:") else ""
    places = [f"{own}/{name}" for name in _OWN] + [f"{shared}/{name}" for name in _SHARED]
    if branch:
        places.append(f"{shared}/{branch}")
    return tuple([_file_stamp(place) for place in places])


def parent_dir(folder: str) -> str:
    return folder[: folder.rfind("/")] or "/"


def _follow_git_file(top: str) -> str:
    """Where a `.git` file leads: to the repository of a worktree, or to a submodule's own."""
    from hookwright.proc.resolve_path import resolve_path  # noqa: PLC0415

    own = resolve_path(_linked_dir(top))
    common = common_dir(own) if own else ""
    # The repository must know this worktree: a file that merely points at a repository does not belong to it.
    if common != own and resolve_path(_join(own, read_first_line(own + "/gitdir"))) == top + "/.git":
        return resolve_path(common)
    return own


def _linked_dir(top: str) -> str:
    """What a `.git` file names; "" if `.git` is no such file."""
    line = read_first_line(top + "/.git")
    return _join(top, line[7:].strip()) if line.startswith("gitdir:") else ""


def _join(folder: str, path: str) -> str:
    return path if path.startswith("/") else f"{folder}/{path}"


def _file_stamp(path: str) -> tuple[int, int] | None:
    if not _path_exists(path):
        return None
    try:
        found = posix.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _file_type(path: str) -> int:
    try:
        return posix.stat(path).st_mode & _KIND
    except (OSError, ValueError):
        return 0


def read_first_line(path: str) -> str:
    try:
        data = read_head(path, _LONGEST_LINE)
    except OSError:  # a directory, or not there
        return ""
    return data.partition(b"\n")[0].rstrip(b"\r").decode("utf-8", "surrogateescape")


def _path_exists(path: str) -> bool:
    try:
        return posix.access(path, posix.F_OK)
    except ValueError:  # a NUL in the path
        return False
