"""Has the user trusted this project? Exactly these files, with exactly these bytes, in exactly this place.

.hookwright.toml, .hookwright/hooks/*.py → [look] → their hashes, compared with what `hookwright trust` recorded
Whatever changes, appears, goes, moves or is a link: not trusted, and nothing of the project runs.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from hookwright.plan import sources
from hookwright.plan.folder import contents, python_files


@dataclass(frozen=True)
class Project:
    """A project's own files as they are now, read once: what was hashed is what is shown and compiled."""

    folder: str  # .hookwright/hooks, "" if there is nothing in it
    contents: dict[str, bytes] = field(default_factory=dict)  # of .hookwright.toml and the Python files
    links: list[str] = field(default_factory=list)  # never trusted: what they point at can change unseen
    stamps: tuple[Any, ...] = ()  # of the Python files, from before they were read

    @property
    def hashes(self) -> dict[str, str]:
        return {path: sha256(data).hexdigest() for path, data in self.contents.items()}

    @property
    def python(self) -> dict[str, bytes]:
        return {path: data for path, data in self.contents.items() if path.endswith(".py")}


def look(file: str, folder: str = "") -> Project:
    """`file` is the project's .hookwright.toml, `folder` its .hookwright/hooks; each may be "" or not there."""
    files = python_files(folder) if folder else []
    links = [path for path in (folder and os.path.dirname(folder), folder, *files) if path and os.path.islink(path)]
    stamps = sources.stamps(tuple(files))
    configuration = [file] if file and os.path.exists(file) else []
    return Project(folder if files else "", contents(configuration + files), links, stamps)


def is_trusted(project: Project, trust: str) -> bool:
    """Is what was recorded exactly what is there?"""
    return bool(project.contents) and not project.links and recorded(trust) == project.hashes


def recorded(trust: str) -> dict[str, str]:
    """The hashes that the user trusted; none if nothing sound is recorded."""
    try:
        with open(trust, encoding="utf-8") as record:
            files = json.load(record)["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return files if isinstance(files, dict) else {}
