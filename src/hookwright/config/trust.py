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

from hookwright.config import config_files
from hookwright.config.discover_files import list_python_files, read_files


@dataclass(frozen=True)
class ProjectFiles:
    """A project's own files as they are now, read once: what was hashed is what is shown and compiled."""

    folder: str  # .hookwright/hooks, "" if there is nothing in it
    contents: dict[str, bytes] = field(default_factory=dict)  # of .hookwright.toml and the Python files
    links: list[str] = field(default_factory=list)  # never trusted: what they point at can change unseen
    stamps: tuple[Any, ...] = ()  # of the Python files, from before they were read

    @property
    def hashes(self) -> dict[str, str]:
        return {path: sha256(data).hexdigest() for path, data in self.contents.items()}

    @property
    def python_sources(self) -> dict[str, bytes]:
        return {path: data for path, data in self.contents.items() if path.endswith(".py")}


def read_project(file: str, folder: str = "") -> ProjectFiles:
    """`file` is the project's .hookwright.toml, `folder` its .hookwright/hooks; each may be "" or not there."""
    files = list_python_files(folder) if folder else []
    links = [path for path in (folder and os.path.dirname(folder), folder, *files) if path and os.path.islink(path)]
    stamps = config_files.stamp_files(tuple(files))
    configuration = [file] if file and os.path.exists(file) else []
    return ProjectFiles(folder if files else "", read_files(configuration + files), links, stamps)


def is_trusted(project: ProjectFiles, trust: str) -> bool:
    """Is what was recorded exactly what is there?"""
    return bool(project.contents) and not project.links and read_trusted_hashes(trust) == project.hashes


def read_trusted_hashes(trust: str) -> dict[str, str]:
    """The hashes that the user trusted; none if nothing sound is recorded."""
    try:
        with open(trust, encoding="utf-8") as record:
            files = json.load(record)["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return files if isinstance(files, dict) else {}
