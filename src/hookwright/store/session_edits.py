"""Record which files a session changed: a line per edit, and per command that may have written.

PostToolUse → [add_edit, add_command] → <state>/sessions/<id>/changes → (on Stop) → [read_changes]
Records commands as they are; the reader decides which files a command can have written.
Hot: an append is one open, one fstat and one write.
"""

from __future__ import annotations

import posix

from hookwright.store.paths import session_dir
from hookwright.store.record_lines import append_line, read_lines
from hookwright.store.redact import mask

TYPE_CHECKING = False  # the hook process must not import typing
if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 1 << 20  # per session; later changes are not recorded
MAX_COMMAND = 2 << 10  # characters; of a longer command only the time is kept
EDIT, COMMAND = "edit", "command"


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
    for fields in read_lines(path, MAX_BYTES + (8 << 10)):
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
    return bool(state and session) and append_line(changes_path(state or "", session), fields, MAX_BYTES)
