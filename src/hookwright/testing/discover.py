"""Find the files with tests: case files, and hook files with EXAMPLES.

paths, or the user's hooks and those of a trusted project → [discover_files] → files
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hookwright.config import config_files, trust as projects
from hookwright.errors import UserError
from hookwright.store import paths
from hookwright.testing import examples

CASE = ".case"
PROJECT_FOLDER = ".hookwright"
_IGNORED = frozenset(("__pycache__", "node_modules", "venv", "site-packages"))


@dataclass
class DiscoveredFiles:
    """Files with tests, and what was left out, with the reason."""

    files: list[str] = field(default_factory=list)
    untested: list[str] = field(default_factory=list)  # hook files without tests
    left_out: list[UserError] = field(default_factory=list)
    looked_in: list[str] = field(default_factory=list)


def discover_files(asked: Sequence[str], environ: Mapping[str, str] = os.environ) -> DiscoveredFiles:
    """The files under these paths; without any, the user's hooks and this project's."""
    found = DiscoveredFiles()
    for path in asked:
        if not os.path.exists(path):
            raise UserError("no such file or directory", where=path, fix="hookwright test [PATH]...")
        _discover_path(path, found, hooks=False)
    if asked:
        return found
    own = config_files.hooks_folder(paths.config_dir(environ.get))
    if own and os.path.isdir(own):
        _discover_path(own, found, hooks=True)
    _discover_project(found, environ)
    return found


def _discover_project(found: DiscoveredFiles, environ: Mapping[str, str]) -> None:
    """This project's hooks, if the user trusts exactly these files."""
    home = (environ.get("HOME") or "").rstrip("/") or None
    file, hooks = config_files.find_project_config(os.getcwd(), home)
    if not hooks:
        return
    trust = config_files.trust_file(
        paths.state_dir(environ.get), config_files.project_name(file, hooks), paths.project_key
    )
    if projects.is_trusted(projects.read_project(file, hooks), trust):
        _discover_path(hooks, found, hooks=True)
        return
    fix = f"hookwright trust, or hookwright test {os.path.relpath(hooks)}"
    found.left_out.append(
        UserError("this project's hooks are not run: the project is not trusted", where=hooks, fix=fix)
    )


def _discover_path(path: str, found: DiscoveredFiles, *, hooks: bool) -> None:
    found.looked_in.append(path)
    if not os.path.isdir(path):
        if not path.endswith((CASE, ".py")) or not os.path.isfile(path):
            raise UserError("neither a case file nor Python", where=path, fix="name a *.case file or a hook file")
        found.files.append(path)
        return
    for file in _walk_files(path):
        if file.endswith(CASE) or examples.has_examples(file):
            found.files.append(file)
        elif hooks and os.path.dirname(file) == path and not os.path.exists(file[:-3] + CASE):
            found.untested.append(file)


def _walk_files(folder: str) -> Iterator[str]:
    for inside, folders, names in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if name not in _IGNORED and (name[0] != "." or name == PROJECT_FOLDER)
        )
        for name in sorted(names):
            if name.endswith(CASE) or (name.endswith(".py") and name[0] != "_" and not name.startswith("test_")):
                file = os.path.join(inside, name)
                if os.path.isfile(file):  # reading a named pipe would block
                    yield file
