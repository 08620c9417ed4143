"""What a session made, what it edited, and which questions of the guard its user let pass.

PreToolUse → [note_call] → <session>/pending/<tool use> → PostToolUse → [confirm_call] → <session>/marks → [read_marks]
What a call is about to make is noted before it runs, with the proof that it was not there; only what is there after it
has run is kept, with its inode. A call that was refused leaves a note that nobody reads. Appends of one line each, so
parallel calls do not disturb each other. Hot where there is a note: one open, one read, an append.
"""

from __future__ import annotations

import posix

from hookwright.proc.private_dir import open_private
from hookwright.proc.safe_read import read_file
from hookwright.store.paths import file_name, session_dir

TYPE_CHECKING = False  # the hook process must not import typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_BYTES = 512 << 10  # per session; what comes later is not kept
MAX_NOTE = 64 << 10
MAX_CONTENT = 2 << 20  # of a file that is hashed
MADE, EDIT, ASKED, VOID, OUTSIDE, FETCHED = "made", "edit", "asked", "void", "outside", "fetched"
SCRIPTS = "scripts"  # the file that lists scripts which the session wrote
SCRIPT_ENDS = (".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".ps1", ".php", ".mk", ".sql")
_KIND, _LINK, _REGULAR = 0o170000, 0o120000, 0o100000


class Marks:
    """What is known of a session."""

    __slots__ = ("edits", "fetched", "made", "outside", "passed")

    def __init__(self) -> None:
        self.made: dict[str, tuple[float, int, int]] = {}  # path → when it was not there yet, device, inode
        self.edits: dict[str, list[tuple[str, str]]] = {}  # path → blob ids before and after each edit
        self.passed: set[str] = set()  # keys of calls that were asked about and ran
        self.fetched: dict[str, str] = {}  # path → what fetched it
        self.outside: list[tuple[float, str]] = []  # when, and from where, content from outside came


def marks_path(state: str, session: str) -> str:
    return f"{session_dir(state, session)}/marks"


def pending_path(state: str, session: str, call: str) -> str:
    return f"{session_dir(state, session)}/pending/{file_name(call)}"


def note_call(state: str, session: str, call: str, rows: Sequence[tuple[str, ...]]) -> bool:
    """Note what a call is about to do. Rows: ("made", time, path), ("edit", blob id, path), ("asked", key)."""
    data = "".join(_format_line(row) for row in rows).encode("utf-8", "surrogateescape")
    if not session or not call or len(data) > MAX_NOTE:
        return False
    try:
        flags = posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC
        descriptor = open_private(pending_path(state, session, call), flags)
        try:
            return posix.write(descriptor, data) == len(data)
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return False


def confirm_call(state: str, session: str, call: str) -> None:
    """After a call: keep what has come true of its note."""
    path = pending_path(state, session, call)
    try:
        data = read_file(path, MAX_NOTE, follow=False)
        posix.unlink(path)
    except OSError:
        return
    rows: list[tuple[str, ...]] = []
    for fields in _parse_lines(data):
        if fields[0] == MADE:
            found = _identify(fields[2])
            if found:
                rows.append((MADE, fields[1], *found, fields[2]))
        elif fields[0] == EDIT:
            after = hash_blob(fields[2])
            if after:
                rows.append((EDIT, fields[1], after, fields[2]))
        elif fields[0] in (ASKED, OUTSIDE, FETCHED):
            rows.append(fields)
    add_rows(state, session, rows)
    scripts = [row[-1] for row in rows if row[0] in (MADE, EDIT) and is_script(row[-1])]
    if scripts:
        _append(f"{session_dir(state, session)}/{SCRIPTS}", [(name,) for name in scripts])


def add_rows(state: str, session: str, rows: Iterable[tuple[str, ...]]) -> bool:
    return _append(marks_path(state, session), rows)


def read_marks(state: str | None, session: str) -> Marks:
    """Everything kept of a session; damaged lines are skipped."""
    marks = Marks()
    if state is None or not session:
        return marks
    for fields in _read_lines(marks_path(state, session)):
        try:
            if fields[0] == MADE:
                _, time, device, inode, path = fields
                marks.made[path] = (float(time), int(device), int(inode))
            elif fields[0] == EDIT:
                _, before, after, path = fields
                marks.edits.setdefault(path, []).append((before, after))
            elif fields[0] == VOID:
                marks.made.pop(fields[1], None)
            elif fields[0] == ASKED:
                marks.passed.add(fields[1])
            elif fields[0] == FETCHED:
                marks.fetched[fields[2]] = fields[1]
            elif fields[0] == OUTSIDE:
                marks.outside.append((float(fields[1]), fields[2]))
        except (ValueError, LookupError):  # torn by a kill
            continue
    return marks


def read_scripts(state: str, session: str) -> list[str]:
    """The scripts that this session wrote."""
    return list(dict.fromkeys(fields[0] for fields in _read_lines(f"{session_dir(state, session)}/{SCRIPTS}")))


def is_script(path: str) -> bool:
    name = path[path.rfind("/") + 1 :]
    return name.endswith(SCRIPT_ENDS) or "." not in name


def hash_blob(path: str) -> str:
    """The id that git gives to the content of a regular file; "" if it cannot be read."""
    try:
        data = read_file(path, MAX_CONTENT, follow=False)
    except OSError:
        return ""
    from _sha1 import sha1  # type: ignore[import-not-found]  # noqa: PLC0415

    return str(sha1(b"blob %d\0" % len(data) + data).hexdigest())


def _identify(path: str) -> tuple[str, str] | None:
    try:
        found = posix.lstat(path)
    except (OSError, ValueError):
        return None
    return None if found.st_mode & _KIND == _LINK else (str(found.st_dev), str(found.st_ino))


def _append(path: str, rows: Iterable[tuple[str, ...]]) -> bool:
    data = "".join(_format_line(row) for row in rows).encode("utf-8", "surrogateescape")
    if not data:
        return True
    try:
        descriptor = open_private(path, posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT)
        try:
            if posix.fstat(descriptor).st_size + len(data) > MAX_BYTES:
                return False
            return posix.write(descriptor, data) == len(data)
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return False


def _format_line(fields: tuple[str, ...]) -> str:
    escaped = [field.replace("%", "%25").replace("\t", "%09").replace("\n", "%0A") for field in fields]
    return "\t".join(escaped) + "\n"


def _read_lines(path: str) -> list[tuple[str, ...]]:
    try:
        return _parse_lines(read_file(path, 2 * MAX_BYTES, follow=False))
    except OSError:
        return []


def _parse_lines(data: bytes) -> list[tuple[str, ...]]:
    lines = data.decode("utf-8", "surrogateescape").split("\n")[:-1]  # the last is empty, or torn
    return [
        tuple(field.replace("%09", "\t").replace("%0A", "\n").replace("%25", "%") for field in line.split("\t"))
        for line in lines
    ]
