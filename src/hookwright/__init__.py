"""hookwright: hooks for Claude Code that are fast, proven and explained.

What an author of hooks needs is importable from here: `from hookwright import PreToolUse, deny, hook`.
Names are found when they are asked for; the door never asks.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.api import *  # noqa: F403
else:  # a type checker knows all names, and tells of one that does not exist

    def __getattr__(name: str) -> object:
        from hookwright.api import find  # noqa: PLC0415

        return find(name)
