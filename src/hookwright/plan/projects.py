"""Has the user trusted this project? Exactly these files, with exactly these bytes, in exactly this place.

.hookwright.toml, .hookwright/hooks/*.py → [look] → their hashes, compared with what `hookwright trust` recorded
Whatever changes, appears, goes, moves or is a link: not trusted, and nothing of the project runs.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from hashlib import sha256

from hookwright.plan.folder import contents, python_files


@dataclass(frozen=True)
class Project:
    """A project's own files as they are now."""

    file: str  # .hookwright.toml, "" if there is none
    folder: str  # .hookwright/hooks, "" if there is none
    python: dict[str, bytes] = field(default_factory=dict)  # read once: what was hashed is what is compiled
    links: list[str] = field(default_factory=list)  # never trusted: what they point at can change unseen
    hashes: dict[str, str] = field(default_factory=dict)


def look(file: str, folder: str = "") -> Project:
    files = python_files(folder) if folder else []
    links = [path for path in (folder and os.path.dirname(folder), folder, *files) if path and os.path.islink(path)]
    python = contents(files)
    hashes = {path: sha256(data).hexdigest() for path, data in python.items()}
    if file and os.path.exists(file):
        hashes[file] = fingerprint(file)
    return Project(file, folder if files else "", python, links, hashes)


def is_trusted(project: Project, trust: str) -> bool:
    """Is what was recorded exactly what is there?"""
    return bool(project.hashes) and not project.links and recorded(trust) == project.hashes


def recorded(trust: str) -> dict[str, str]:
    """The hashes that the user trusted; none if nothing sound is recorded."""
    try:
        with open(trust, encoding="utf-8") as record:
            files = json.load(record)["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return files if isinstance(files, dict) else {}


def fingerprint(path: str) -> str:
    with open(path, "rb") as file:
        return sha256(file.read()).hexdigest()
