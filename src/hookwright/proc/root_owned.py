"""Is a path out of the reach of everybody but root? Its owner, its mode, and those of every directory above it.

path → [why_not_root_owned] → "" | the first part that somebody else could change
Symlinks are followed one by one, so that the directories in which they lie are checked as well. A sticky directory such
as /tmp may be writable: nobody but root can move what root has put there. Cold.
"""

from __future__ import annotations

import os
import stat

MAX_LINKS = 40


def why_not_root_owned(path: str) -> str:
    """What somebody other than root could change about this path; "" if nothing."""
    waiting = path.split("/")[::-1]
    current, links = "", 0
    while waiting:
        name = waiting.pop()
        if name == "..":
            current = os.path.dirname(current).rstrip("/")
            continue
        here = f"{current}/{name}" if name and name != "." else current or "/"
        try:
            found = os.lstat(here)
        except (OSError, ValueError) as error:
            return f"{here} cannot be read: {getattr(error, 'strerror', error)}"
        if found.st_uid != 0:
            return f"{here} does not belong to root"
        if stat.S_ISLNK(found.st_mode):
            links += 1
            if links > MAX_LINKS:
                return f"{here} is a symlink that leads nowhere"
            target = os.readlink(here)
            waiting += target.split("/")[::-1]
            current = "" if target.startswith("/") else current
            continue
        if found.st_mode & 0o022 and not (stat.S_ISDIR(found.st_mode) and found.st_mode & stat.S_ISVTX):
            return f"others than root can write to {here}"
        current = here.rstrip("/")
    return ""
