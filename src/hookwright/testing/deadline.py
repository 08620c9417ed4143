"""A real deadline in a test: a hook that does not end is stopped as the door would stop it.

World.alarm → [Deadline] → Overrun in the running hook
Whoever used the alarm clock before (a test runner's own time limit) gets it back as it was.
"""

from __future__ import annotations

import signal
import threading
import time
from typing import Any

from hookwright.hooks.base import Overrun

AGAIN_S = 0.05  # a hook that swallowed the first one is told again


class Deadline:
    """Called with seconds it arms, with 0 it disarms; does nothing outside of the main thread."""

    def __init__(self) -> None:
        self.former: Any = None
        self.left_s = 0.0
        self.armed_at = 0.0

    def __call__(self, seconds: float) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        if seconds:
            self._arm(seconds)
        elif self.former is not None:
            self._disarm()

    def _arm(self, seconds: float) -> None:
        if self.former is None:
            self.former = signal.signal(signal.SIGALRM, _overrun)
            self.left_s, _ = signal.getitimer(signal.ITIMER_REAL)
            self.armed_at = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_S)

    def _disarm(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.former)
        self.former = None
        if self.left_s:
            spent = time.monotonic() - self.armed_at
            signal.setitimer(signal.ITIMER_REAL, max(self.left_s - spent, 0.001))


def _overrun(number: int, frame: object) -> None:
    raise Overrun
