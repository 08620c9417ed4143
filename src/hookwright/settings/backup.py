"""What each change replaced, so that it can be taken back: the bytes before, and a record of what was done.

change → [Backups.save] → state folder → undo, uninstall
Ten a file. A record is written before the change it tells of; one whose change never came is recognised by that.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hookwright.errors import UserError
from hookwright.settings.edit import Step
from hookwright.settings.write import make_folder

KEPT = 10


@dataclass(frozen=True)
class Record:
    """One change of one file. `before` and `after` are digests; None stands for no file."""

    id: str
    path: str
    deed: str  # install, uninstall
    before: str | None
    after: str | None
    steps: tuple[Step, ...] = ()
    empties: Mapping[str, str] = field(default_factory=dict)
    made_file: bool = False  # by this change or one before it
    made_folder: bool = False


class Backups:
    """The backups of one file."""

    def __init__(self, state: str, path: str) -> None:
        self.path = path
        self.folder = os.path.join(state, "backups", hashlib.sha256(os.fsencode(path)).hexdigest()[:16])

    def save(self, record: Record, before: bytes | None) -> str:
        """Keep the bytes and the record; returns the backup's file name (of the record, if there were no bytes)."""
        make_folder(self.folder)
        if before is not None:
            _write(self._bytes_file(record.id), before)
        _write(self._record_file(record.id), json.dumps(_to_json(record)).encode())
        self._forget_old()
        return self._bytes_file(record.id) if before is not None else self._record_file(record.id)

    def records(self) -> list[Record]:
        """Newest first. A record that cannot be read is passed over: it cannot be acted on."""
        found = []
        for name in sorted(self._names(), reverse=True):
            path = os.path.join(self.folder, name)
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError), open(path, encoding="utf-8") as handle:
                found.append(_from_json(json.load(handle)))
        return found

    def latest(self, current: bytes | None) -> Record | None:
        """The last change that really happened; `current` is what the file holds now."""
        now = digest(current)
        for record in self.records():
            if record.before == now and record.after != now:
                continue  # announced, but its change never came, or it was taken back by hand
            return record
        return None

    def before(self, record: Record) -> bytes | None:
        """The bytes that a change replaced."""
        if record.before is None:
            return None
        try:
            with open(self._bytes_file(record.id), "rb") as handle:
                raw = handle.read()
        except OSError:
            raw = None
        if digest(raw) != record.before:
            raise UserError("the backup is damaged", where=self._bytes_file(record.id), fix="hookwright uninstall")
        return raw

    def forget(self, record: Record) -> None:
        for path in (self._record_file(record.id), self._bytes_file(record.id)):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)

    def _forget_old(self) -> None:
        for record in self.records()[KEPT:]:
            self.forget(record)

    def _names(self) -> list[str]:
        try:
            return [name for name in os.listdir(self.folder) if name.endswith(".json")]
        except OSError:
            return []

    def _record_file(self, number: str) -> str:
        return os.path.join(self.folder, number + ".json")

    def _bytes_file(self, number: str) -> str:
        return os.path.join(self.folder, number + ".before")


def new_id() -> str:
    """Sorts by time; two in one nanosecond cannot be, since the file is locked."""
    return f"{time.time_ns():020d}"


def digest(raw: bytes | None) -> str | None:
    return None if raw is None else hashlib.sha256(raw).hexdigest()


def _write(path: str, content: bytes) -> None:
    """All or nothing, for this user alone."""
    temporary = path + ".tmp"
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.replace(temporary, path)
    except OSError as problem:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        what = f"no backup could be kept ({os.strerror(problem.errno or 0)}); nothing was changed"
        raise UserError(what, where=path, fix="free some space, or check the state folder") from None


def _to_json(record: Record) -> dict[str, Any]:
    names = ("id", "path", "deed", "before", "after", "made_file", "made_folder")
    fields = {name: getattr(record, name) for name in names}
    return {**fields, "steps": [step.as_json() for step in record.steps], "empties": dict(record.empties)}


def _from_json(data: dict[str, Any]) -> Record:
    return Record(**{**data, "steps": tuple(Step(**step) for step in data["steps"])})
