"""Check whether the user has trusted this project: the same files, the same content, the same path.

.hookwright.toml, .hookwright/hooks/*.py → [read_project] → hashes → [is_trusted] ← recorded by `hookwright trust`
After any change, new, deleted or moved file, or with a symlink or an unreadable file among them, the project is not
trusted: none of its code runs.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from hookwright.config import config_files
from hookwright.config.discover_files import list_python_files
from hookwright.proc.safe_read import read_file

MOST_FILES = 200  # Python files of one project
MOST_BYTES = 4 << 20  # of all its files together
MOST_RECORD_BYTES = 1 << 20


@dataclass(frozen=True)
class ProjectFiles:
    """A project's configuration and hooks, read once, so that the hashed bytes are the ones shown and compiled."""

    folder: str  # .hookwright/hooks, "" if it is empty
    contents: dict[str, bytes] = field(default_factory=dict)  # of .hookwright.toml and the Python files
    links: list[str] = field(default_factory=list)  # symlinks, never trusted: the target can change unnoticed
    unreadable: str = ""  # why not all of it could be read: then it is not trusted either
    stamps: tuple[Any, ...] = ()  # of the Python files, from before they were read

    @property
    def hashes(self) -> dict[str, str]:
        return {path: sha256(data).hexdigest() for path, data in self.contents.items()}

    @property
    def python_sources(self) -> dict[str, bytes]:
        return {path: data for path, data in self.contents.items() if path.endswith(".py")}


def read_project(file: str, folder: str = "") -> ProjectFiles:
    """Read the project's .hookwright.toml (`file`) and .hookwright/hooks (`folder`); each may be "" or missing."""
    files = list_python_files(folder, MOST_FILES + 1) if folder else []
    links = [path for path in (folder and os.path.dirname(folder), folder, *files) if path and os.path.islink(path)]
    unreadable = f"there are more than {MOST_FILES} files" if len(files) > MOST_FILES else ""
    files = files[:MOST_FILES]
    stamps = config_files.stamp_files(tuple(files))
    configuration = [file] if file and os.path.exists(file) else []
    contents: dict[str, bytes] = {}
    left = MOST_BYTES
    for path in configuration + files:
        try:
            contents[path] = read_file(path, left)
        except OSError as error:
            contents[path] = b""
            unreadable = unreadable or f"{path}: {error.strerror}"
        left -= len(contents[path])
    return ProjectFiles(folder if files else "", contents, links, unreadable, stamps)


def is_trusted(project: ProjectFiles, trust: str) -> bool:
    """True if the recorded hashes are exactly those of the files."""
    if not project.contents or project.links or project.unreadable:
        return False
    return read_trusted_hashes(trust) == project.hashes


def read_trusted_hashes(trust: str) -> dict[str, str]:
    """The recorded hashes; empty if the record is missing or damaged."""
    try:
        files = json.loads(read_file(trust, MOST_RECORD_BYTES))["files"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return files if isinstance(files, dict) else {}
