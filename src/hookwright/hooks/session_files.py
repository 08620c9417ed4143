"""Which files this session wrote, as opposed to other sessions and people.

record of edits and commands → [SessionFiles] → did this session write that file?
It did if one of its file tools wrote it, if one of its commands names it as a target, or if its modification time lies
within a command that may write anything and no other session claims the file.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hookwright.hooks.command_writes import find_writes
from hookwright.store import session_edits
from hookwright.store.session_edits import COMMAND, EDIT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookwright.store.session_edits import Change

_SLACK_S = 1.0  # coarse file system times, and the delay between a command's end and our record of it
_RECENT_S = 86400.0
_MOST_OTHERS = 40  # other sessions whose records are read
_MOST_COMMANDS = 400  # latest commands that are parsed


class SessionFiles:
    """The files that one session wrote, from its record."""

    def __init__(self, state: str | None, session: str, home: str = "", agent: str | None = None) -> None:
        self.edited: set[str] = set()  # written by file tools
        self.named: set[str] = set()  # targets that commands name
        self.spans: list[tuple[float, float]] = []  # start and end of commands that may have written anything
        self.folders: list[str] = []  # working directories of these commands
        self._state = state
        self._session = session
        self._others: set[str] | None = None
        record = [c for c in session_edits.read_changes(state, session) if agent is None or c.agent == agent]
        for change in record:
            if change.kind == EDIT:
                self.edited.add(os.path.realpath(change.path))
        for change in [c for c in record if c.kind == COMMAND][-_MOST_COMMANDS:]:
            self._add_command(change, home)

    def _add_command(self, change: Change, home: str) -> None:
        found = find_writes(change.command, change.cwd, home)
        self.named.update(os.path.realpath(path) for path in found.paths)
        if found.others:
            self.spans.append((change.start - _SLACK_S, change.end + _SLACK_S))
        if (found.others or found.paths) and change.cwd not in self.folders:
            self.folders.append(change.cwd)

    @property
    def is_empty(self) -> bool:
        return not (self.edited or self.named or self.spans)

    def wrote_file(self, path: str) -> bool:
        """True if this session wrote that file (absolute path, symlinks resolved)."""
        if path in self.edited or path in self.named or self._is_under_named(path):
            return True
        if not self.spans:
            return False
        try:
            time = os.lstat(path).st_mtime
        except OSError:
            return False  # deleted, and no command of this session names it
        return any(start <= time <= end for start, end in self.spans) and path not in self.claimed_by_others

    def _is_under_named(self, path: str) -> bool:
        folder = os.path.dirname(path)
        while len(folder) > 1:
            if folder in self.named:
                return True
            folder = os.path.dirname(folder)
        return False

    @property
    def claimed_by_others(self) -> set[str]:
        """Files that other sessions of the last day wrote with file tools."""
        if self._others is None:
            self._others = set(_read_claims(self._state, self._session)) if self._state else set()
        return self._others


def _read_claims(state: str, session: str) -> Iterable[str]:
    own = session_edits.changes_path(state, session)
    try:
        now = os.stat(own).st_mtime
        records = [f"{entry.path}/changes" for entry in os.scandir(f"{state}/sessions") if entry.is_dir()]
    except OSError:
        return
    recent = []
    for path in records:
        try:
            time = os.stat(path).st_mtime
        except OSError:
            continue
        if path != own and abs(now - time) < _RECENT_S:
            recent.append((time, path))
    for _, path in sorted(recent, reverse=True)[:_MOST_OTHERS]:
        for change in session_edits.read_file(path):
            if change.kind == EDIT:
                yield os.path.realpath(change.path)
