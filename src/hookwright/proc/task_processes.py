"""Find and end the processes of background commands. Linux only: elsewhere none is found, and none is ended.

(session, task) → [find_processes] → process group, proven by its output file → [end_group] → True: it is gone
Claude Code runs a background command as the leader of a process group whose output goes to
`…/<session>/tasks/<task>.output`. A process that writes there belongs to that command; nothing else is ever signalled.
Start times are compared again before every signal, since the kernel may give a number to another process.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of signal
import posix
import time

from hookwright.proc.kill_group import open_pidfd, signal_group
from hookwright.proc.safe_read import read_head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

_FOLDER = "/tasks/"
_END = ".output"
_GONE = " (deleted)"  # the kernel's mark on the name of a file that was removed
_PROC_BYTES = 1 << 20
GRACE_S = 5.0  # between SIGTERM and SIGKILL
_PAUSE_S = 0.05


class TaskProcess:
    """The process group of one background command."""

    __slots__ = ("group", "output", "pid", "pids", "started")

    def __init__(self, pid: int, group: int, started: int, output: str) -> None:
        self.pid = pid  # the leader, or another member if the leader has ended
        self.group = group
        self.started = started  # of `pid`, in clock ticks since boot
        self.output = output
        self.pids = [pid]


def find_processes(tasks: Container[tuple[str, str]]) -> dict[tuple[str, str], TaskProcess]:
    """(session, task) → its process group, for those of `tasks` that run."""
    found: dict[tuple[str, str], TaskProcess] = {}
    try:
        pids = [int(name) for name in posix.listdir("/proc") if name.isdigit()]
    except OSError:
        return found
    for pid in sorted(pids):
        output = read_output(pid)
        name = parse_output(output)
        if not name or name not in tasks:
            continue
        stat = read_stat(pid)
        if stat is None:
            continue
        group, started = stat
        known = found.get(name)
        if known is None or (pid == group and known.pid != known.group):
            process = TaskProcess(pid, group, started, output)
            process.pids += known.pids if known else []
            found[name] = process
        else:
            known.pids.append(pid)
    return found


def read_output(pid: int) -> str:
    """The task's output file that this process writes to; "" if it writes elsewhere or is not ours."""
    for descriptor in ("1", "2"):
        try:
            link = posix.readlink(f"/proc/{pid}/fd/{descriptor}")
        except OSError:  # ended, another user's, or no such descriptor
            continue
        link = link.removesuffix(_GONE)
        if link.endswith(_END) and _FOLDER in link:
            return link
    return ""


def parse_output(path: str) -> tuple[str, str] | None:
    """Session and task of an output file's path."""
    folder, mark, name = path.rpartition(_FOLDER)
    if not mark or not name.endswith(_END) or "/" in name:
        return None
    return folder.rpartition("/")[2], name[: -len(_END)]


def read_stat(pid: int) -> tuple[int, int] | None:
    """Process group and start time; None for one that has ended."""
    try:
        fields = read_head(f"/proc/{pid}/stat", _PROC_BYTES).rpartition(b")")[2].split()
        if fields[0] in (b"Z", b"X"):
            return None
        return int(fields[2]), int(fields[19])
    except (OSError, ValueError, IndexError):
        return None


def is_alive(pid: int, started: int) -> bool | None:
    """Whether the process that began at `started` still runs; None where that cannot be known."""
    if not pid or not started or read_stat(posix.getpid()) is None:
        return None
    stat = read_stat(pid)
    return stat is not None and stat[1] == started


def list_ports(process: TaskProcess) -> list[int]:
    """The TCP ports on which a process of the group listens."""
    sockets = {inode for pid in list_members(process.group) for inode in _list_sockets(pid)}
    ports: set[int] = set()
    for path in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = read_head(path, _PROC_BYTES).decode().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            fields = line.split()
            if len(fields) > 9 and fields[3] == "0A" and fields[9] in sockets:  # 0A: listening
                ports.add(int(fields[1].rpartition(":")[2], 16))
    return sorted(ports)


def list_members(group: int) -> list[int]:
    """The processes of a group."""
    try:
        pids = [int(name) for name in posix.listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    return [pid for pid in pids if (read_stat(pid) or (0, 0))[0] == group]


def _list_sockets(pid: int) -> set[str]:
    found = set()
    try:
        for name in posix.listdir(f"/proc/{pid}/fd"):
            link = posix.readlink(f"/proc/{pid}/fd/{name}")
            if link.startswith("socket:["):
                found.add(link[8:-1])
    except OSError:  # it ended meanwhile
        pass
    return found


def end_group(process: TaskProcess, grace_s: float = GRACE_S) -> bool:
    """SIGTERM, then SIGKILL for the group of a background command; True if nothing of it is left.

    False, and nothing is signalled, if the process is no longer the one that was found, or if it is our own group.
    """
    watch = open_pidfd(process.pid)  # holds the number: it is not given away while we look again
    try:
        if not _is_same(process) or process.group in (0, 1, posix.getpgrp()):
            return False
        signal_group(process.group, _signal.SIGTERM)
        deadline = time.monotonic() + grace_s
        while time.monotonic() < deadline:
            if not list_members(process.group):
                return True
            time.sleep(_PAUSE_S)
        members = [(pid, stat) for pid in list_members(process.group) if (stat := read_stat(pid)) is not None]
        if members:
            signal_group(process.group, _signal.SIGKILL)
        deadline = time.monotonic() + grace_s
        while list_members(process.group) and time.monotonic() < deadline:
            time.sleep(_PAUSE_S)
        return not list_members(process.group)
    finally:
        if watch >= 0:
            posix.close(watch)


def _is_same(process: TaskProcess) -> bool:
    return read_stat(process.pid) == (process.group, process.started) and read_output(process.pid) == process.output
