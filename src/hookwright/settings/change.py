"""Plan a change of one settings file, show it as a diff, then apply it with a backup.

install, uninstall, undo → [plan_*] → Change (diff, findings) → [apply] → write + backup
Planning writes nothing. `apply` writes exactly what the plan showed, and only to the file that the plan was made from.
"""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from hookwright.errors import UserError
from hookwright.settings import edit
from hookwright.settings.backup import Backups, Record, hash_bytes, new_id
from hookwright.settings.client_validation import inspect_file
from hookwright.settings.desired_entry import DesiredEntry
from hookwright.settings.edit import Edit, IsOwned
from hookwright.settings.findings import Effect, Finding
from hookwright.settings.json_document import LINE_END, Document, read_document
from hookwright.settings.write import hold_lock, make_settings_folder, read_bytes, real_path, replace_file

HUNK = re.compile(r"@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")


@dataclass(frozen=True)
class Change:
    """A planned change. `path` is the name the user knows, `target` the file it resolves to; bytes None: no file."""

    path: str
    target: str
    action: str  # install, uninstall, undo; of a configuration file: allow, on, off, shadow
    before: bytes | None
    after: bytes | None
    edit: Edit | None = None
    previous: Record | None = None  # our last install, whose notes about empty containers are still needed
    undoes: Record | None = None
    findings: list[Finding] = field(default_factory=list)
    old_text: str = ""  # of a configuration file: the lines that are replaced
    new_text: str = ""  # and those that are put there

    @property
    def changed(self) -> bool:
        return self.before != self.after

    @property
    def diff(self) -> str:
        """A unified diff; empty if nothing changes."""
        return unified_diff(self.path, self.before, self.after)


def plan_install(path: str, desired: Sequence[DesiredEntry], owned: IsOwned, state: str) -> Change:
    """Register exactly these entries. Refuses if the client would skip the resulting file."""
    target = real_path(path)
    before = read_bytes(target)
    document = read_document(before or b"", path)
    _refuse_unencodable(desired, path)
    record = _install_record(target, before, state) if edit.holds_ours(document, owned) else None
    edited = edit.install(document, desired, owned, record.empties if record else {})
    after = document.encode_text(edited.text) if edited.steps else before
    change = Change(
        path, target, "install", before, after, edited, previous=record, findings=_inspect_bytes(path, after)
    )
    if change.changed:
        _refuse_skipped(change)
        _refuse_foreign_change(change, document, owned)
    return change


def plan_uninstall(path: str, owned: IsOwned, state: str) -> Change:
    """Remove our entries; also the file, if we created it and nothing else is in it."""
    target = real_path(path)
    before = read_bytes(target)
    if before is None:
        return Change(path, target, "uninstall", None, None)
    document = read_document(before, path)
    if document.root is None:
        return Change(path, target, "uninstall", before, before)
    record = _install_record(target, before, state)
    edited = edit.uninstall(document, owned, record.empties if record else {})
    after = _encode_edit(document, edited, record) if edited.steps else before
    change = Change(path, target, "uninstall", before, after, edited, previous=record)
    _refuse_foreign_change(change, document, owned)
    return change


def plan_undo(path: str, state: str) -> Change:
    """Undo our last change: restore the exact bytes if nothing else changed since, else only our part."""
    target = real_path(path)
    before = read_bytes(target)
    backups = Backups(state, target)
    record = backups.find_latest(before)
    if record is None:
        raise UserError("there is no change of ours to undo", where=path, fix="hookwright uninstall")
    if record.after == hash_bytes(before):
        return Change(path, target, "undo", before, backups.read_before(record), undoes=record)
    document = read_document(before or b"", path)
    if document.root is None:
        return Change(path, target, "undo", before, before, undoes=record)
    edited = edit.revert_steps(document, record.steps, record.empties)
    after = _encode_edit(document, edited, record) if edited.steps else before
    findings = _inspect_bytes(path, after)
    change = Change(path, target, "undo", before, after, edited, undoes=record, findings=findings)
    if change.changed:
        _refuse_skipped(change)
        _refuse_foreign_change(change, document, _owned_by_record(record))
    return change


def apply(change: Change, state: str) -> str | None:
    """Write the planned change; returns the path of the backup. Does nothing if nothing changes."""
    if not change.changed:
        _finish_undo(change, state)
        return None
    with hold_lock(change.target, os.path.join(state, "locks")):
        made_folder = change.after is not None and make_settings_folder(change.target)
        backups = Backups(state, change.target)
        backup_file = None if change.undoes else backups.save_backup(_build_record(change, made_folder), change.before)
        replace_file(change.target, change.before, change.after)
        _finish_undo(change, state)
        if change.after is None:
            _remove_made_folder(change)
    return backup_file


