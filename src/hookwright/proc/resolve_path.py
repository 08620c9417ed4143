"""The path without symlinks: `os.path.realpath` without its modules.

path → [resolve_path] → path without `.`, `..` and symlinks, as far as it exists
Hot: `posix` only.
"""

from __future__ import annotations

import posix

_LINKS = 40  # as the kernel


def resolve_path(path: str) -> str:
    """The path without symlinks; "" if it is not absolute."""
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
        target = _read_link(f"{done}/{part}") if links < _LINKS else ""
        if not target:
            done = f"{done}/{part}"
            continue
        links += 1
        if target[0] == "/":
            done = ""
        rest.extend(target.split("/")[::-1])
    return done or "/"


def _read_link(path: str) -> str:
    try:
        return posix.readlink(path)
    except (OSError, ValueError):
        return ""
