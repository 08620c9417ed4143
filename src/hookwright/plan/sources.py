"""Which files make the plan, and how to see that one of them changed, appeared or went.

environment, project folder → [this] → paths and stamps
Hot: a few `stat` calls.
"""

from __future__ import annotations

import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Stamp = tuple[str, int, int, int] | tuple[str, None]

PROJECT_FILE = ".hookwright.toml"
USER_FILE = "config.toml"
_LEVELS = 40  # folders looked at above the project; deeper nesting is a link loop


def user_file(config: str | None) -> str:
    return f"{config}/{USER_FILE}" if config else ""


def project_file(start: str, home: str | None) -> str:
    """The project's file: in the start folder or above it, up to the repository's top; "" if there is none."""
    folder = start.rstrip("/")
    for _ in range(_LEVELS):
        if not folder or (folder == home and folder != start.rstrip("/")):
            return ""
        path = f"{folder}/{PROJECT_FILE}"
        if exists(path):
            return path
        if exists(folder + "/.git"):
            return ""
        folder = folder[: folder.rfind("/")] if "/" in folder else ""
    return ""


def hooks_folder(config: str | None) -> str:
    """Where the user's own hooks are: each a Python file."""
    return f"{config}/hooks" if config else ""


def trust_file(state: str | None, project_path: str, key: Callable[[str], str]) -> str:
    """Where `hookwright trust` records the hash of a project's file."""
    return f"{state}/trust/{key(project_path)}.json" if state and project_path else ""


def stamps(paths: tuple[str, ...]) -> tuple[Stamp, ...]:
    """What identifies the content of each file now; a missing file has a stamp too."""
    return tuple(_stamp(path) for path in paths if path)


def _stamp(path: str) -> Stamp:
    if not exists(path):
        return (path, None)
    try:
        found = posix.stat(path)
    except OSError:
        return (path, None)
    return (path, found.st_mtime_ns, found.st_size, found.st_ino)


def exists(path: str) -> bool:
    try:
        return posix.access(path, posix.F_OK)  # no exception for what is usually not there
    except ValueError:  # a NUL in the path
        return False
