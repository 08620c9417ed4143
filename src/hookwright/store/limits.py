"""Rate limits between processes: once per session, or at most so often in a time span.

    here = limits.scope(state, session, agent)
    if limits.once(here, "told-about-config"):
        ...                                        # the first time in this session, for this agent
    if limits.allow(here, "stop", now, most=1, per_seconds=60):
        ...                                        # at most once a minute

Any number of processes share a limit, without a lock to wait for. When the directory cannot be written the answer is
no: silence is safer than repetition. Hot: two or three system calls each.
"""

from __future__ import annotations

import posix

from hookwright.proc.private_dir import open_private
from hookwright.store.once import claim_file, once, scope
from hookwright.store.paths import file_name

__all__ = ("allow", "claim_file", "forget", "once", "scope")

_APPEND = posix.O_RDWR | posix.O_CREAT | posix.O_APPEND
_ENTRY = 24  # bytes: a time and a random number, by which a writer knows its own entry again
_MOST_READ = 1 << 16
_MOST_ENTRIES = 1000  # then those that no longer count go; all must fit into one read


def forget(here: str, name: str) -> None:
    """Make `once` and `allow` begin anew for this name."""
    for kind in (".once", ".times"):
        try:
            posix.unlink(f"{here}/{file_name(name)}{kind}")
        except (OSError, ValueError):
            continue


def allow(here: str | None, name: str, now: float, *, most: int, per_seconds: float) -> bool:
    """True when this is one of the at most `most` permitted times within any `per_seconds`."""
    if here is None or most < 1:
        return False
    path = f"{here}/{file_name(name)}.times"
    try:
        descriptor = open_private(path, _APPEND)
        try:
            times = _parse_times(posix.read(descriptor, _MOST_READ))
            if len(times) >= _MOST_ENTRIES:
                descriptor = _drop_old_entries(path, descriptor, times, now, per_seconds)
            if not _within_limit([time for time, _ in times], now, most, per_seconds):
                return False
            # Append first, then read what all processes appended: the order in the file decides who was in time, and
            # all readers come to the same result.
            own = posix.urandom(4).hex()
            entry = f"{now:014.3f} {own}\n".encode()
            if len(entry) != _ENTRY or posix.write(descriptor, entry) != _ENTRY:
                return False
            posix.lseek(descriptor, 0, 0)
            times = _parse_times(posix.read(descriptor, _MOST_READ))
            return _was_permitted(times, own, most, per_seconds)
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return False


def _drop_old_entries(
    path: str, descriptor: int, times: list[tuple[float, str]], now: float, per_seconds: float
) -> int:
    """Replace a long file with the entries that still count; returns a descriptor of the new one.

    A process that appends to the old file at this moment loses its entry: once in many hundred times, one too many.
    """
    from hookwright.proc.atomic_write import write_atomic  # noqa: PLC0415  once in a thousand times

    kept = [f"{time:014.3f} {own}\n" for time, own in times if abs(now - time) < per_seconds]
    write_atomic(path, "".join(kept[-_MOST_ENTRIES // 2 :]).encode())
    posix.close(descriptor)
    return open_private(path, _APPEND)


def _parse_times(content: bytes) -> list[tuple[float, str]]:
    found = []
    for at in range(0, len(content) - _ENTRY + 1, _ENTRY):
        time, _, own = content[at : at + _ENTRY].decode().strip().partition(" ")
        found.append((float(time), own))
    return found


def _was_permitted(times: list[tuple[float, str]], own: str, most: int, per_seconds: float) -> bool:
    permitted: list[float] = []
    for time, who in times:
        good = _within_limit(permitted, time, most, per_seconds)
        if who == own:
            return good
        if good:
            permitted.append(time)
    return False


def _within_limit(times: list[float], now: float, most: int, per_seconds: float) -> bool:
    """Both directions count: a clock that went back must neither forgive nor block for longer than the span."""
    return sum(abs(now - time) < per_seconds for time in times) < most
