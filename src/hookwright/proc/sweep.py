"""Remove what nobody has changed for a while: the files and directories in one folder, by age and by number.

folder → [sweep_entries] → those within the limits
Never raises and never follows a symlink. What cannot be removed is left, and the others still go. Hot: `posix` only.
"""

from __future__ import annotations

import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MOST_REMOVED = 500  # by one sweep: whatever goes wrong with a clock, not everything goes at once
_MAX_DEPTH = 4
_KIND, _DIRECTORY = 0o170000, 0o040000


def sweep_entries(
    folder: str, now: float, keep_seconds: float, most: int, is_ours: Callable[[str], bool] | None = None
) -> list[str]:
    """Remove entries unmodified for `keep_seconds`, then the oldest of more than `most`; returns their names."""
    try:
        names = posix.listdir(folder)
    except (OSError, ValueError):
        return []
    found = []
    for name in names:
        if is_ours is None or is_ours(name):
            modified = last_modified(f"{folder}/{name}")
            if modified is not None:
                found.append((modified, name))
    found.sort()
    surplus = len(found) - most
    removed: list[str] = []
    for position, (modified, name) in enumerate(found):
        if len(removed) >= MOST_REMOVED:
            break
        if (position < surplus or now - modified > keep_seconds) and remove_tree(f"{folder}/{name}"):
            removed.append(name)
    return removed


def last_modified(path: str) -> float | None:
    """The latest modification time of a path and of everything below it; None if it is gone."""
    try:
        status = posix.lstat(path)
        names = posix.listdir(path) if status.st_mode & _KIND == _DIRECTORY else []
    except OSError:
        return None
    latest = status.st_mtime
    for name in names:
        latest = max(latest, last_modified(f"{path}/{name}") or 0.0)
    return latest


def remove_tree(path: str, depth: int = _MAX_DEPTH) -> bool:
    """Remove a file, or a directory with what is in it; False if something stays."""
    try:
        if posix.lstat(path).st_mode & _KIND != _DIRECTORY:
            posix.unlink(path)
            return True
        if depth:
            for name in posix.listdir(path):
                remove_tree(f"{path}/{name}", depth - 1)
        posix.rmdir(path)
    except OSError:
        return False
    return True
