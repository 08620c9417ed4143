"""Hooks that are not ours: users' Python files, packages' hooks, commands. Loaded only where an event has one."""

from __future__ import annotations

import sys

GROUP = "guests"  # in the bundle: what every guest needs, in one piece

for finder in sys.meta_path:
    if hasattr(finder, "preload"):
        finder.preload(GROUP, None)
