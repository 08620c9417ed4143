"""One reading for all hooks of an event: who asks second for the same command gets what was read first.

hooks → [read] → Command
"""

from __future__ import annotations

from hookwright.shell.command import Command

_last = _full = Command("")


def read(text: str, cwd: str = ".", home: str = "", *, scripts: bool = False) -> Command:
    """The command, read in this folder; the same object as long as the same one is asked for.

    With `scripts` the project's files are asked what its tasks run.
    """
    global _last, _full  # noqa: PLW0603  the last one is all that an event needs
    last = _full if scripts else _last
    if last.text == text and last.cwd == cwd and last.home == home:
        return last
    if scripts:
        from hookwright.shell.scripts.project import Project

        _full = Command(text, cwd, home, Project())
        return _full
    _last = Command(text, cwd, home)
    return _last
