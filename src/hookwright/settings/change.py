"""A change of one settings file, from the wish to the disk: planned, shown, checked, written, remembered.

path + what is wanted → [plan_*] → Change (diff, findings) → [apply] → the file, and a backup
A plan touches nothing. `apply` writes only what the plan showed, to the file that the plan was made for.
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
from hookwright.settings.backup import Backups, Record, digest, new_id
from hookwright.settings.edit import Edit, Owned, Wanted
from hookwright.settings.findings import Effect, Finding
from hookwright.settings.rules import inspect
from hookwright.settings.text import LINE_END, Document, read
from hookwright.settings.write import locked, make_settings_folder, read_bytes, real_path, replace_file

HUNK = re.compile(r"@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")


@dataclass(frozen=True)
class Change:
    """`path` is the name the user knows, `target` the file behind it. None for bytes means no file."""

    path: str
    target: str
    deed: str
    before: bytes | None
    after: bytes | None
    edit: Edit | None = None
    follows: Record | None = None
    undoes: Record | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def changed(self) -> bool:
        return self.before != self.after

    @property
    def diff(self) -> str:
        """A unified diff; empty if nothing changes."""
        return unified_diff(self.path, self.before, self.after)


def plan_install(path: str, wanted: Sequence[Wanted], owned: Owned, state: str) -> Change:
    """Our entries in this file, as wanted. Refuses if the client would skip the file that came of it."""
    target = real_path(path)
    before = read_bytes(target)
    document = read(before or b"", path)
    _refuse_unwritable(wanted, path)
    record = _install_record(target, before, state) if edit.holds_ours(document, owned) else None
    done = edit.install(document, wanted, owned, record.empties if record else {})
    after = document.encoded(done.text) if done.steps else before
    change = Change(path, target, "install", before, after, done, follows=record, findings=_findings(path, after))
    if change.changed:
        _refuse_skipped(change)
        _refuse_strange(change, document, owned)
    return change


def plan_uninstall(path: str, owned: Owned, state: str) -> Change:
    """Nothing of ours in this file. A file that we made and that holds nothing else goes as well."""
    target = real_path(path)
    before = read_bytes(target)
    if before is None:
        return Change(path, target, "uninstall", None, None)
    document = read(before, path)
    if document.root is None:
        return Change(path, target, "uninstall", before, before)
    record = _install_record(target, before, state)
    done = edit.uninstall(document, owned, record.empties if record else {})
    after = _written(document, done, record) if done.steps else before
    change = Change(path, target, "uninstall", before, after, done, follows=record)
    _refuse_strange(change, document, owned)
    return change


def plan_undo(path: str, state: str) -> Change:
    """The last change of ours taken back: the exact bytes if nothing else happened since, else just our part."""
    target = real_path(path)
    before = read_bytes(target)
    backups = Backups(state, target)
    record = backups.latest(before)
    if record is None:
        raise UserError("there is no change of ours to take back", where=path, fix="hookwright uninstall")
    if record.after == digest(before):
        return Change(path, target, "undo", before, backups.before(record), undoes=record)
    document = read(before or b"", path)
    if document.root is None:
        return Change(path, target, "undo", before, before, undoes=record)
    done = edit.take_back(document, record.steps, record.empties)
    after = _written(document, done, record) if done.steps else before
    change = Change(path, target, "undo", before, after, done, undoes=record, findings=_findings(path, after))
    if change.changed:
        _refuse_skipped(change)
        _refuse_strange(change, document, _part_of(record))
    return change


def apply(change: Change, state: str) -> str | None:
    """Write what was planned; returns the backup's file. Nothing happens if nothing changes."""
    if not change.changed:
        _finish_undo(change, state)
        return None
    with locked(change.target, os.path.join(state, "locks")):
        made_folder = change.after is not None and make_settings_folder(change.target)
        backups = Backups(state, change.target)
        kept = None if change.undoes else backups.save(_record(change, made_folder), change.before)
        replace_file(change.target, change.before, change.after)
        _finish_undo(change, state)
        if change.after is None:
            _remove_made_folder(change)
    return kept


def _finish_undo(change: Change, state: str) -> None:
    if change.undoes is not None:
        Backups(state, change.target).forget(change.undoes)


