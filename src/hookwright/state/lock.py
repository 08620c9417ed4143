"""Locks between processes: held by one, freed by the kernel when that one dies, however it dies.

    with Lock(f"{state}/ingest.lock") as held:
        if held:
            ...                 # nobody else is here
    with Lock(path, wait_seconds=5) as held: ...

A stale owner cannot exist: the lock is the kernel's record, the file only names the holder for a reader.
Holders of one process exclude each other too. Hot: taking a free lock is one open and one call.
"""

from __future__ import annotations

import posix
import time

from hookwright.state.paths import make_private

TYPE_CHECKING = False  # the door must not import typing
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

# A record lock belongs to the process, and closing any descriptor of the file drops it: so a second holder in
# this process must be refused before it opens the file.
_held: set[str] = set()


class Lock:
    """A lock on one file; `path` is absolute. True inside `with` when it is held."""

    __slots__ = ("_descriptor", "path", "wait_seconds")

    def __init__(self, path: str, wait_seconds: float = 0.0) -> None:
        self.path = path
        self.wait_seconds = wait_seconds
        self._descriptor = -1

    def acquire(self) -> bool:
        """Try until it is held or the waiting time is over; never raises for a lock that cannot be had."""
        deadline = time.monotonic() + self.wait_seconds
        pause = 0.001
        while not self._try():
            if time.monotonic() >= deadline:
                return False
            time.sleep(min(pause, max(0.0, deadline - time.monotonic())))
            pause = min(pause * 2, 0.05)
        return True

    def release(self) -> None:
        if self._descriptor >= 0:
            posix.close(self._descriptor)
            self._descriptor = -1
            _held.discard(self.path)

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.release()

    def __bool__(self) -> bool:
        return self._descriptor >= 0

    def _try(self) -> bool:
        if self.path in _held:
            return False
        _held.add(self.path)
        try:
            self._descriptor = _locked(self.path)
        except (OSError, ValueError):
            self._descriptor = -1
        if self._descriptor < 0:
            _held.discard(self.path)
        return self._descriptor >= 0


def owner(path: str) -> int:
    """The process that holds the lock, 0 when nobody does. A look, not a promise."""
    if path in _held:
        return posix.getpid()
    try:
        descriptor = posix.open(path, posix.O_RDWR | posix.O_CLOEXEC)
    except (OSError, ValueError):
        return 0
    try:
        posix.lockf(descriptor, posix.F_TEST, 0)
    except OSError:
        return int(posix.read(descriptor, 32).strip() or b"0")
    else:
        return 0
    finally:
        posix.close(descriptor)


def _locked(path: str) -> int:
    flags = posix.O_RDWR | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
    try:
        descriptor = posix.open(path, flags, 0o600)
    except FileNotFoundError:
        make_private(path[: path.rfind("/")])
        descriptor = posix.open(path, flags, 0o600)
    try:
        posix.lockf(descriptor, posix.F_TLOCK, 0)
        posix.ftruncate(descriptor, 0)
        posix.write(descriptor, b"%d\n" % posix.getpid())
    except OSError:
        posix.close(descriptor)
        return -1
    return descriptor
