"""The segments of the journal: their names, their order, and the removal of old ones; the count of lost records.

<state>/journal/2026-11-15.jsonl, 2026-11-15.1.jsonl, … → [sweep_segments] → those within the age and size limits
The clock may be wrong, and what is removed is lost: one event in the year 2040 must not empty the journal. So a sweep
removes two days at most, and none for their age on the first day after a long pause, which may be a jump of the clock.
"""

from __future__ import annotations

import posix

FAILURES_FILE = ".failures"  # one byte for each record that could not be written
DAYS_AT_ONCE = 2  # more than the one that each day adds, so that a backlog shrinks


def is_after_pause(folder: str, today: str, oldest: str) -> bool:
    """True if the last day with a segment before `today` is before `oldest`: nothing was recorded for so long."""
    days = [name[:10] for name in posix.listdir(folder) if is_segment(name) and name[:10] < today]
    return bool(days) and max(days) < oldest


def sweep_segments(folder: str, oldest: str, keep_bytes: int) -> list[str]:
    """Remove segments before the oldest day, then the oldest ones above the size limit; the newest always stays."""
    segments = sorted((name for name in posix.listdir(folder) if is_segment(name)), key=segment_order, reverse=True)
    expired = sorted({name[:10] for name in segments if name[:10] < oldest})[:DAYS_AT_ONCE]
    removed = []
    total = 0
    for position, name in enumerate(segments):
        path = f"{folder}/{name}"
        try:
            total += posix.stat(path).st_size
            if position and (name[:10] in expired or total > keep_bytes):
                posix.unlink(path)
                removed.append(name)
        except OSError:  # removed by another process meanwhile
            continue
    return removed


def is_segment(name: str) -> bool:
    """`2026-11-15.jsonl`, `2026-11-15.3.jsonl`, either with `.gz`."""
    return name[4:5] == "-" and name[7:8] == "-" and name[10:11] == "." and name.endswith((".jsonl", ".jsonl.gz"))


def segment_order(name: str) -> tuple[str, int]:
    """Sort key: the order in which segments were created."""
    number = name[11 : name.find(".jsonl")]
    return name[:10], int(number) if number.isdecimal() else 0


def count_failure(folder: str) -> None:
    """Append one byte to the failure counter, which `stats` reports."""
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK
    try:
        descriptor = posix.open(f"{folder}/{FAILURES_FILE}", flags, 0o600)
        try:
            posix.write(descriptor, b".")
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return
