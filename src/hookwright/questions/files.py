"""Where preferences are kept: in the user's own config folder, one file for the user and one for each project.

<config>/questions/{user,project-…}.json → [load] → preferences, the project's before the user's
Never in the project itself: a repository must not bring decisions along. Only `hookwright questions` writes them.
Hot: two small files, read for questions only.
"""

from __future__ import annotations

import posix

from hookwright.protocol.json import loads
from hookwright.questions.place import above, real, repository
from hookwright.state.paths import project_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FORM = 1
_MOST_BYTES = 1 << 20


class Unusable(Exception):
    """A file of preferences that must not be trusted; says why."""


def folder(config: str) -> str:
    return config + "/questions"


def user_file(config: str) -> str:
    return f"{folder(config)}/user.json"


def project_file(config: str, owner: str) -> str:
    return f"{folder(config)}/project-{project_key(owner.removesuffix('/.git'))}.json"


def owner_of(start: str) -> str:
    """What a project's preferences belong to when they are set here: the repository, else the folder itself."""
    return repository(start) or real(start)


def project_files(config: str, start: str, home: str | None) -> list[str]:
    """The files that count in this folder: its repository's, else those of the folder and the ones above it."""
    owner = repository(start)
    if owner:
        return [project_file(config, owner)]
    found = []
    here = at = real(start)
    stop = real(home) if home else "/"
    while at and (at == here or at not in (stop, "/")):
        path = project_file(config, at)
        if posix.access(path, posix.F_OK):
            found.append(path)
        at = above(at)
    return found


def load(path: str) -> dict[str, Any]:
    """The file's content; an empty one when there is none; Unusable for anything but what we wrote."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except FileNotFoundError:
        return {"preferences": []}
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}") from None
    try:
        found = posix.fstat(descriptor)
        if found.st_uid != posix.geteuid() or found.st_mode & 0o022:
            raise Unusable(f"{path} can be written by others")
        text = posix.read(descriptor, _MOST_BYTES).decode("utf-8")
        value = loads(text)
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise Unusable(f"{path} is damaged: {error}") from None
    finally:
        posix.close(descriptor)
    if not isinstance(value, dict) or value.get("v") != FORM or not isinstance(value.get("preferences"), list):
        raise Unusable(f"{path} has a form that this version does not know")
    return value


def is_away(user: dict[str, Any], now: float) -> bool:
    """Has the user said so, and is it still true?"""
    until = user.get("away_until")
    return isinstance(until, (int, float)) and not isinstance(until, bool) and (until == 0 or now < until)
