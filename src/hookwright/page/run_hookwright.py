"""Run a command of ours for the page in a process of its own, and end it when the page ends.

what_if, ledger_reader → [run_hookwright] → `hookwright …` → result
A process of its own keeps the server small and answers with exactly what a person would get in the terminal.
"""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

from hookwright.proc.child_process import ProgramResult, describe_start_error, wait_for_children
from hookwright.proc.run_programs import Job, start_job

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.proc.child_process import ChildProcess

KEEP_BYTES = 4 << 20


class RunningCommands:
    """The processes that the page has started and that still run."""

    def __init__(self) -> None:
        self._children: set[ChildProcess] = set()
        self._lock = threading.Lock()
        self._closed = False

    def add(self, job: Job) -> ChildProcess:
        with self._lock:
            if self._closed:
                raise OSError("the page is closing")
            child = start_job(job)
            self._children.add(child)
            return child

    def remove(self, child: ChildProcess) -> None:
        with self._lock:
            self._children.discard(child)

    def close(self) -> None:
        """End them all; their threads notice."""
        with self._lock:
            self._closed = True
            for child in self._children:
                child.terminate()


def run_hookwright(running: RunningCommands, words: Sequence[str], *, cwd: str, seconds: float) -> ProgramResult:
    """Run `hookwright WORDS` and wait for it."""
    # -P: a directory of a stranger's repository must not provide our modules.
    job = Job([sys.executable, "-P", "-m", "hookwright", *words], cwd=cwd, seconds=seconds, keep=KEEP_BYTES)
    try:
        child = running.add(job)
    except (OSError, ValueError) as error:
        return ProgramResult(describe_start_error(error))
    try:
        wait_for_children([child])
    finally:
        child.end()
        running.remove(child)
    return child.result()
