"""Import users' hook files in a forked child, so that a file that hangs or exits can be found and skipped.

compiler → [run_in_fork] → fork → marshalled result over a pipe; or LoadFailed with the file that was being loaded
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable
from typing import Any

from hookwright.proc.run_forked import run_forked

LOAD_S = 5.0  # for one file; a library that takes longer should not be imported at a hook's top level


class LoadFailed(Exception):
    """The child did not finish; `file` was being loaded."""

    def __init__(self, file: str, why: str) -> None:
        super().__init__(why)
        self.file = file
        self.why = why


def run_in_fork(make: Callable[[Callable[[str], None]], Any], seconds: float = LOAD_S) -> Any:
    """Run `make(on_file)` in a fork and return its result. It calls `on_file(path)` before each file."""

    def load(report: Callable[[bytes], None]) -> bytes:
        return marshal.dumps(make(lambda file: report(os.fsencode(file))))

    # Our own modules are imported before the first file, hence twice the time for it.
    result = run_forked(load, seconds, repr, first_seconds=2 * seconds)
    if result.data is None:
        why = f"it took longer than {seconds:g} s" if result.timed_out else "it ended the process"
        raise LoadFailed(os.fsdecode(result.progress), why)
    return marshal.loads(result.data)  # noqa: S302  written by our own fork
