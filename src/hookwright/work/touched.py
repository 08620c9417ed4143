"""Which files this session touched, told apart from what others did meanwhile.

record of edits and commands → [Touched] → is this file ours?
A file is ours when a tool of this session wrote it, when one of its commands names it as a target, or when its
time lies inside a command that may write anything and no other session claims it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hookwright.state import changes
from hookwright.state.changes import COMMAND, EDIT
from hookwright.work.writes import writes_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookwright.state.changes import Change

_SLACK_S = 1.0  # file systems with coarse times, and the way from the end of a command to our record of it
_RECENT_S = 86400.0
_MOST_OTHERS = 40  # sessions whose claims are read
_MOST_COMMANDS = 400  # the latest ones that are read closely


class Touched:
    """What one session touched, from its record."""

    def __init__(self, state: str | None, session: str, home: str = "", agent: str | None = None) -> None:
        self.edited: set[str] = set()  # by the tools that write files
        self.named: set[str] = set()  # by commands, as their targets
        self.spans: list[tuple[float, float]] = []  # of commands that may have written anything
        self.folders: list[str] = []  # in which commands ran
        self._state = state
        self._session = session
        self._others: set[str] | None = None
        record = [c for c in changes.read(state, session) if agent is None or c.agent == agent]
        for change in record:
            if change.kind == EDIT:
                self.edited.add(os.path.realpath(change.path))
        for change in [c for c in record if c.kind == COMMAND][-_MOST_COMMANDS:]:
            self._add_command(change, home)

    def _add_command(self, change: Change, home: str) -> None:
        found = writes_of(change.command, change.cwd, home)
        self.named.update(os.path.realpath(path) for path in found.paths)
        if found.others:
            self.spans.append((change.start - _SLACK_S, change.end + _SLACK_S))
        if (found.others or found.paths) and change.cwd not in self.folders:
            self.folders.append(change.cwd)

    @property
    def nothing(self) -> bool:
        return not (self.edited or self.named or self.spans)

    def wrote(self, path: str) -> bool:
        """Did this session write that file (absolute, links resolved)?"""
        if path in self.edited or path in self.named or self._is_under_named(path):
            return True
        if not self.spans:
            return False
        try:
            time = os.lstat(path).st_mtime
        except OSError:
            return False  # it is gone, and nothing of ours names it
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
        """Files that other sessions of the last day wrote with their tools."""
        if self._others is None:
            self._others = set(_claims(self._state, self._session)) if self._state else set()
        return self._others


def _claims(state: str, session: str) -> Iterable[str]:
    own = changes.file_of(state, session)
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
        for change in changes.read_file(path):
            if change.kind == EDIT:
                yield os.path.realpath(change.path)
