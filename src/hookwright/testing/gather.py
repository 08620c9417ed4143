"""Which files hold something to play: case files, and hook files with EXAMPLES.

paths, or the user's own folder and a trusted project's → [gathered] → files
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hookwright.errors import UserError
from hookwright.plan import projects, sources
from hookwright.state import paths
from hookwright.testing import examples

CASE = ".case"
PROJECT_FOLDER = ".hookwright"
_PASSED_OVER = frozenset(("__pycache__", "node_modules", "venv", "site-packages"))


@dataclass
class Gathered:
    """Files to play, and what was left out, with the reason."""

    files: list[str] = field(default_factory=list)
    untested: list[str] = field(default_factory=list)  # hook files that nothing is said of
    left_out: list[UserError] = field(default_factory=list)
    looked_in: list[str] = field(default_factory=list)


def gathered(asked: Sequence[str], environ: Mapping[str, str] = os.environ) -> Gathered:
    """What there is under these paths; without any, the user's own hooks and this project's."""
    found = Gathered()
    for path in asked:
        if not os.path.exists(path):
            raise UserError("there is no such file or folder", where=path, fix="hookwright test [PATH]...")
        _look(path, found, hooks=False)
    if asked:
        return found
    own = sources.hooks_folder(paths.config_dir(environ.get))
    if own and os.path.isdir(own):
        _look(own, found, hooks=True)
    _look_at_project(found, environ)
    return found


def _look_at_project(found: Gathered, environ: Mapping[str, str]) -> None:
    """This project's own hooks, if the user trusts exactly what is there."""
    home = (environ.get("HOME") or "").rstrip("/") or None
    file, hooks = sources.project_places(os.getcwd(), home)
    if not hooks:
        return
    trust = sources.trust_file(paths.state_dir(environ.get), sources.project_name(file, hooks), paths.project_key)
    if projects.is_trusted(projects.look(file, hooks), trust):
        _look(hooks, found, hooks=True)
        return
    fix = f"hookwright trust, or hookwright test {os.path.relpath(hooks)}"
    found.left_out.append(UserError("this project's own hooks are not run without your word", where=hooks, fix=fix))


def _look(path: str, found: Gathered, *, hooks: bool) -> None:
    found.looked_in.append(path)
    if not os.path.isdir(path):
        if not path.endswith((CASE, ".py")) or not os.path.isfile(path):
            raise UserError("neither a case file nor Python", where=path, fix="name a *.case file or a hook file")
        found.files.append(path)
        return
    for file in _walk(path):
        if file.endswith(CASE) or examples.are_in(file):
            found.files.append(file)
        elif hooks and os.path.dirname(file) == path and not os.path.exists(file[:-3] + CASE):
            found.untested.append(file)


def _walk(folder: str) -> Iterator[str]:
    for inside, folders, names in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if name not in _PASSED_OVER and (name[0] != "." or name == PROJECT_FOLDER)
        )
        for name in sorted(names):
            if name.endswith(CASE) or (name.endswith(".py") and name[0] != "_" and not name.startswith("test_")):
                file = os.path.join(inside, name)
                if os.path.isfile(file):  # a pipe would wait for a writer
                    yield file
