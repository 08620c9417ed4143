"""A file is changed all at once or not at all, and only if it is still the file that was read.

Change → [locked, replace_file] → disk
A lock keeps our own second run out; the bytes are compared again just before the rename, for writers who know no
lock (the client is one). A kill at any moment leaves the old file or the new one.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from typing import Any, NoReturn

from hookwright.errors import UserError

fcntl: Any
try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None

LOCK_PATIENCE_SECONDS = 10.0
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


class ChangedMeanwhileError(UserError):
    """Somebody else wrote the file between our reading and our writing."""

    def __init__(self, path: str) -> None:
        super().__init__(
            "the file changed while it was being edited; nothing was written",
            where=path,
            fix="run the command again",
        )


def real_path(path: str) -> str:
    """The file behind a symlink, which may not exist yet. Settings are often links into a dotfiles folder."""
    try:
        return os.path.realpath(path, strict=True)
    except FileNotFoundError:
        target = os.path.realpath(path)
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            raise UserError("the symlink leads in a circle", where=path, fix="remove or mend the symlink") from None
        if problem.errno == errno.ENOTDIR:
            raise UserError("a part of the path is a file, not a folder", where=path, fix="check the path") from None
        _explain(problem, path)
    if os.path.islink(target):  # a circle that the lenient form gave up on
        raise UserError("the symlink leads in a circle", where=path, fix="remove or mend the symlink")
    return target


def read_bytes(path: str) -> bytes | None:
    """The file's bytes; None if there is no file."""
    try:
        mode = os.stat(path).st_mode  # before the opening, which would wait at a pipe
        if stat.S_ISDIR(mode):
            raise UserError("a folder stands where the file should be", where=path, fix="move the folder away")
        if not stat.S_ISREG(mode):
            raise UserError("not a regular file", where=path, fix="put the settings into a plain file")
        with open(path, "rb") as handle:
            return handle.read()
    except FileNotFoundError:
        return None
    except OSError as problem:
        _explain(problem, path)


@contextlib.contextmanager
def locked(path: str, lock_folder: str, patience_seconds: float = LOCK_PATIENCE_SECONDS) -> Iterator[None]:
    """Keeps a second run of ours away from `path`. The lock dies with its process, so none can be left behind."""
    make_folder(lock_folder)
    name = os.path.join(lock_folder, hashlib.sha256(os.fsencode(path)).hexdigest()[:16] + ".lock")
    try:
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as problem:
        _explain(problem, name)
    try:
        _wait_for(handle, path, time.monotonic() + patience_seconds)
        yield
    finally:
        os.close(handle)


def _wait_for(handle: int, path: str, deadline: float) -> None:
    if fcntl is None:  # pragma: no cover - Windows has no flock; the comparison of bytes remains
        return
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                fix = "wait for it to end, or end it"
                raise UserError("another hookwright is changing this file", where=path, fix=fix) from None
            time.sleep(0.02)
        else:
            return


def replace_file(path: str, before: bytes | None, after: bytes | None) -> None:
    """Put `after` in the place of `before`; None stands for no file. Refuses if the file is not `before` any more."""
    if read_bytes(path) != before:
        raise ChangedMeanwhileError(path)
    if after is None:
        _remove(path)
        return
    if before is not None and not os.access(path, os.W_OK):
        raise UserError("the file is read-only; it is as it was", where=path, fix=f"chmod u+w {path}")
    folder = os.path.dirname(path)
    _remove_leftovers(folder, path)
    temporary = os.path.join(folder, f"{_prefix(path)}{os.getpid()}.tmp")
    try:
        _write_new(temporary, after, path)
        if read_bytes(path) != before:
            raise ChangedMeanwhileError(path)
        os.replace(temporary, path)
        _sync_folder(folder)
    except OSError as problem:
        _explain(problem, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def make_folder(path: str, mode: int = 0o700) -> None:
    """A folder of ours, parents included."""
    try:
        os.makedirs(path, mode, exist_ok=True)
    except FileExistsError:
        raise UserError("a file stands where a folder should be", where=path, fix="move the file away") from None
    except OSError as problem:
        _explain(problem, path)


def make_settings_folder(path: str) -> bool:
    """The folder of a settings file. Made if only it is missing (`.claude`), refused if its parent is, too."""
    folder = os.path.dirname(path)
    if os.path.isdir(folder):
        return False
    if not os.path.isdir(os.path.dirname(folder)):
        raise UserError("the folder does not exist", where=folder, fix=f"mkdir -p {folder}")
    try:
        os.mkdir(folder)
    except FileExistsError:
        raise UserError("a file stands where a folder should be", where=folder, fix="move the file away") from None
    except OSError as problem:
        _explain(problem, folder)
    return True


def _write_new(temporary: str, content: bytes, like: str) -> None:
    """The new file, complete and on the disk before its name changes; mode, owner and attributes as before."""
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with open(handle, "wb") as out:
        out.write(content)
        out.flush()
        _copy_rights(like, out.fileno())
        os.fsync(out.fileno())


def _copy_rights(like: str, handle: int) -> None:
    try:
        old = os.stat(like)
    except FileNotFoundError:
        return
    own = os.fstat(handle)
    if (old.st_uid, old.st_gid) != (own.st_uid, own.st_gid) and hasattr(os, "fchown"):
        try:
            os.fchown(handle, old.st_uid, old.st_gid)
        except PermissionError:
            # Only the group may differ for a file of our own; another's file would silently become ours.
            if old.st_uid != own.st_uid:
                fix = "run as the file's owner"
                raise UserError("the file belongs to another user", where=like, fix=fix) from None
    os.fchmod(handle, stat.S_IMODE(old.st_mode))
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(like):
                with contextlib.suppress(OSError):
                    os.setxattr(handle, name, os.getxattr(like, name))


def _remove(path: str) -> None:
    try:
        os.unlink(path)
        _sync_folder(os.path.dirname(path))
    except OSError as problem:
        _explain(problem, path)


def _prefix(path: str) -> str:
    return f".{os.path.basename(path)}.hookwright-"


def _remove_leftovers(folder: str, path: str) -> None:
    """Temporary files of a run that was killed; the lock says that no other run is alive."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(_prefix(path)) and name.endswith(".tmp"):
                os.unlink(os.path.join(folder, name))


def _sync_folder(folder: str) -> None:
    """The rename itself reaches the disk. Not every file system can do this; then it is a matter of seconds."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _explain(problem: OSError, path: str) -> NoReturn:
    """A sentence for the errors that a person can do something about."""
    if problem.errno in FULL:
        raise UserError("no room on the disk; the file is as it was", where=path, fix="free some space") from None
    if problem.errno in FORBIDDEN:
        what = "the file or its folder cannot be written; it is as it was"
        raise UserError(what, where=path, fix=f"ls -ld {os.path.dirname(path)}; check owner and mode") from None
    raise UserError(
        f"{os.strerror(problem.errno or 0)}; the file is as it was", where=path, fix="check the path"
    ) from None
