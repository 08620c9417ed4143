"""Read a file that is not ours without hanging: regular files only, up to a size limit.

path → [read_file | read_head | read_tail | read_text] → content, or an OSError that says why not
Opening a fifo would wait for a writer, reading a device may never end, a huge file fills the memory: each is refused
before a byte is read (`NotRegularFile`, `IsADirectoryError`, `FileTooLarge`). A path that cannot exist (a NUL in it) is
an OSError too, so that callers catch one thing. Hot: `posix` only.
"""

from __future__ import annotations

import posix

_KIND, _REGULAR, _DIRECTORY = 0o170000, 0o100000, 0o040000
_CHUNK = 1 << 16
_EINVAL, _EISDIR, _EFBIG = 22, 21, 27


class NotRegularFile(OSError):
    """The path is a fifo, a socket or a device."""


class FileTooLarge(OSError):
    """The file is larger than the caller's limit."""


def open_regular(path: str, *, follow: bool = True) -> tuple[int, posix.stat_result]:
    """Open for reading; returns the descriptor and its `fstat`. `follow=False` refuses a symlink as the last part."""
    # O_NONBLOCK: opening a fifo returns at once; O_NOCTTY: a terminal does not become ours. Neither changes a file.
    flags = posix.O_RDONLY | posix.O_NONBLOCK | posix.O_NOCTTY | posix.O_CLOEXEC
    try:
        descriptor = posix.open(path, flags if follow else flags | posix.O_NOFOLLOW)
    except ValueError as error:
        raise OSError(_EINVAL, str(error), path) from None
    found = posix.fstat(descriptor)
    kind = found.st_mode & _KIND
    if kind == _REGULAR:
        return descriptor, found
    posix.close(descriptor)
    if kind == _DIRECTORY:
        raise IsADirectoryError(_EISDIR, "Is a directory", path)
    raise NotRegularFile(_EINVAL, "Not a regular file", path)


def read_file(path: str, limit: int, *, follow: bool = True) -> bytes:
    """The whole content; FileTooLarge if that is more than `limit` bytes."""
    descriptor, found = open_regular(path, follow=follow)
    try:
        if found.st_size > limit:
            raise FileTooLarge(_EFBIG, "File too large", path)
        data = _read_up_to(descriptor, found.st_size + 1, limit + 1)
    finally:
        posix.close(descriptor)
    if len(data) > limit:  # it grew meanwhile, or reports no size (/proc)
        raise FileTooLarge(_EFBIG, "File too large", path)
    return data


def read_head(path: str, limit: int, *, follow: bool = True) -> bytes:
    """The first bytes, at most `limit`."""
    descriptor, found = open_regular(path, follow=follow)
    try:
        return _read_up_to(descriptor, found.st_size + 1, limit)
    finally:
        posix.close(descriptor)


def read_tail(path: str, limit: int, *, follow: bool = True) -> tuple[bytes, bool]:
    """The last bytes, at most `limit`, and whether that is the whole file."""
    descriptor, found = open_regular(path, follow=follow)
    try:
        start = max(0, found.st_size - limit)
        return posix.pread(descriptor, min(limit, found.st_size), start), start == 0
    finally:
        posix.close(descriptor)


def read_text(path: str, limit: int, encoding: str = "utf-8", errors: str = "strict") -> str:
    """The whole content as text, as a file in text mode gives it; ValueError if it is not in that encoding."""
    return decode_text(read_file(path, limit), encoding, errors)


def decode_text(data: bytes, encoding: str = "utf-8", errors: str = "strict") -> str:
    """Bytes as text, each line end a newline."""
    text = data.decode(encoding, errors)
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _read_up_to(descriptor: int, expected: int, limit: int) -> bytes:
    """Read to the end or the limit. Starts with a small buffer: a large one would be mapped on every call."""
    data = posix.read(descriptor, min(expected, limit))
    if len(data) < expected:
        return data
    chunks = [data]
    left = limit - len(data)
    while left > 0 and (data := posix.read(descriptor, min(left, _CHUNK))):
        chunks.append(data)
        left -= len(data)
    return b"".join(chunks)
