"""Find the root directory of the project, and whether the user trusts what lies in it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hookwright.config import config_files, trust
from hookwright.git import directory
from hookwright.store.paths import project_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.hooks.base import World


def find_project_root(world: World) -> str:
    """The directory of .hookwright.toml, else the repository's top level, else where Claude Code was started."""
    file = config_files.project_file(world.project, world.home)
    return os.path.realpath(
        os.path.dirname(file) if file else directory.find_worktree_root(world.project) or world.project or "/"
    )


def is_project_trusted(world: World, root: str, directories: Sequence[str]) -> bool:
    """May programs of this project run? True below one of the user's directories, or after `hookwright trust`."""
    home = world.home or ""
    for place in directories:
        above = os.path.realpath(home + place[1:] if place[:1] == "~" else place).rstrip("/")
        if f"{root}/".startswith(f"{above}/"):
            return True
    file, folder = config_files.find_project_config(world.project, world.home)
    record = config_files.trust_file(world.state, config_files.project_name(file, folder), project_key)
    return bool(record) and trust.is_trusted(trust.read_project(file, folder), record)
