"""Write files atomically: a reader sees the old content or the new, whole, whoever writes and dies meanwhile.

bytes → [write_atomic] → temporary file beside the target → rename
One policy for all writers:
  mode      0600, also over an older file of another mode
  fsync     only with `durable`, for what the user decided and nobody could compute again (settings, backups,
            preferences, trust). After a power cut the rest may be empty; its readers take that for missing.
  clean-up  the temporary file goes whatever happens; one that a SIGKILL left goes an hour later, when somebody
            writes into the same directory (one write in 64 looks).
Hot: `posix` and `time` only.
"""

from __future__ import annotations

import posix
from time import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

SUFFIX = ".tmp"
LEFTOVER_S = 3600.0
_TOKEN_BYTES = 4
_NEW = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC | posix.O_NOFOLLOW


def write_atomic(path: str, data: bytes, *, durable: bool = False, sweep: bool | None = None) -> None:
    """Put `data` in the place of the file's content. Raises OSError (ValueError for an impossible path).

    One write in 64 removes leftovers of killed writers; `sweep` says whether this one does.
    """
    with Replacement(path) as new:
        new.write(data)
        new.commit(durable=durable, sweep=sweep)


class Replacement:
    """A new file beside `path` that takes its place on `commit`; without one, nothing of it stays.

    with Replacement(path) as new:
        new.write(data)
        new.commit()
    """

    __slots__ = ("_token", "descriptor", "path", "temporary")

    def __init__(self, path: str, temporary: str = "") -> None:
        self.path = path
        self._token = posix.urandom(_TOKEN_BYTES)  # not the process id: containers share directories
        self.temporary = temporary or f"{path}.{self._token.hex()}{SUFFIX}"
        self.descriptor = -1

    def __enter__(self) -> Self:
        self.descriptor = posix.open(self.temporary, _NEW, 0o600)
        return self

    def write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[posix.write(self.descriptor, rest) :]  # a disk that runs full takes a part first

    def sync(self) -> None:
        """Wait until what was written so far is on the disk."""
        posix.fsync(self.descriptor)

    def commit(self, *, durable: bool = False, sweep: bool | None = None) -> None:
        if durable:
            self.sync()
        self._close()  # before the rename: some network file systems report a full disk only here
        posix.rename(self.temporary, self.path)
        self.temporary = ""
        directory = self.path[: self.path.rfind("/")] or "/"
        if durable:
            sync_directory(directory)
        if self._token[0] < 4 if sweep is None else sweep:
            remove_leftovers(directory, time())

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        try:
            self._close()
        finally:
            if self.temporary:
                _unlink(self.temporary)

    def _close(self) -> None:
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            posix.close(descriptor)


def sync_directory(path: str) -> None:
    """Let a rename in this directory reach the disk. Not every file system can do that; then it takes seconds."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return
    try:
        posix.fsync(descriptor)
    except OSError:
        pass
    finally:
        posix.close(descriptor)


def remove_leftovers(directory: str, now: float) -> int:
    """Remove temporary files that a killed writer left here more than an hour ago; how many went."""
    removed = 0
    try:
        names = posix.listdir(directory)
    except OSError:
        return 0
    for name in names:
        if is_temporary(name):
            path = f"{directory}/{name}"
            try:
                if abs(now - posix.stat(path, follow_symlinks=False).st_mtime) > LEFTOVER_S:
                    posix.unlink(path)
                    removed += 1
            except OSError:  # gone already
                continue
    return removed


def is_temporary(name: str) -> bool:
    """Is this a name that `Replacement` gives?"""
    token = name[-len(SUFFIX) - 2 * _TOKEN_BYTES : -len(SUFFIX)]
    before = name[-len(SUFFIX) - 2 * _TOKEN_BYTES - 1 : -len(SUFFIX) - 2 * _TOKEN_BYTES]
    return name.endswith(SUFFIX) and before == "." and not token.strip("0123456789abcdef")


def _unlink(path: str) -> None:
    try:
        posix.unlink(path)
    except OSError:
        pass
