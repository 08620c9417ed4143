"""Enforce the deadline of a hook in a test, as the hook process does.

World.alarm → [Deadline: SIGALRM] → Overrun in the running hook
Another user of SIGALRM (a timeout of the test runner) gets its handler and its remaining time back.
"""

from __future__ import annotations

import signal
import threading
import time
from typing import Any

from hookwright.hooks.base import Overrun

REPEAT_S = 0.05  # a hook that swallowed the first Overrun gets another


class Deadline:
    """Called with seconds it arms the timer, with 0 it disarms it; does nothing outside of the main thread."""

    def __init__(self) -> None:
        self.former: Any = None
        self.left_s = 0.0
        self.armed_at = 0.0

    def __call__(self, seconds: float) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        if seconds:
            self._arm_timer(seconds)
        elif self.former is not None:
            self._disarm_timer()

    def _arm_timer(self, seconds: float) -> None:
        if self.former is None:
            self.former = signal.signal(signal.SIGALRM, _raise_overrun)
            self.left_s, _ = signal.getitimer(signal.ITIMER_REAL)
            self.armed_at = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, seconds, REPEAT_S)

    def _disarm_timer(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self.former)
        self.former = None
        if self.left_s:
            spent = time.monotonic() - self.armed_at
            signal.setitimer(signal.ITIMER_REAL, max(self.left_s - spent, 0.001))


def _raise_overrun(number: int, frame: object) -> None:
    raise Overrun
