"""Where a project begins."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hookwright.plan import sources
from hookwright.work import gitdir

if TYPE_CHECKING:
    from hookwright.work.around import World


def project_root(world: World) -> str:
    """The folder of the project's file, else of its repository, else the one that Claude Code was started in."""
    file = sources.project_file(world.project, world.home)
    return os.path.realpath(os.path.dirname(file) if file else gitdir.top_of(world.project) or world.project or "/")
