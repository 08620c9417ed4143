"""Hooks that are not ours: users' Python files, packages' hooks, commands. Loaded only where an event has one."""

from __future__ import annotations

import sys

# Groups of the bundle, each put in place in one piece: what every guest needs, and what needs another process.
INSIDE = "guests inside"
APART = "guests apart"


def bring(group: str) -> None:
    """Load a group from the bundle, if this is the door."""
    for finder in sys.meta_path:
        if hasattr(finder, "preload"):
            finder.preload(group, None)


bring(INSIDE)
