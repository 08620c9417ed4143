"""Write files atomically: a reader sees the whole old or the whole new content, even if the writer dies.

bytes → [write_atomic] → temporary file beside the target → rename
One policy for all writers:
  mode      0600, also over an older file of another mode
  fsync     only with `durable`, for user decisions that cannot be recomputed (settings, backups, preferences,
            trust). Other files may be empty after a power cut; their readers treat that as missing.
  clean-up  the temporary file is always removed; one left by a SIGKILL is removed after an hour, by a later write
            into the same directory (one write in 64 checks).
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
    """Replace the file's content with `data`. Raises OSError (ValueError for an impossible path).

    One write in 64 removes leftovers of killed writers; `sweep` says whether this one does.
    """
    with Replacement(path) as new:
        new.write(data)
        new.commit(durable=durable, sweep=sweep)


class Replacement:
    """A temporary file beside `path` that replaces it on `commit`; removed without one.

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
            rest = rest[posix.write(self.descriptor, rest) :]  # a nearly full disk accepts a part first

    def sync(self) -> None:
        """Fsync the data written so far."""
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
    """Fsync the directory, so that a rename in it survives a power cut; not every file system supports this."""
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
    """Remove temporary files that a killed writer left more than an hour ago; returns how many."""
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
    """True for a name that `Replacement` generates."""
    token = name[-len(SUFFIX) - 2 * _TOKEN_BYTES : -len(SUFFIX)]
    before = name[-len(SUFFIX) - 2 * _TOKEN_BYTES - 1 : -len(SUFFIX) - 2 * _TOKEN_BYTES]
    return name.endswith(SUFFIX) and before == "." and not token.strip("0123456789abcdef")


def _unlink(path: str) -> None:
    try:
        posix.unlink(path)
    except OSError:
        pass
