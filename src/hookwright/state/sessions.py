"""The folders of sessions that are long over go: marks, limits and records of what they touched.

a new day's journal → [sweep_sessions] → <state>/sessions without those that nothing has touched for a month
Never raises; a session that comes back after that begins anew.
"""

from __future__ import annotations

import posix

KEEP_DAYS = 30
_LEVELS = 3  # session / agent / file


def sweep_sessions(state: str, now: float, keep_days: int = KEEP_DAYS) -> list[str]:
    """Remove what is older; the names of the sessions that went."""
    removed = []
    try:
        for name in posix.listdir(f"{state}/sessions"):
            path = f"{state}/sessions/{name}"
            if now - _last_touched(path) > keep_days * 86400:
                _remove(path, _LEVELS)
                removed.append(name)
    except OSError:
        return removed
    return removed


def _last_touched(path: str) -> float:
    """The youngest time of the folder and of all that lies in it."""
    seen = posix.lstat(path)
    youngest = seen.st_mtime
    if seen.st_mode & 0o170000 == 0o040000:
        for name in posix.listdir(path):
            youngest = max(youngest, _last_touched(f"{path}/{name}"))
    return youngest


def _remove(path: str, levels: int) -> None:
    if posix.lstat(path).st_mode & 0o170000 != 0o040000:
        posix.unlink(path)
        return
    if levels:
        for name in posix.listdir(path):
            _remove(f"{path}/{name}", levels - 1)
    posix.rmdir(path)
