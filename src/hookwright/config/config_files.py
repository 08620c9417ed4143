"""The files that a plan is compiled from, and stamps to notice that one of them changed, appeared or was deleted.

environment, project directory → [find_project_config, stamp_files] → paths and stamps
Hot: a few `stat` calls.
"""

from __future__ import annotations

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Stamp = tuple[str, int, int, int] | tuple[str, None]

PROJECT_FILE = ".hookwright.toml"
PROJECT_HOOKS = ".hookwright/hooks"
USER_FILE = "config.toml"
HERE_DIR = "projects"  # below the user's configuration
POLICY_VARIABLE = "HOOKWRIGHT_POLICY"
POLICY_DIR = "/Library/Application Support/hookwright" if sys.platform == "darwin" else "/etc/hookwright"
_LEVELS = 40  # parent directories to search; deeper nesting is a symlink loop


def user_file(config: str | None) -> str:
    return f"{config}/{USER_FILE}" if config else ""


def project_file(start: str, home: str | None) -> str:
    """The project's .hookwright.toml: in `start` or a parent, up to the repository root; "" if there is none."""
    return find_project_config(start, home)[0]


def find_project_config(start: str, home: str | None) -> tuple[str, str]:
    """The project's .hookwright.toml and hooks directory, from the nearest directory with either; "" if missing."""
    return find_project(start, home)[:2]


def find_project(start: str, home: str | None) -> tuple[str, str, str]:
    """The project's .hookwright.toml and hooks directory, as above, and its root.

    The root is the repository's; without one the directory of that configuration, else `start` itself.
    """
    root = folder = start.rstrip("/")
    file = hooks = ""
    for _ in range(_LEVELS):
        if not folder or (folder == home and folder != start.rstrip("/")):
            break
        if not file and not hooks:
            path, inside = f"{folder}/{PROJECT_FILE}", f"{folder}/{PROJECT_HOOKS}"
            file = path if path_exists(path) else ""
            hooks = inside if path_exists(inside) else ""
            if file or hooks:
                root = folder
        if path_exists(folder + "/.git"):
            return file, hooks, folder
        folder = folder[: folder.rfind("/")] if "/" in folder else ""
    return file, hooks, root


def project_name(file: str, hooks: str) -> str:
    """The path that identifies a project: of its .hookwright.toml, even if it has only hooks."""
    return file or (f"{hooks[: -len(PROJECT_HOOKS)]}{PROJECT_FILE}" if hooks else "")


def here_file(config: str | None, root: str, key: Callable[[str], str]) -> str:
    """The user's private configuration for one project: `hookwright allow`, `on`, `off`, `shadow` with --here."""
    return f"{config}/{HERE_DIR}/{key(root)}.toml" if config and root else ""


def existing_here_file(config: str | None, root: str, key: Callable[[str], str]) -> str:
    """That file if there is one; "" for most projects, at the price of one system call."""
    if not config or not path_exists(f"{config}/{HERE_DIR}"):
        return ""
    path = here_file(config, root, key)
    return path if path and path_exists(path) else ""


def hooks_folder(config: str | None) -> str:
    """The directory of the user's hooks, one Python file each."""
    return f"{config}/hooks" if config else ""


def trust_file(state: str | None, project_path: str, key: Callable[[str], str]) -> str:
    """Where `hookwright trust` records the hash of a project's file."""
    return f"{state}/trust/{key(project_path)}.json" if state and project_path else ""


def policy_source(get: Callable[[str], str | None]) -> str:
    """Where the administrator's policy is. A variable may name another place only where the usual one is not there."""
    named = get(POLICY_VARIABLE)
    return named if named and named[0] == "/" and not path_exists(POLICY_DIR) else POLICY_DIR


def stamp_files(paths: tuple[str, ...]) -> tuple[Stamp, ...]:
    """Path, ctime, size and inode of each file; a missing file has a stamp too."""
    return tuple(_stamp_file(path) for path in paths if path)


def _stamp_file(path: str) -> Stamp:
    if not path_exists(path):
        return (path, None)
    try:
        found = posix.stat(path)
    except OSError:
        return (path, None)
    return (path, found.st_ctime_ns, found.st_size, found.st_ino)  # ctime: nobody can set it, a new owner or mode does


def path_exists(path: str) -> bool:
    try:
        return posix.access(path, posix.F_OK)  # unlike stat, no exception for a file that is usually missing
    except ValueError:  # a NUL in the path
        return False
