"""Find and read the files of preferences in the user's config directory: one for the user, one per project.

<config>/questions/{user,project-…}.json → [load_preferences] → preferences, the project's before the user's
Never inside the project: a repository must not bring its own decisions. Only `hookwright questions` writes them.
Hot: two small files, read only when a question is asked.
"""

from __future__ import annotations

import posix

from hookwright.git.directory import find_repository, parent_dir
from hookwright.proc.resolve_path import resolve_path
from hookwright.proc.safe_read import open_regular
from hookwright.protocol.json import loads
from hookwright.store.paths import project_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORMAT = 1
_MOST_BYTES = 1 << 20


class UnusableFile(Exception):
    """A file of preferences that must not be used; the text says why."""


def preferences_dir(config: str) -> str:
    return config + "/questions"


def user_file(config: str) -> str:
    return f"{preferences_dir(config)}/user.json"


def project_file(config: str, owner: str) -> str:
    return f"{preferences_dir(config)}/project-{project_key(owner.removesuffix('/.git'))}.json"


def owner_of(start: str) -> str:
    """The owner of project preferences that are set here: the repository, else the directory itself."""
    return find_repository(start) or resolve_path(start)


def project_files(config: str, start: str, home: str | None) -> list[str]:
    """The project files that apply here: the repository's, else those of this directory and its parents."""
    owner = find_repository(start)
    if owner:
        return [project_file(config, owner)]
    found = []
    here = at = resolve_path(start)
    stop = resolve_path(home) if home else "/"
    while at and (at == here or at not in (stop, "/")):
        path = project_file(config, at)
        if posix.access(path, posix.F_OK):
            found.append(path)
        at = parent_dir(at)
    return found


def load_preferences(path: str) -> dict[str, Any]:
    """The content of the file, empty if it does not exist; UnusableFile if it is not in our format."""
    try:
        descriptor, found = open_regular(path)
    except FileNotFoundError:
        return {"preferences": []}
    except OSError as error:
        raise UnusableFile(f"{path} cannot be read: {error.strerror}") from None
    try:
        if found.st_uid != posix.geteuid() or found.st_mode & 0o022:
            raise UnusableFile(f"{path} can be written by others")
        text = posix.read(descriptor, _MOST_BYTES).decode("utf-8")
        value = loads(text)
    except OSError as error:
        raise UnusableFile(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise UnusableFile(f"{path} is damaged: {error}") from None
    finally:
        posix.close(descriptor)
    if not isinstance(value, dict) or value.get("v") != FORMAT or not isinstance(value.get("preferences"), list):
        raise UnusableFile(f"{path} is in a format that this version does not know")
    return value


def is_away(user: dict[str, Any], now: float) -> bool:
    """True if the user has set their presence to away and it has not expired."""
    until = user.get("away_until")
    return isinstance(until, (int, float)) and not isinstance(until, bool) and (until == 0 or now < until)
