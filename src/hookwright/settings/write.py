"""Replace a file atomically, and only if it is still the file that was read.

change.apply → [hold_lock, replace_file] → disk
A lock keeps out a second run of ours. The bytes are compared again just before the rename, for writers that do not use
the lock (the client is one). Killed at any moment, this leaves either the old file or the new one.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from typing import NoReturn

from hookwright.errors import UserError
from hookwright.proc.atomic_write import Replacement, sync_directory
from hookwright.proc.file_lock import Lock
from hookwright.proc.private_dir import make_private
from hookwright.proc.safe_read import FileTooLarge, NotRegularFile, read_file
from hookwright.settings.find import MAX_BYTES

LOCK_TIMEOUT_SECONDS = 10.0
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


class ChangedMeanwhileError(UserError):
    """Another program changed the file after we read it."""

    def __init__(self, path: str) -> None:
        super().__init__(
            "the file changed while it was being edited; nothing was written",
            where=path,
            fix="run the command again",
        )


def real_path(path: str) -> str:
    """Resolve symlinks; the target may not exist yet. Settings are often symlinks into a dotfiles folder."""
    try:
        return os.path.realpath(path, strict=True)
    except FileNotFoundError:
        target = os.path.realpath(path)
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            raise UserError("the symlink is part of a loop", where=path, fix="remove or correct the symlink") from None
        if problem.errno == errno.ENOTDIR:
            raise UserError("a part of the path is a file, not a folder", where=path, fix="check the path") from None
        _raise_user_error(problem, path)
    if os.path.islink(target):  # a loop at which the non-strict call stopped
        raise UserError("the symlink is part of a loop", where=path, fix="remove or correct the symlink")
    return target


def read_bytes(path: str) -> bytes | None:
    """The file's bytes; None if there is no file."""
    try:
        return read_file(path, MAX_BYTES)
    except FileNotFoundError:
        return None
    except IsADirectoryError:
        what, fix = "there is a folder where the file should be", "move the folder away"
        raise UserError(what, where=path, fix=fix) from None
    except NotRegularFile:
        raise UserError("not a regular file", where=path, fix="put the settings into a plain file") from None
    except FileTooLarge:
        raise UserError(f"larger than {MAX_BYTES >> 20} MiB", where=path, fix="make the file smaller") from None
    except OSError as problem:
        _raise_user_error(problem, path)


@contextlib.contextmanager
def hold_lock(path: str, lock_folder: str, timeout_seconds: float = LOCK_TIMEOUT_SECONDS) -> Iterator[None]:
    """Hold an exclusive lock for `path`. It is released when the process ends, so none can be left behind."""
    make_folder(lock_folder)
    name = os.path.join(lock_folder, hashlib.sha256(os.fsencode(path)).hexdigest()[:16] + ".lock")
    with Lock(name, timeout_seconds) as lock:
        if isinstance(lock.problem, OSError):
            _raise_user_error(lock.problem, name)
        if not lock:
            fix = "wait for it to end, or end it"
            raise UserError("another hookwright is changing this file", where=path, fix=fix)
        yield


def replace_file(path: str, before: bytes | None, after: bytes | None) -> None:
    """Replace the bytes `before` by `after`; None means no file. Refuses if the file is no longer `before`."""
    if read_bytes(path) != before:
        raise ChangedMeanwhileError(path)
    if after is None:
        _remove_file(path)
        return
    if before is not None and not os.access(path, os.W_OK):
        raise UserError("the file is read-only; it was not changed", where=path, fix=f"chmod u+w {path}")
    folder = os.path.dirname(path)
    _remove_leftovers(folder, path)
    temporary = os.path.join(folder, f"{_temporary_prefix(path)}{os.getpid()}.tmp")
    try:
        with Replacement(path, temporary) as new:
            new.write(after)
            _copy_metadata(path, new.descriptor)
            new.sync()
            if read_bytes(path) != before:
                raise ChangedMeanwhileError(path)
            new.commit()
        sync_directory(folder)
    except OSError as problem:
        _raise_user_error(problem, path)


def make_folder(path: str) -> None:
    """Create one of our own folders, with its parents, for the user alone."""
    if make_private(path):
        return
    try:
        os.makedirs(path, 0o700, exist_ok=True)
    except FileExistsError:
        raise UserError("there is a file where a folder should be", where=path, fix="move the file away") from None
    except OSError as problem:
        _raise_user_error(problem, path)


def make_settings_folder(path: str) -> bool:
    """Create the folder of a settings file (`.claude`); refuse if its parent does not exist either."""
    folder = os.path.dirname(path)
    if os.path.isdir(folder):
        return False
    if not os.path.isdir(os.path.dirname(folder)):
        raise UserError("the folder does not exist", where=folder, fix=f"mkdir -p {folder}")
    try:
        os.mkdir(folder)
    except FileExistsError:
        raise UserError("there is a file where a folder should be", where=folder, fix="move the file away") from None
    except OSError as problem:
        _raise_user_error(problem, folder)
    return True


def _copy_metadata(like: str, handle: int) -> None:
    """Give the new file the mode, owner and attributes of the old one."""
    try:
        old = os.stat(like)
    except FileNotFoundError:
        return
    own = os.fstat(handle)
    if (old.st_uid, old.st_gid) != (own.st_uid, own.st_gid) and hasattr(os, "fchown"):
        try:
            os.fchown(handle, old.st_uid, old.st_gid)
        except PermissionError:
            # For our own file the group may differ; another user's file would silently change its owner.
            if old.st_uid != own.st_uid:
                fix = "run as the file's owner"
                raise UserError("the file belongs to another user", where=like, fix=fix) from None
    os.fchmod(handle, stat.S_IMODE(old.st_mode))
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(like):
                with contextlib.suppress(OSError):
                    os.setxattr(handle, name, os.getxattr(like, name))


def _remove_file(path: str) -> None:
    try:
        os.unlink(path)
        sync_directory(os.path.dirname(path))
    except OSError as problem:
        _raise_user_error(problem, path)


def _temporary_prefix(path: str) -> str:
    return f".{os.path.basename(path)}.hookwright-"


def _remove_leftovers(folder: str, path: str) -> None:
    """Delete temporary files of a killed run; we hold the lock, so no other run is active."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if name.startswith(_temporary_prefix(path)) and name.endswith(".tmp"):
                os.unlink(os.path.join(folder, name))


def _raise_user_error(problem: OSError, path: str) -> NoReturn:
    """Turn an OSError into a message that says what to do."""
    if problem.errno in FULL:
        raise UserError(
            "no space left on the disk; the file was not changed", where=path, fix="free some space"
        ) from None
    if problem.errno in FORBIDDEN:
        what = "the file or its folder is not writable; the file was not changed"
        raise UserError(what, where=path, fix=f"ls -ld {os.path.dirname(path)}; check owner and mode") from None
    raise UserError(
        f"{os.strerror(problem.errno or 0)}; the file was not changed", where=path, fix="check the path"
    ) from None
