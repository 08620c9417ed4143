"""Remove the directories of old sessions: markers, limits and records of the files they changed.

first record of a day → [sweep_sessions] → <state>/sessions without those unmodified for a month
Never raises. A session that is resumed later starts with empty state.
"""

from __future__ import annotations

import posix

KEEP_DAYS = 30
_MAX_DEPTH = 3  # session / agent / file


def sweep_sessions(state: str, now: float, keep_days: int = KEEP_DAYS) -> list[str]:
    """Remove sessions unmodified for `keep_days`; returns their names."""
    removed = []
    try:
        for name in posix.listdir(f"{state}/sessions"):
            path = f"{state}/sessions/{name}"
            if now - _last_modified(path) > keep_days * 86400:
                _remove_tree(path, _MAX_DEPTH)
                removed.append(name)
    except OSError:
        return removed
    return removed


def _last_modified(path: str) -> float:
    """The latest modification time of a path and of everything below it."""
    status = posix.lstat(path)
    latest = status.st_mtime
    if status.st_mode & 0o170000 == 0o040000:
        for name in posix.listdir(path):
            latest = max(latest, _last_modified(f"{path}/{name}"))
    return latest


def _remove_tree(path: str, levels: int) -> None:
    if posix.lstat(path).st_mode & 0o170000 != 0o040000:
        posix.unlink(path)
        return
    if levels:
        for name in posix.listdir(path):
            _remove_tree(f"{path}/{name}", levels - 1)
    posix.rmdir(path)
