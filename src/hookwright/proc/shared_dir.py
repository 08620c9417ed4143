"""Could somebody else put files into a directory of ours? Nothing that is executed is kept in such a place.

path → [find_sharing] → who could, in words | ""
Checked before something is written there. What is read from there is checked when it is opened, by its owner and mode.
"""

from __future__ import annotations

import os
import stat


def find_sharing(path: str) -> str:
    """Why this directory is not this user's alone; "" if it is, or is not there yet and could be made so."""
    place = os.path.realpath(path)
    try:
        found = os.stat(place)
    except OSError:
        found = None
    if found is not None:
        if not stat.S_ISDIR(found.st_mode):
            return f"{place} is not a directory"
        if found.st_uid != os.geteuid():
            return f"{place} belongs to another user (uid {found.st_uid})"
        if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            return f"{place} can be written by others (mode {stat.S_IMODE(found.st_mode):04o})"
    while place != "/":
        place = os.path.dirname(place)
        try:
            mode = os.stat(place).st_mode
        except OSError:
            continue
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            return f"{place}, above it, can be written by everyone (mode {stat.S_IMODE(mode):04o})"
    return ""
