"""Where hookwright keeps its things: config, state and cache, each in a folder of the user's own.

environment → [this] → a folder of mode 0700, or None
Never guesses: without a home there is no path, and nobody falls back to a shared folder.
Hot: builtin modules only, one `stat` in the common case.
"""

from __future__ import annotations

import posix

TYPE_CHECKING = False  # the door must not import typing
if TYPE_CHECKING:
    from collections.abc import Callable

    Get = Callable[[str], str | None]

# A fixed 64-bit prime: the remainder of a path's bytes by it is the same on every interpreter and machine,
# costs a fraction of a microsecond and, unlike hash(), is not salted.
_PRIME = 0x9E37_79B9_7F4A_7C55


def config_dir(get: Get) -> str | None:
    """`config.toml` and the user's own hooks live here."""
    return _home(get, "HOOKWRIGHT_CONFIG_HOME", "XDG_CONFIG_HOME", "/.config")


def state_dir(get: Get) -> str | None:
    """The journal, the store and everything learned live here."""
    return _home(get, "HOOKWRIGHT_STATE_HOME", "XDG_STATE_HOME", "/.local/state")


def cache_dir(get: Get) -> str | None:
    """What can be made again lives here."""
    return _home(get, "HOOKWRIGHT_CACHE_HOME", "XDG_CACHE_HOME", "/.cache")


def project_dir(base: str, project: str) -> str:
    """The folder under `base` (state or cache) that belongs to one project."""
    return f"{base}/projects/{project_key(project)}"


def session_dir(base: str, session: str) -> str:  # rare
    """The folder under `base` (state or cache) that belongs to one session."""
    return f"{base}/sessions/{file_name(session)}"


def project_key(path: str) -> str:
    """A file name for a project: its own name for the reader, a number for the difference."""
    path = path.rstrip("/") or "/"
    return f"{_slug(path[path.rfind('/') + 1 :]) or 'root'}-{_number(path):016x}"


def file_name(text: str) -> str:  # rare
    """Text as one safe file name: a plain id stays as it is, anything else gets a number."""
    slug = _slug(text)
    return slug if slug == text and slug else f"{slug}-{_number(text):016x}"


def make_private(path: str) -> bool:  # rare
    """True when `path` is now a folder of mode 0700 that belongs to this user; makes it and its parents."""
    try:
        try:
            found = posix.stat(path)
        except FileNotFoundError:
            _make_parents(path)
            found = posix.stat(path)
        if found.st_mode & 0o170000 != 0o040000 or found.st_uid != posix.geteuid():
            return False
        if found.st_mode & 0o077:
            posix.chmod(path, 0o700)
    except (OSError, ValueError):
        return False
    return True


def _home(get: Get, own: str, xdg: str, under: str) -> str | None:
    """Our own variable names the folder itself; XDG's names its parent. A relative path counts as unset."""
    path = get(own)
    if path and path[0] == "/":
        return path.rstrip("/") or None
    path = get(xdg)
    if path and path[0] == "/":
        return path.rstrip("/") + "/hookwright"
    path = get("HOME")
    if path and path[0] == "/":
        return f"{path.rstrip('/')}{under}/hookwright"
    return None


def _make_parents(path: str) -> None:  # rare
    missing = []
    while path:
        try:
            posix.mkdir(path, 0o700)
            break
        except FileExistsError:
            break
        except FileNotFoundError:
            missing.append(path)
            path = path[: path.rfind("/")] if "/" in path else ""
    for folder in reversed(missing):
        try:
            posix.mkdir(folder, 0o700)
        except FileExistsError:  # another process was quicker
            continue


def _slug(text: str) -> str:
    kept = [c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in text[:40]]
    return "".join(kept)


def _number(text: str) -> int:
    return int.from_bytes(b"\x01" + text.encode("utf-8", "surrogateescape"), "big") % _PRIME