def _record(change: Change, made_folder: bool) -> Record:
    assert change.edit is not None
    former = change.follows
    return Record(
        id=new_id(),
        path=change.target,
        deed=change.deed,
        before=digest(change.before),
        after=digest(change.after),
        steps=tuple(change.edit.steps),
        empties=change.edit.empties if change.deed == "install" else {},
        made_file=(change.before is None and change.deed == "install") or (former is not None and former.made_file),
        made_folder=made_folder or (former is not None and former.made_folder),
    )


def _remove_made_folder(change: Change) -> None:
    """`.claude` goes with the file, if we made it and nobody has used it since."""
    cause = change.undoes or change.follows
    if cause is not None and cause.made_folder:
        with contextlib.suppress(OSError):
            os.rmdir(os.path.dirname(change.target))


def _install_record(target: str, before: bytes | None, state: str) -> Record | None:
    record = Backups(state, target).latest(before)
    return record if record is not None and record.deed == "install" else None


def _written(document: Document, done: Edit, record: Record | None) -> bytes | None:
    """The new bytes; none for a file that we made and that holds nothing any more."""
    if record is not None and record.made_file and done.document.data == {}:
        return None
    return document.encoded(done.text)


def _findings(path: str, after: bytes | None) -> list[Finding]:
    return [] if after is None else inspect(read(after, path)).findings


def _refuse_unwritable(wanted: Sequence[Wanted], path: str) -> None:
    """A path that is not valid text would reach the client as another path."""
    try:
        json.dumps([want.handler for want in wanted], ensure_ascii=False).encode()
    except UnicodeEncodeError:
        what = "a path of the entry to be written is not valid Unicode; Claude Code could not start it"
        raise UserError(what, where=path, fix="install hookwright in a folder with a plain name") from None


def _refuse_skipped(change: Change) -> None:
    fatal = [finding for finding in change.findings if finding.effect is Effect.FILE]
    if fatal:
        what = f"Claude Code would skip this whole file: {fatal[0].what}; nothing was written"
        raise UserError(what, where=fatal[0].where, fix=fatal[0].fix)


def _refuse_strange(change: Change, document: Document, owned: Owned) -> None:
    """The last line of defence: whatever was planned, all that is not ours must be there as before."""
    after = read(change.after, change.path) if change.after is not None else Document(change.path, "")
    old, new = (json.dumps(edit.without_ours(file.data, owned)) for file in (document, after))
    if old != new:
        what = "the edit would change entries that are not ours; nothing was written"
        raise UserError(what, where=change.path, fix="please report this with the file")


def _part_of(record: Record) -> Owned:
    """What a change was about counts as ours when it is taken back."""
    known = [one for step in record.steps for one in (step.handler, step.former) if one is not None]
    return lambda handler: handler in known


# --- the diff
def unified_diff(path: str, before: bytes | None, after: bytes | None) -> str:
    """As `diff -u` prints it. Equal beginnings and ends are set aside first: settings may be megabytes."""
    if before == after:
        return ""
    old, new = _lines(before), _lines(after)
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    head, tail = max(0, head - 3), max(0, tail - 3)
    first, second = ("/dev/null" if raw is None else path for raw in (before, after))
    hunks = difflib.unified_diff(old[head : len(old) - tail], new[head : len(new) - tail], first, second, lineterm="")
    return "\n".join(_numbered(line, head) for line in hunks) + "\n"


def _lines(raw: bytes | None) -> list[str]:
    if not raw:
        return []
    text = raw.decode("utf-16-le" if raw.startswith(b"\xff\xfe") else "utf-8", "replace").removeprefix("\ufeff")
    lines = LINE_END.split(text)
    last = lines.pop()
    return [*lines, last + "\n\\ No newline at end of file"] if last else lines


def _common(old: list[str], new: list[str]) -> int:
    return next(
        (i for i, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )


def _numbered(line: str, shift: int) -> str:
    found = HUNK.fullmatch(line)
    if found is None:
        return line
    first, second = int(found[1]) + shift, int(found[3]) + shift
    return f"@@ -{first}{found[2] or ''} +{second}{found[4] or ''} @@"
