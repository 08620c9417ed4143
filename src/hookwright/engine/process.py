"""Starts a program as Claude Code starts a hook, and tells how it went. The one way to start a hook's process.

argv, payload → [start] → exit code, output, time, what was left unread on stdin
A session of its own, no terminal, the payload and then the end of stdin. It ends when its main process ends: a child
that keeps the output open holds nobody up. At its deadline the whole group gets SIGTERM, then SIGKILL.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

LARGEST = 4 << 20  # bytes of output that are kept; more is read and forgotten
GRACE_S = 0.5  # between the polite and the other signal
CHUNK = 1 << 16
LARGEST_PIPE = 1 << 20
PASSES = 10
# Only where a process can be found again by its marks may it be left alone.
FINDS_AGAIN = os.path.exists("/proc/self/environ")
# Where the kernel has no handle to a process, its end is looked for this often.
LOOK_S = 0.01


@dataclass(frozen=True)
class Ended:
    """How a start went. `problem` is why there was none."""

    problem: str = ""
    exit_code: int | None = None
    stdout: bytes = b""
    stderr: bytes = b""
    ms: float = 0.0
    late: bool = False
    unread: int = 0  # bytes of the payload that nobody read

    @property
    def started(self) -> bool:
        return not self.problem


class Clock:
    """The deadline of a run, which its first line of output may move."""

    def __init__(self, timeout_s: float) -> None:
        self.began = time.monotonic()
        self.deadline = self.began + timeout_s

    def allow(self, timeout_s: float) -> None:
        self.deadline = time.monotonic() + timeout_s

    @property
    def left_s(self) -> float:
        return self.deadline - time.monotonic()


FirstLine = Callable[[bytes, Clock], None]


async def start(
    argv: Sequence[str],
    payload: bytes,
    *,
    env: Mapping[str, str],
    cwd: str,
    timeout_s: float,
    on_first_line: FirstLine | None = None,
    spare_children: bool = False,
) -> Ended:
    """Run it to its end, or to the end of its time.

    A run that is cancelled takes its whole group with it. `spare_children`: those of a program that ended by itself
    live on, as in the client, where `end_marked` can find them later.
    """
    stdin, writing = os.pipe()
    clock = Clock(timeout_s)
    try:
        process = _opened(argv, stdin, env, cwd)
    except (OSError, ValueError) as error:
        os.close(stdin)
        os.close(writing)
        return Ended(problem=getattr(error, "strerror", None) or str(error))
    with process, _Pipes(process, writing, payload, on_first_line, clock) as pipes:
        late, by_itself = False, False
        try:
            late = not await _ended(process, clock)
            by_itself = not late
        finally:
            spent = (time.monotonic() - clock.began) * 1000
            if not by_itself:
                await asyncio.shield(_end_late(process))
            elif not (spare_children and FINDS_AGAIN):
                signal_group(process.pid, signal.SIGKILL)
            pipes.drain()
            unread = pipes.unwritten + _left(stdin)
    return Ended(
        exit_code=None if late else process.returncode,
        stdout=bytes(pipes.kept[0]),
        stderr=bytes(pipes.kept[1]),
        ms=round(spent, 1),
        late=late,
        unread=unread,
    )


def _opened(argv: Sequence[str], stdin: int, env: Mapping[str, str], cwd: str) -> subprocess.Popen[bytes]:
    """About a millisecond; asyncio's own way costs a thread a child on top."""
    pipe = subprocess.PIPE
    return subprocess.Popen(argv, stdin=stdin, stdout=pipe, stderr=pipe, env=dict(env), cwd=cwd, start_new_session=True)


def start_now(argv: Sequence[str], payload: bytes, *, env: Mapping[str, str], cwd: str, timeout_s: float) -> Ended:
    """`start` for callers without an event loop."""
    return asyncio.run(start(argv, payload, env=env, cwd=cwd, timeout_s=timeout_s))


