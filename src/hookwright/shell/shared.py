"""One reading for all hooks of an event: who asks second for the same command gets what was read first.

hooks → [read] → Command
"""

from __future__ import annotations

from hookwright.shell.command import Command

_last = Command("")


def read(text: str, cwd: str = ".", home: str = "") -> Command:
    """The command, read in this folder; the same object as long as the same one is asked for."""
    global _last  # noqa: PLW0603  the last one is all that an event needs
    if _last.text != text or _last.cwd != cwd or _last.home != home:
        _last = Command(text, cwd, home)
    return _last
