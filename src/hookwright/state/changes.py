"""What one session did to files: a line per edit and per command that may have written.

PostToolUse → [append] → <state>/sessions/<id>/changes → (when Claude stops) → [read]
Says what happened, not what it means: who reads it decides which files a command can have touched.
Hot: an append is one open, one fstat and one write.
"""

from __future__ import annotations

import posix

from hookwright.state.paths import make_private, session_dir
from hookwright.state.redact import mask

TYPE_CHECKING = False  # the door must not import typing
if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 1 << 20  # of one session; a session that did more is judged by its first megabyte
MOST_COMMAND = 2 << 10  # characters kept of a command
EDIT, COMMAND = "edit", "command"

_FLAGS = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW


class Change:
    """One line: a file that a tool wrote, or a command that ran from `start` to `end`."""

    __slots__ = ("agent", "command", "cwd", "end", "kind", "path", "start")

    def __init__(
        self, kind: str, start: float, end: float, agent: str, path: str = "", cwd: str = "", command: str = ""
    ) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.agent = agent  # "" for the main agent
        self.path = path
        self.cwd = cwd
        self.command = command  # masked; "" when only the time is known


def file_of(state: str, session: str) -> str:
    return f"{session_dir(state, session)}/changes"


def any_of(state: str | None, session: str) -> bool:
    """Has this session changed anything at all?"""
    if state is None:
        return False
    try:
        return posix.access(file_of(state, session), posix.R_OK)
    except ValueError:
        return False


def add_edit(state: str | None, session: str, now: float, agent: str, path: str) -> bool:
    return _append(state, session, (EDIT, f"{now:.3f}", agent, path))


def add_command(state: str | None, session: str, start: float, end: float, agent: str, cwd: str, command: str) -> bool:
    text = mask(command)[0] if len(command) <= MOST_COMMAND else ""
    return _append(state, session, (COMMAND, f"{start:.3f}", f"{end:.3f}", agent, cwd, text))


def read(state: str | None, session: str) -> list[Change]:
    """All that was recorded, oldest first; lines that make no sense are passed over."""
    return list(read_file(file_of(state, session))) if state is not None else []


def read_file(path: str) -> Iterator[Change]:
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            data = posix.read(descriptor, MOST_BYTES + (8 << 10))
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return
    for line in data.decode("utf-8", "surrogateescape").split("\n"):
        fields = [_unescaped(field) for field in line.split("\t")]
        try:
            if fields[0] == EDIT:
                _, time, agent, path_ = fields
                yield Change(EDIT, float(time), float(time), agent, path_)
            elif fields[0] == COMMAND:
                _, start, end, agent, cwd, command = fields
                yield Change(COMMAND, float(start), float(end), agent, cwd=cwd, command=command)
        except ValueError:  # torn by a kill
            continue


def _append(state: str | None, session: str, fields: tuple[str, ...]) -> bool:
    if state is None or not session:
        return False
    path = file_of(state, session)
    line = "\n" + "\t".join([_escaped(field) for field in fields]) + "\n"
    try:
        try:
            descriptor = posix.open(path, _FLAGS, 0o600)
        except FileNotFoundError:
            make_private(path[: path.rfind("/")])
            descriptor = posix.open(path, _FLAGS, 0o600)
        try:
            if posix.fstat(descriptor).st_size > MOST_BYTES:
                return False
            data = line.encode("utf-8", "surrogateescape")
            return posix.write(descriptor, data) == len(data)
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return False


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\t", "%09").replace("\n", "%0A") if _awkward(text) else text


def _unescaped(text: str) -> str:
    return text.replace("%09", "\t").replace("%0A", "\n").replace("%25", "%") if "%" in text else text


def _awkward(text: str) -> bool:
    return "%" in text or "\t" in text or "\n" in text
