"""Learning goes on by itself: a process of its own, which nobody waits for, reads what was recorded.

a turn ends → [learn_behind] → history.refresh
"""

from __future__ import annotations

import posix
import sys

from hookwright.state import limits


def learn_behind(state: str | None, now: float) -> None:
    """Start the refresh unless one was started lately; the answer does not wait for it."""
    if state is None or not limits.allow(f"{state}/refresh", "r", now, most=1, per_seconds=600):
        return
    root = __file__.rpartition("/hookwright/state/")[0]
    code = "import sys; sys.path.append(sys.argv[2]); from hookwright.history.refresh import main; main(sys.argv[1])"
    nothing = posix.open("/dev/null", posix.O_RDWR | posix.O_CLOEXEC)
    try:
        posix.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", "-c", code, state, root],
            posix.environ,
            file_actions=[(posix.POSIX_SPAWN_DUP2, nothing, stream) for stream in (0, 1, 2)],
            setsid=True,  # the client ends the group of a hook that is late; this is not late, it is elsewhere
        )
    except (OSError, NotImplementedError):
        return
    finally:
        posix.close(nothing)
