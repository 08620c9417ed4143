"""Lines of tab-separated fields in small files of a session, appended by any number of processes.

hook → [append_line] → a file of the session → [read_lines] → fields
A line begins and ends with a newline, so that one torn by a kill damages no other. Hot: an append is one open, one
fstat and one write.
"""

from __future__ import annotations

import posix

from hookwright.proc.private_dir import open_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FLAGS = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT


def append_line(path: str, fields: Iterable[str], most_bytes: int) -> bool:
    """Append the fields as one line; False if that fails or the file is too large already."""
    line = "\n" + "\t".join([_escape_field(field) for field in fields]) + "\n"
    try:
        descriptor = open_private(path, _FLAGS)
        try:
            if posix.fstat(descriptor).st_size > most_bytes:
                return False
            data = line.encode("utf-8", "surrogateescape")
            return posix.write(descriptor, data) == len(data)
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return False


def read_lines(path: str, most_bytes: int) -> Iterator[list[str]]:
    """The fields of every line; none if the file cannot be read."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
        try:
            data = posix.read(descriptor, most_bytes)
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return
    for line in data.decode("utf-8", "surrogateescape").split("\n"):
        if line:
            yield [_unescape_field(field) for field in line.split("\t")]


def _escape_field(text: str) -> str:
    return text.replace("%", "%25").replace("\t", "%09").replace("\n", "%0A") if _needs_escape(text) else text


def _unescape_field(text: str) -> str:
    return text.replace("%09", "\t").replace("%0A", "\n").replace("%25", "%") if "%" in text else text


def _needs_escape(text: str) -> bool:
    return "%" in text or "\t" in text or "\n" in text
