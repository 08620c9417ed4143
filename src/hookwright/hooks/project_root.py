"""Find the root directory of the project."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hookwright.config import config_files
from hookwright.git import directory

if TYPE_CHECKING:
    from hookwright.hooks.base import World


def find_project_root(world: World) -> str:
    """The directory of .hookwright.toml, else the repository's top level, else where Claude Code was started."""
    file = config_files.project_file(world.project, world.home)
    return os.path.realpath(
        os.path.dirname(file) if file else directory.find_worktree_root(world.project) or world.project or "/"
    )
