"""Check that events can be recorded: the journal's directory, the space on its disk, and what was lost so far.

state directory → [check_journal] → findings
Writes nothing. A hook process that cannot record says nothing: its answer is sent by then, so it is said here.
"""

from __future__ import annotations

import os
import stat

from hookwright.settings.findings import Finding
from hookwright.store.journal_rotation import FAILURES_FILE

LEAST_BYTES = 1 << 20  # free space below which the next records are at risk


def check_journal(state: str) -> list[Finding]:
    """What keeps events from being recorded now, or has kept them from it."""
    folder = f"{state}/journal"
    problem, fix = _find_problem(folder)
    found = []
    if problem:
        what = f"events cannot be recorded: {problem}; hooks decide as ever, but log, stats and learning miss them"
        found.append(Finding("journal-unwritable", what, folder, fix))
    try:
        lost = os.lstat(f"{folder}/{FAILURES_FILE}")
    except OSError:
        return found
    if stat.S_ISREG(lost.st_mode) and lost.st_size:
        what = f"{lost.st_size} records could not be written" if lost.st_size > 1 else "one record could not be written"
        found.append(Finding("records-lost", what, folder, f"rm {folder}/{FAILURES_FILE}"))
    return found


def _find_problem(folder: str) -> tuple[str, str]:
    """Why nothing can be written there and what to do; "" if something can."""
    parent = folder
    while not os.path.lexists(parent):
        parent = os.path.dirname(parent)
    try:
        status = os.stat(parent)
        free = os.statvfs(parent)
    except OSError as error:
        return f"{parent}: {error.strerror}", f"ls -ld {parent}"
    if not stat.S_ISDIR(status.st_mode):
        return f"{parent} is not a directory", f"ls -ld {parent}"
    if not os.access(parent, os.W_OK | os.X_OK) or (parent == folder and status.st_uid != os.geteuid()):
        return f"{parent} is not writable for you", f"ls -ld {parent}"
    if free.f_bavail * free.f_frsize < LEAST_BYTES:
        return "the disk is full", f"df {parent}"
    return "", ""
