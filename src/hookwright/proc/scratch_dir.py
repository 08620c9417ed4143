"""Temporary directories of commands. One that a killed process left behind goes when the next one is made.

[ScratchDir] → <tmp>/hookwright-…, mode 0700, removed at the end
"""

from __future__ import annotations

import os
import tempfile
import time

from hookwright.proc.sweep import remove_tree

PREFIX = "hookwright-"
LEFT_BEHIND_S = 2 * 86400.0  # no command runs longer
_MAX_DEPTH = 16


class ScratchDir(tempfile.TemporaryDirectory[str]):
    """A temporary directory: `with ScratchDir("verify") as path`."""

    def __init__(self, purpose: str) -> None:
        remove_left_behind(tempfile.gettempdir(), time.time())
        super().__init__(prefix=f"{PREFIX}{purpose}-", ignore_cleanup_errors=True)


def make_scratch_dir(purpose: str) -> str:
    """A temporary directory that its owner removes."""
    remove_left_behind(tempfile.gettempdir(), time.time())
    return tempfile.mkdtemp(prefix=f"{PREFIX}{purpose}-")


def remove_left_behind(folder: str, now: float) -> list[str]:
    """Remove our own directories in `folder` that nobody has touched for two days; returns their names."""
    removed = []
    for entry in os.scandir(folder):
        if not entry.name.startswith(PREFIX) or not entry.is_dir(follow_symlinks=False):
            continue
        try:
            found = entry.stat(follow_symlinks=False)
        except OSError:  # gone meanwhile
            continue
        is_old = abs(now - found.st_mtime) > LEFT_BEHIND_S
        if is_old and found.st_uid == os.geteuid() and remove_tree(entry.path, _MAX_DEPTH):
            removed.append(entry.name)
    return removed
