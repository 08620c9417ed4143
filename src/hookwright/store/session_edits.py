"""Record which files a session changed: a line per edit, and per command that may have written.

PostToolUse → [add_edit, add_command] → <state>/sessions/<id>/changes → (on Stop) → [read_changes]
Records commands as they are; the reader decides which files a command can have written.
Hot: an append is one open, one fstat and one write.
"""

from __future__ import annotations

import posix

from hookwright.proc.private_dir import open_private
from hookwright.store.paths import session_dir
from hookwright.store.redact import mask

TYPE_CHECKING = False  # the hook process must not import typing
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 1 << 20  # per session; later changes are not recorded
MAX_COMMAND = 2 << 10  # characters; of a longer command only the time is kept
EDIT, COMMAND = "edit", "command"

_FLAGS = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT


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


def changes_path(state: str, session: str) -> str:
    return f"{session_dir(state, session)}/changes"


def has_changes(state: str | None, session: str) -> bool:
    """Has this session changed anything?"""
    if state is None:
        return False
    try:
        return posix.access(changes_path(state, session), posix.R_OK)
    except ValueError:
        return False


def add_edit(state: str | None, session: str, now: float, agent: str, path: str) -> bool:
    return _append_line(state, session, (EDIT, f"{now:.3f}", agent, path))


def add_command(state: str | None, session: str, start: float, end: float, agent: str, cwd: str, command: str) -> bool:
    text = mask(command)[0] if len(command) <= MAX_COMMAND else ""
    return _append_line(state, session, (COMMAND, f"{start:.3f}", f"{end:.3f}", agent, cwd, text))


def read_changes(state: str | None, session: str) -> list[Change]:
    """All recorded changes, oldest first; damaged lines are skipped."""
    return list(read_file(changes_path(state, session))) if state is not None else []


def read_file(path: str) -> Iterator[Change]:
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
        try:
            data = posix.read(descriptor, MAX_BYTES + (8 << 10))
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return
    for line in data.decode("utf-8", "surrogateescape").split("\n"):
        fields = [_unescape_field(field) for field in line.split("\t")]
        try:
            if fields[0] == EDIT:
                _, time, agent, path_ = fields
                yield Change(EDIT, float(time), float(time), agent, path_)
            elif fields[0] == COMMAND:
                _, start, end, agent, cwd, command = fields
                yield Change(COMMAND, float(start), float(end), agent, cwd=cwd, command=command)
        except ValueError:  # torn by a kill
            continue


def _append_line(state: str | None, session: str, fields: tuple[str, ...]) -> bool:
    if state is None or not session:
        return False
    path = changes_path(state, session)
    line = "\n" + "\t".join([_escape_field(field) for field in fields]) + "\n"
    try:
        descriptor = open_private(path, _FLAGS)
        try:
            if posix.fstat(descriptor).st_size > MAX_BYTES:
                return False
            data = line.encode("utf-8", "surrogateescape")
            return posix.write(descriptor, data) == len(data)
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return False


def _escape_field(text: str) -> str:
    return text.replace("%", "%25").replace("\t", "%09").replace("\n", "%0A") if _needs_escape(text) else text


def _unescape_field(text: str) -> str:
    return text.replace("%09", "\t").replace("%0A", "\n").replace("%25", "%") if "%" in text else text


def _needs_escape(text: str) -> bool:
    return "%" in text or "\t" in text or "\n" in text
