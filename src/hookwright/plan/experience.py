"""What the past of a project says about a command: its key looked up in what was learned.

command → shell.key → state.durations → [this] → auto_background, explain, replay
Hot, but only in projects in which something was learned.
"""

from __future__ import annotations

import posix

from hookwright.state.paths import project_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.state.durations import Learned


def has_past(state: str | None, project: str) -> bool:
    """Is there anything to look up? One system call, so that projects without a past pay nothing more."""
    if state is None or not project:
        return False
    try:
        posix.stat(project_dir(state, project) + "/durations")
    except (OSError, ValueError):
        return False
    return True


def experience(state: str | None, project: str, command: str, long_s: float) -> tuple[str, str, Learned | None]:
    """The command's key and intent, and what its past runs say about taking longer than `long_s` seconds.

    Key and intent are empty when nothing that is known can be about this command.
    """
    from hookwright.state import durations  # noqa: PLC0415  see above

    rows = durations.relevant(state, project, command)
    if not rows:
        return "", "", None
    from hookwright.shell.key import key_of  # noqa: PLC0415

    key = key_of(command)
    return key.text, key.intent, durations.look_up(rows, key.segments, key.text, long_s)
