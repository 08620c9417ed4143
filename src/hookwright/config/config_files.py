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
PROJECT_HOOKS = ".hookwright/hooks"
USER_FILE = "config.toml"
_LEVELS = 40  # folders looked at above the project; deeper nesting is a link loop


def user_file(config: str | None) -> str:
    return f"{config}/{USER_FILE}" if config else ""


def project_file(start: str, home: str | None) -> str:
    """The project's file: in the start folder or above it, up to the repository's top; "" if there is none."""
    return find_project_config(start, home)[0]


def find_project_config(start: str, home: str | None) -> tuple[str, str]:
    """The project's file and its folder of hooks, each "" if there is none: of the nearest folder that has one."""
    folder = start.rstrip("/")
    for _ in range(_LEVELS):
        if not folder or (folder == home and folder != start.rstrip("/")):
            return "", ""
        path = f"{folder}/{PROJECT_FILE}"
        hooks = f"{folder}/{PROJECT_HOOKS}"
        found = (path if path_exists(path) else "", hooks if path_exists(hooks) else "")
        if found[0] or found[1] or path_exists(folder + "/.git"):
            return found
        folder = folder[: folder.rfind("/")] if "/" in folder else ""
    return "", ""


def project_name(file: str, hooks: str) -> str:
    """What a project is known by: the path of its file, whether it has one or hooks only."""
    return file or (f"{hooks[: -len(PROJECT_HOOKS)]}{PROJECT_FILE}" if hooks else "")


def hooks_folder(config: str | None) -> str:
    """Where the user's own hooks are: each a Python file."""
    return f"{config}/hooks" if config else ""


def trust_file(state: str | None, project_path: str, key: Callable[[str], str]) -> str:
    """Where `hookwright trust` records the hash of a project's file."""
    return f"{state}/trust/{key(project_path)}.json" if state and project_path else ""


def stamp_files(paths: tuple[str, ...]) -> tuple[Stamp, ...]:
    """What identifies the content of each file now; a missing file has a stamp too."""
    return tuple(_stamp_file(path) for path in paths if path)


def _stamp_file(path: str) -> Stamp:
    if not path_exists(path):
        return (path, None)
    try:
        found = posix.stat(path)
    except OSError:
        return (path, None)
    return (path, found.st_mtime_ns, found.st_size, found.st_ino)


def path_exists(path: str) -> bool:
    try:
        return posix.access(path, posix.F_OK)  # no exception for what is usually not there
    except ValueError:  # a NUL in the path
        return False
