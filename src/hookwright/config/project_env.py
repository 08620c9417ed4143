"""Tell the user's own environment variables from those that a project sets: a project may only tighten.

environment, project → [separate_environment] → what hooks may read | what the project says | what was left out, and why
Claude Code puts `env` of a project's `.claude/settings.json` and `settings.local.json` into the environment of hooks.
A variable of ours that one of these files names, whatever value it has there, counts as the project's: its options may
tighten (environment_options.py), anything else it says is as if it were not set. Our directories may be moved only to
a place of the user's own. Loaded only where such a variable is set, or where HOME is not the launcher's.
"""

from __future__ import annotations

import posix

from hookwright.proc.resolve_path import resolve_path
from hookwright.proc.safe_read import read_file
from hookwright.protocol.json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from hookwright.store.paths import GetVariable

MAX_BYTES = 2 << 20  # of a settings file
FILES = (".claude/settings.json", ".claude/settings.local.json")
OUR_PREFIXES = ("HOOKWRIGHT_", "CLAUDE_AUTOBACKGROUND", "AGENT_OS_")
# Ours → the directory's name below it. They move configuration, records and code.
PLACES = {
    "HOOKWRIGHT_CONFIG_HOME": "",
    "HOOKWRIGHT_STATE_HOME": "",
    "HOOKWRIGHT_CACHE_HOME": "",
    "XDG_CONFIG_HOME": "/hookwright",
    "XDG_STATE_HOME": "/hookwright",
    "XDG_CACHE_HOME": "/hookwright",
}
# Not ours, but they say where the user's files are, or whether somebody sits in front of the screen.
OTHERS = ("HOME", "CLAUDE_CONFIG_DIR", "XDG_DATA_HOME", "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_ENTRYPOINT")
LAUNCHER = "/.local/share/hookwright/hook"  # below HOME; see runtime/launcher.py
_KIND, _DIRECTORY = 0o170000, 0o040000


class SeparateEnvironment:
    """The environment in two: `get` is what hooks read, `project` holds what the project set; `left_out` says why."""

    __slots__ = ("_get", "_set", "left_out", "project")

    def __init__(self, get: GetVariable) -> None:
        self._get = get
        self._set: dict[str, str | None] = {}  # variables that are read otherwise than they are set
        self.project: dict[str, str] = {}
        self.left_out: list[str] = []

    def get(self, name: str) -> str | None:
        return self._set[name] if name in self._set else self._get(name)

    def leave_out(self, name: str, why: str, instead: str | None = None) -> None:
        self._set[name] = instead
        self.left_out.append(f"{name} is left out: {why}")


def separate_environment(
    get: GetVariable, names: Iterable[str], project: str, user_home: str | None
) -> SeparateEnvironment:
    """`user_home` is the user's home directory whatever HOME says; None if it is not known."""
    found = SeparateEnvironment(get)
    ours = [name for name in names if is_ours(name)]
    at_home = bool(user_home) and project.rstrip("/") == user_home
    named = {} if at_home or not project else list_named(project, ours)
    for name in ours:
        value = get(name)
        if name in named and value is not None:
            found.project[name] = value
            if name.startswith(OUR_PREFIXES) and name not in PLACES:
                found._set[name] = None  # noqa: SLF001  an option: dispatch tells what it does not take
            else:
                found.leave_out(name, f"{named[name]} sets it", user_home if name == "HOME" else None)
        elif value and name in PLACES:
            why = why_not_own(value.rstrip("/") + PLACES[name], project, user_home)
            if why:
                found.leave_out(name, why)
    return found


def separate_hook_process(get: GetVariable, project: str, launcher: str) -> SeparateEnvironment:
    """The environment of the hook process, whose launcher tells the user's home whatever HOME says."""
    names = [name.decode("utf-8", "surrogateescape") for name in posix.environ]
    home = launcher[: -len(LAUNCHER)] if launcher.endswith(LAUNCHER) else home_of_user()
    return separate_environment(get, names, project, home)


def is_ours(name: str) -> bool:
    return name.startswith(OUR_PREFIXES) or name in PLACES or name in OTHERS


def list_named(project: str, wanted: Iterable[str]) -> dict[str, str]:
    """Which of these variables a settings file of the project names: variable → file. All, if it cannot be read."""
    found: dict[str, str] = {}
    for file in FILES:
        path = f"{project.rstrip('/')}/{file}"
        try:
            env = read_env(path)
        except FileNotFoundError:
            continue
        except (OSError, ValueError, RecursionError, MemoryError):
            return {**dict.fromkeys(wanted, path), **found}
        found.update({name: path for name in wanted if name in env})
    return found


def read_env(path: str) -> Mapping[str, Any]:
    """`env` of a settings file; raises OSError or ValueError if it cannot be told."""
    try:
        text = read_file(path, MAX_BYTES).decode("utf-8-sig")
    except NotADirectoryError as error:
        raise FileNotFoundError(*error.args) from None
    if '"env"' not in text and "\\" not in text:
        return {}
    value = loads(text.strip())
    env = value.get("env") if isinstance(value, dict) else None
    return env if isinstance(env, dict) else {}


def why_not_own(path: str, project: str, user_home: str | None) -> str:
    """Why this directory is no place of the user's own; "" if it is. One that is not there yet will be made private."""
    if path[:1] != "/":
        return ""  # counts as unset anyway
    real = resolve_path(path)
    top = resolve_path(project) if project else ""
    holds_home = bool(user_home and top) and (f"{resolve_path(user_home or '')}/").startswith(f"{top.rstrip('/')}/")
    if top and not holds_home and f"{real}/".startswith(f"{top.rstrip('/')}/"):
        return f"{path} is inside of the project"
    try:
        found = posix.stat(real)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError):
        return f"{path} cannot be read"
    if found.st_mode & _KIND != _DIRECTORY:
        return f"{path} is no directory"
    if found.st_uid != posix.geteuid():
        return f"{path} belongs to somebody else"
    return f"others can write to {path}" if found.st_mode & 0o022 else ""


def home_of_user() -> str | None:
    """The home directory in the system's list of users; None if this user is not in it."""
    from pwd import getpwuid  # noqa: PLC0415  a builtin module, seldom needed

    try:
        return getpwuid(posix.geteuid()).pw_dir.rstrip("/") or None
    except (KeyError, OSError):
        return None
