"""Where hookwright keeps its files: config, state and cache, each in a private directory of the user.

environment → [config_dir | state_dir | cache_dir] → path, or None → [make_private] → a directory of mode 0700
Never guesses: without a home directory there is no path, and nothing falls back to a shared one.
Hot: builtin modules only.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    GetVariable = Callable[[str], str | None]

# A fixed 64-bit prime: the remainder of a path's bytes by it is the same on every interpreter and machine,
# costs a fraction of a microsecond and, unlike hash(), is not salted.
_PRIME = 0x9E37_79B9_7F4A_7C55


def config_dir(get: GetVariable) -> str | None:
    """The directory of `config.toml` and the user's hooks."""
    return _resolve_dir(get, "HOOKWRIGHT_CONFIG_HOME", "XDG_CONFIG_HOME", "/.config")


def state_dir(get: GetVariable) -> str | None:
    """The directory of the journal, the ledger and everything learned."""
    return _resolve_dir(get, "HOOKWRIGHT_STATE_HOME", "XDG_STATE_HOME", "/.local/state")


def cache_dir(get: GetVariable) -> str | None:
    """The directory of files that can be recreated."""
    return _resolve_dir(get, "HOOKWRIGHT_CACHE_HOME", "XDG_CACHE_HOME", "/.cache")


def data_dir(get: GetVariable) -> str | None:
    """The launcher's directory. Without a HOOKWRIGHT_ variable: the directory's name identifies our launcher."""
    return _resolve_dir(get, "", "XDG_DATA_HOME", "/.local/share")


def make_private(path: str) -> bool:
    """True when `path` is now a directory of mode 0700 that belongs to this user; creates it and its parents."""
    from hookwright.proc import private_dir  # noqa: PLC0415  once for each directory, not for each event

    return private_dir.make_private(path)


def project_dir(base: str, project: str) -> str:
    """The directory under `base` (state or cache) that belongs to one project."""
    return f"{base}/projects/{project_key(project)}"


def session_dir(base: str, session: str) -> str:
    """The directory under `base` (state or cache) that belongs to one session."""
    return f"{base}/sessions/{file_name(session)}"


def project_key(path: str) -> str:
    """A file name for a project: its own name for the reader, and a hash of its path."""
    path = path.rstrip("/") or "/"
    return f"{_slug(path[path.rfind('/') + 1 :]) or 'root'}-{_hash_text(path):016x}"


def file_name(text: str) -> str:
    """Text as one safe file name: a plain id stays as it is, anything else gets a hash."""
    slug = _slug(text)
    return slug if slug == text and slug else f"{slug}-{_hash_text(text):016x}"


def _resolve_dir(get: GetVariable, own: str, xdg: str, under: str) -> str | None:
    """Our own variable names the directory itself, XDG's its parent. A relative path counts as unset."""
    path = get(own) if own else None
    if path and path[0] == "/":
        return path.rstrip("/") or None
    path = get(xdg)
    if path and path[0] == "/":
        return path.rstrip("/") + "/hookwright"
    path = get("HOME")
    if path and path[0] == "/":
        return f"{path.rstrip('/')}{under}/hookwright"
    return None


def _slug(text: str) -> str:
    kept = [c if c.isascii() and (c.isalnum() or c in "-_") else "_" for c in text[:40]]
    return "".join(kept)


def _hash_text(text: str) -> int:
    return int.from_bytes(b"\x01" + text.encode("utf-8", "surrogateescape"), "big") % _PRIME
