"""Start the learning of durations in a detached child process.

observer (a turn ends) → [start_refresh] → learn_worker
"""

from __future__ import annotations

import sys

from hookwright.proc.spawn import start_detached
from hookwright.store import limits


def start_refresh(state: str | None, now: float) -> None:
    """Start learn_worker, at most once in ten minutes; the hook process does not wait for it."""
    if state is None or not limits.allow(f"{state}/refresh", "r", now, most=1, per_seconds=600):
        return
    worker = __file__.rpartition("/")[0] + "/learn_worker.py"
    try:
        start_detached([sys.executable, "-I", "-S", worker, state])  # in its own session: Claude Code kills our group
    except OSError:
        return
