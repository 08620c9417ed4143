"""End processes that have left their group, found by a variable in their environment. Linux only.

NAME=value, born since → [kill_marked] → the pids that were ended
`kill_group` cannot reach a program that called setsid(); the environment it was started with still identifies it.
Without /proc nothing is found, so callers must not spare children there (`CAN_FIND_MARKED`).
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Collection

from hookwright.proc.safe_read import read_head

CAN_FIND_MARKED = os.path.exists("/proc/self/environ")
_PASSES = 10
_PAUSE_S = 0.01
_MOST_BYTES = 16 << 20  # of an environment; the kernel's own limit is lower


def seconds_since_boot() -> float:
    """The clock of process start times in /proc."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def kill_marked(mark: str, *, one_of: Collection[str], born: float) -> list[int]:
    """SIGKILL every process born since then whose environment holds this `NAME=value` and one of those."""
    ended: list[int] = []
    for _ in range(_PASSES):  # a process may be forked during a pass
        environments = {pid: _read_environ(pid) for pid in _list_young_pids(born) if pid not in ended}
        found = [pid for pid, words in environments.items() if mark in words and not words.isdisjoint(one_of)]
        if not found:
            break
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            ended.append(pid)
    return ended


def _list_young_pids(born: float) -> list[int]:
    """Running processes that were started since then."""
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    except OSError:
        return []
    ticks = os.sysconf("SC_CLK_TCK")
    found = []
    for name in names:
        fields = _read_proc(f"/proc/{name}/stat").rpartition(b")")[2].split()
        # The first is its state, the twentieth its birth; a tick is the smallest unit of that clock.
        if len(fields) > 19 and fields[0] not in (b"Z", b"X") and (int(fields[19]) + 1) / ticks >= born:
            found.append(int(name))
    return found


def _read_environ(pid: int) -> set[str]:
    """Environment from /proc; briefly empty during execve."""
    for _ in range(_PASSES):
        words = _read_proc(f"/proc/{pid}/environ")
        if words:
            return set(words.decode("utf-8", "surrogateescape").split("\0"))
        if not os.path.exists(f"/proc/{pid}/exe"):
            break  # dead, or a kernel thread
        time.sleep(_PAUSE_S)
    return set()


def _read_proc(path: str) -> bytes:
    try:
        return read_head(path, _MOST_BYTES)
    except OSError:
        return b""  # gone, or another user's