class _Pipes:
    """Feeds the payload and collects both outputs, as the event loop finds them ready."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        writing: int,
        payload: bytes,
        on_first_line: FirstLine | None,
        clock: Clock,
    ) -> None:
        assert process.stdout is not None
        assert process.stderr is not None
        self.loop = asyncio.get_running_loop()
        self.outputs = {process.stdout.fileno(): 0, process.stderr.fileno(): 1}
        self.kept = (bytearray(), bytearray())
        self.writing: int | None = writing
        self.payload = memoryview(payload)
        self.on_first_line, self.clock = on_first_line, clock

    def __enter__(self) -> Self:
        for fd in self.outputs:
            os.set_blocking(fd, False)
            self.loop.add_reader(fd, self._read, fd)
        assert self.writing is not None
        os.set_blocking(self.writing, False)
        self._write()
        if self.writing is not None:
            self.loop.add_writer(self.writing, self._write)
        return self

    def __exit__(self, *_: object) -> None:
        for fd in list(self.outputs):
            self._close_output(fd)
        self._close_writing()

    @property
    def unwritten(self) -> int:
        return len(self.payload)

    def _write(self) -> None:
        assert self.writing is not None
        try:
            while self.payload:
                self.payload = self.payload[os.write(self.writing, self.payload[:CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            pass
        self._close_writing()

    def _close_writing(self) -> None:
        if self.writing is not None:
            self.loop.remove_writer(self.writing)
            os.close(self.writing)
            self.writing = None

    def _read(self, fd: int) -> bool:
        """One piece of an output; whether there was one."""
        try:
            chunk = os.read(fd, CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            self._close_output(fd)
            return False
        place = self.outputs[fd]
        if len(self.kept[place]) < LARGEST:
            self.kept[place].extend(chunk)
        if place == 0 and self.on_first_line is not None and b"\n" in self.kept[0]:
            self.on_first_line(bytes(self.kept[0].partition(b"\n")[0]), self.clock)
            self.on_first_line = None
        return True

    def _close_output(self, fd: int) -> None:
        """The file itself is closed with the process."""
        self.loop.remove_reader(fd)
        self.outputs.pop(fd, None)

    def drain(self) -> None:
        """What was written and not yet read: no more than a pipe holds, since a child may still write."""
        for fd in list(self.outputs):
            for _ in range(LARGEST_PIPE // CHUNK):
                if not self._read(fd):
                    break


# --- its end
async def _ended(process: subprocess.Popen[bytes], clock: Clock) -> bool:
    """Wait for the main process; False if its time is over first."""
    watch = _watched(process.pid)
    try:
        while process.poll() is None:
            left = clock.left_s
            if left <= 0:
                return False
            if watch is None:
                await asyncio.sleep(min(left, LOOK_S))
            else:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(_readable(watch), left)
    finally:
        if watch is not None:
            os.close(watch)
    return True


def _watched(pid: int) -> int | None:
    """The kernel's handle to a process, where there is such a thing."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


async def _readable(fd: int) -> None:
    loop = asyncio.get_running_loop()
    ready: asyncio.Future[None] = loop.create_future()

    def tell() -> None:
        if not ready.done():
            ready.set_result(None)

    loop.add_reader(fd, tell)
    try:
        await ready
    finally:
        loop.remove_reader(fd)


async def _end_late(process: subprocess.Popen[bytes]) -> None:
    """The client ends a late hook and all its children."""
    signal_group(process.pid, signal.SIGTERM)
    await _ended(process, Clock(GRACE_S))
    signal_group(process.pid, signal.SIGKILL)
    await _ended(process, Clock(GRACE_S))


def signal_group(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


# --- what left its group
def since_boot() -> float:
    """The clock by which a process' age is told."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def end_marked(mark: str, *, one_of: Collection[str], born: float) -> list[int]:
    """End every process born since then whose environment holds this `NAME=value` and one of those. Linux only."""
    ended: list[int] = []
    for _ in range(PASSES):  # somebody may be born while we look
        environments = {pid: _environment(pid) for pid in _young(born) if pid not in ended}
        found = [pid for pid, words in environments.items() if mark in words and not words.isdisjoint(one_of)]
        if not found:
            break
        for pid in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
            ended.append(pid)
    return ended


def _young(born: float) -> list[int]:
    """Living programs that are not older than that."""
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]
    except OSError:
        return []
    ticks = os.sysconf("SC_CLK_TCK")
    found = []
    for name in names:
        facts = _read(f"/proc/{name}/stat").rpartition(b")")[2].split()
        # Its state is the first of them, its birth the twentieth; a tick is the last unit of that clock.
        if len(facts) > 19 and facts[0] not in (b"Z", b"X") and (int(facts[19]) + 1) / ticks >= born:
            found.append(int(name))
    return found


def _environment(pid: int) -> set[str]:
    """What a process was started with. On the brink of becoming another program it has none for a moment."""
    for _ in range(PASSES):
        words = _read(f"/proc/{pid}/environ")
        if words:
            return set(words.decode("utf-8", "surrogateescape").split("\0"))
        if not os.path.exists(f"/proc/{pid}/exe"):
            break  # dead, or a part of the kernel
        time.sleep(LOOK_S)
    return set()


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as handle:
            return handle.read()
    except OSError:
        return b""  # gone, or somebody else's


def _left(stdin: int) -> int:
    """How much of the payload is still in the pipe."""
    left = 0
    try:
        os.set_blocking(stdin, False)
        while chunk := os.read(stdin, CHUNK):
            left += len(chunk)
    except BlockingIOError:
        return left
    finally:
        os.close(stdin)
    return left