def _finish_undo(change: Change, state: str) -> None:
    if change.undoes is not None:
        Backups(state, change.target).delete_record(change.undoes)


def _build_record(change: Change, made_folder: bool) -> Record:
    previous = change.previous
    return Record(
        id=new_id(),
        path=change.target,
        action=change.action,
        before=hash_bytes(change.before),
        after=hash_bytes(change.after),
        steps=tuple(change.edit.steps) if change.edit else (),
        empties=change.edit.empties if change.edit and change.action == "install" else {},
        made_file=(change.before is None and change.action == "install")
        or (previous is not None and previous.made_file),
        made_folder=made_folder or (previous is not None and previous.made_folder),
        old_text=change.old_text,
        new_text=change.new_text,
    )


def _remove_made_folder(change: Change) -> None:
    """Remove `.claude` with the file, if we created it and it is empty."""
    cause = change.undoes or change.previous
    if cause is not None and cause.made_folder:
        with contextlib.suppress(OSError):
            os.rmdir(os.path.dirname(change.target))


def _install_record(target: str, before: bytes | None, state: str) -> Record | None:
    record = Backups(state, target).find_latest(before)
    return record if record is not None and record.action == "install" else None


def _encode_edit(document: Document, edited: Edit, record: Record | None) -> bytes | None:
    """The new bytes; None for a file that we created and that is empty now."""
    if record is not None and record.made_file and edited.document.data == {}:
        return None
    return document.encode_text(edited.text)


def _inspect_bytes(path: str, after: bytes | None) -> list[Finding]:
    return [] if after is None else inspect_file(read_document(after, path)).findings


def _refuse_unencodable(desired: Sequence[DesiredEntry], path: str) -> None:
    """A path that is not valid Unicode would reach the client as another path."""
    try:
        json.dumps([entry.handler for entry in desired], ensure_ascii=False).encode()
    except UnicodeEncodeError:
        what = "a path of the entry to be written is not valid Unicode; Claude Code could not start it"
        raise UserError(what, where=path, fix="install hookwright in a folder with a plain name") from None


def _refuse_skipped(change: Change) -> None:
    fatal = [finding for finding in change.findings if finding.effect is Effect.FILE]
    if fatal:
        what = f"Claude Code would skip this whole file: {fatal[0].what}; nothing was written"
        raise UserError(what, where=fatal[0].where, fix=fatal[0].fix)


def _refuse_foreign_change(change: Change, document: Document, owned: IsOwned) -> None:
    """Last check: everything that is not ours must be unchanged, whatever was planned."""
    after = read_document(change.after, change.path) if change.after is not None else Document(change.path, "")
    old, new = (json.dumps(edit.without_ours(file.data, owned)) for file in (document, after))
    if old != new:
        what = "the edit would change entries that are not ours; nothing was written"
        raise UserError(what, where=change.path, fix="please report this with the file")


def _owned_by_record(record: Record) -> IsOwned:
    """When a change is undone, the handlers of that change count as ours."""
    known = [one for step in record.steps for one in (step.handler, step.former) if one is not None]
    return lambda handler: handler in known


# --- the diff
def unified_diff(path: str, before: bytes | None, after: bytes | None) -> str:
    """As `diff -u` prints it. Common lines at both ends are cut off first, since files may be megabytes long."""
    if before == after:
        return ""
    old, new = _split_lines(before), _split_lines(after)
    head = _count_common(old, new)
    tail = _count_common(old[head:][::-1], new[head:][::-1])
    head, tail = max(0, head - 3), max(0, tail - 3)
    first, second = ("/dev/null" if raw is None else path for raw in (before, after))
    hunks = difflib.unified_diff(old[head : len(old) - tail], new[head : len(new) - tail], first, second, lineterm="")
    return "\n".join(_shift_hunk(line, head) for line in hunks) + "\n"


def _split_lines(raw: bytes | None) -> list[str]:
    if not raw:
        return []
    text = raw.decode("utf-16-le" if raw.startswith(b"\xff\xfe") else "utf-8", "replace").removeprefix("\ufeff")
    lines = LINE_END.split(text)
    last = lines.pop()
    return [*lines, last + "\n\\ No newline at end of file"] if last else lines


def _count_common(old: list[str], new: list[str]) -> int:
    return next(
        (i for i, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )


def _shift_hunk(line: str, shift: int) -> str:
    found = HUNK.fullmatch(line)
    if found is None:
        return line
    first, second = int(found[1]) + shift, int(found[3]) + shift
    return f"@@ -{first}{found[2] or ''} +{second}{found[4] or ''} @@"
