"""Locks between processes, released by the kernel when the holder dies.

    with Lock(f"{state}/ingest.lock") as held:
        if held:
            ...                 # no other process is here
    with Lock(path, wait_seconds=5) as held: ...

There is no stale lock: the lock is the kernel's record (lockf), the file only holds the owner's pid for a reader.
Two holders in one process exclude each other too. Hot: taking a free lock is one open and one call.
"""

from __future__ import annotations

import posix
import time

from hookwright.proc.private_dir import open_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

MAX_WAIT_TO_OPEN_S = 1.0  # for a file that cannot be opened
# A record lock belongs to the process, and closing any descriptor of the file drops it: so a second holder in
# this process must be refused before it opens the file. By pid: a forked child does not inherit the locks.
_held: dict[str, int] = {}


class Lock:
    """A lock on one file; `path` is absolute. True inside `with` when it is held."""

    __slots__ = ("_descriptor", "path", "problem", "wait_seconds")

    def __init__(self, path: str, wait_seconds: float = 0.0) -> None:
        self.path = path
        self.wait_seconds = wait_seconds
        self.problem: OSError | ValueError | None = None  # why the file cannot be opened; None if it is only held
        self._descriptor = -1

    def acquire(self) -> bool:
        """Try until it is held or the waiting time is over; returns False, never raises, if it cannot be taken."""
        start = time.monotonic()
        deadline = start + self.wait_seconds
        pause = 0.001
        while not self._try_acquire():
            if self.problem is not None:  # a directory in its place, a full disk: waiting helps little
                deadline = min(deadline, start + MAX_WAIT_TO_OPEN_S)
            if time.monotonic() >= deadline:
                return False
            time.sleep(min(pause, max(0.0, deadline - time.monotonic())))
            pause = min(pause * 2, 0.05)
        return True

    def release(self) -> None:
        if self._descriptor >= 0:
            posix.close(self._descriptor)
            self._descriptor = -1
            _held.pop(self.path, None)

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.release()

    def __bool__(self) -> bool:
        return self._descriptor >= 0

    def _try_acquire(self) -> bool:
        me = posix.getpid()
        if _held.get(self.path) == me:
            return False
        _held[self.path] = me
        try:
            self._descriptor = _open_locked(self.path)
            self.problem = None
        except (OSError, ValueError) as error:
            self._descriptor = -1
            self.problem = error
        if self._descriptor < 0:
            _held.pop(self.path, None)
        return self._descriptor >= 0


def owner_pid(path: str) -> int:
    """The pid of the holder, 0 if the lock is free; may be outdated when it is read."""
    if _held.get(path) == posix.getpid():
        return posix.getpid()
    try:
        descriptor = posix.open(path, posix.O_RDWR | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except (OSError, ValueError):
        return 0
    try:
        posix.lockf(descriptor, posix.F_TEST, 0)
    except OSError:
        return _read_pid(descriptor)
    else:
        return 0
    finally:
        posix.close(descriptor)


def _read_pid(descriptor: int) -> int:
    try:
        return int(posix.read(descriptor, 32).strip() or b"0")
    except (OSError, ValueError):  # not a lock file
        return 0


def _open_locked(path: str) -> int:
    """The descriptor that holds the lock; -1 if another process holds it."""
    descriptor = open_private(path, posix.O_RDWR | posix.O_CREAT)
    try:
        posix.lockf(descriptor, posix.F_TLOCK, 0)
        posix.ftruncate(descriptor, 0)
        posix.write(descriptor, b"%d\n" % posix.getpid())
    except OSError:
        posix.close(descriptor)
        return -1
    return descriptor
