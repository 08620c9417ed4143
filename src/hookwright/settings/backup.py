"""Keep what each change replaced, so that it can be undone: the bytes before, and a record of the steps.

change.apply → [Backups.save_backup] → state folder → plan_undo, plan_uninstall
Ten per file. A record is written before its change; if the change then never happened, the digests show it.
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
from hookwright.proc.atomic_write import write_atomic
from hookwright.proc.safe_read import read_file, read_text
from hookwright.settings.edit import Step
from hookwright.settings.find import MAX_BYTES
from hookwright.settings.write import make_folder

MAX_BACKUPS = 10


@dataclass(frozen=True)
class Record:
    """One change of one file. `before` and `after` are digests; None means no file."""

    id: str
    path: str
    action: str  # install, uninstall; of a configuration file: allow, on, off, shadow
    before: str | None
    after: str | None
    steps: tuple[Step, ...] = ()
    empties: Mapping[str, str] = field(default_factory=dict)
    made_file: bool = False  # by this change or one before it
    made_folder: bool = False
    old_text: str = ""  # of a configuration file: the lines that this change replaced
    new_text: str = ""  # and those that it put there


class Backups:
    """The backups of one file."""

    def __init__(self, state: str, path: str) -> None:
        self.path = path
        self.folder = os.path.join(state, "backups", hashlib.sha256(os.fsencode(path)).hexdigest()[:16])

    def save_backup(self, record: Record, before: bytes | None) -> str:
        """Save the bytes and the record; returns the path of the bytes, or of the record if there was no file."""
        make_folder(self.folder)
        if before is not None:
            _write_durably(self._bytes_file(record.id), before)
        _write_durably(self._record_file(record.id), json.dumps(_to_json(record)).encode())
        self._delete_old()
        return self._bytes_file(record.id) if before is not None else self._record_file(record.id)

    def list_records(self) -> list[Record]:
        """Newest first; records that cannot be read are skipped."""
        found = []
        for name in sorted(self._record_names(), reverse=True):
            path = os.path.join(self.folder, name)
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                found.append(_from_json(json.loads(read_text(path, MAX_BYTES))))
        return found

    def find_latest(self, current: bytes | None) -> Record | None:
        """The last change that was really written; `current` are the bytes of the file now."""
        now = hash_bytes(current)
        for record in self.list_records():
            if record.before == now and record.after != now:
                continue  # recorded but never written, or reverted by hand
            return record
        return None

    def read_before(self, record: Record) -> bytes | None:
        """The bytes that a change replaced."""
        if record.before is None:
            return None
        try:
            raw = read_file(self._bytes_file(record.id), MAX_BYTES)
        except OSError:
            raw = None
        if hash_bytes(raw) != record.before:
            raise UserError("the backup is damaged", where=self._bytes_file(record.id), fix="hookwright uninstall")
        return raw

    def delete_record(self, record: Record) -> None:
        for path in (self._record_file(record.id), self._bytes_file(record.id)):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)

    def _delete_old(self) -> None:
        for record in self.list_records()[MAX_BACKUPS:]:
            self.delete_record(record)

    def _record_names(self) -> list[str]:
        try:
            return [name for name in os.listdir(self.folder) if name.endswith(".json")]
        except OSError:
            return []

    def _record_file(self, number: str) -> str:
        return os.path.join(self.folder, number + ".json")

    def _bytes_file(self, number: str) -> str:
        return os.path.join(self.folder, number + ".before")


def list_changed_files(state: str) -> list[str]:
    """Every settings file that we changed, as far back as backups are kept."""
    folder = os.path.join(state, "backups")
    found: dict[str, None] = {}
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        backups = Backups(state, "")
        backups.folder = os.path.join(folder, name)
        found.update(dict.fromkeys(record.path for record in backups.list_records()))
    return list(found)


def new_id() -> str:
    """Sortable by time; unique, since the file is locked."""
    return f"{time.time_ns():020d}"


def hash_bytes(raw: bytes | None) -> str | None:
    return None if raw is None else hashlib.sha256(raw).hexdigest()


def _write_durably(path: str, content: bytes) -> None:
    try:
        write_atomic(path, content, durable=True)
    except OSError as problem:
        what = f"no backup could be saved ({os.strerror(problem.errno or 0)}); nothing was changed"
        raise UserError(what, where=path, fix="free some space, or check the state folder") from None


def _to_json(record: Record) -> dict[str, Any]:
    names = ("id", "path", "action", "before", "after", "made_file", "made_folder", "old_text", "new_text")
    fields = {name: getattr(record, name) for name in names}
    return {**fields, "steps": [step.as_json() for step in record.steps], "empties": dict(record.empties)}


def _from_json(data: dict[str, Any]) -> Record:
    steps = tuple(Step(**_rename_old_key(step)) for step in data["steps"])
    return Record(**{**_rename_old_key(data), "steps": steps})


def _rename_old_key(data: dict[str, Any]) -> dict[str, Any]:
    """Records of earlier versions call `action` `deed`."""
    return {"action" if key == "deed" else key: value for key, value in data.items()}
