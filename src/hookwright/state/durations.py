"""What was learned about durations, as the door reads it: one small file per project, a look-up, no arithmetic.

estimate → <state>/projects/<project>/durations → [this] → auto_background, explain
A missing, damaged or older file means that nothing is known. Hot: one open and one read; a command that no key can
be about is not even parsed.
"""

from __future__ import annotations

import marshal
import posix
from _imp import source_hash

from hookwright.state.paths import make_private, project_dir

TYPE_CHECKING = False  # the door must not import typing
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    Row = tuple[Any, ...]  # runs, median_s, p90_s, last decision, then the chance to pass each threshold

FILE = "durations"
FORM = 1
THRESHOLDS = (2, 5, 10, 20, 30, 60, 120, 300, 600)  # seconds
_SALT = 0x64757261
_LARGEST = 1 << 20


class Learned:
    """What the past says about one command."""

    __slots__ = ("background", "median_s", "n", "p90_s", "p_long")

    def __init__(self, n: int, median_s: float, p90_s: float, background: bool | None, p_long: float) -> None:
        self.n = n
        self.median_s = median_s
        self.p90_s = p90_s
        self.background = background  # what was decided the last time, if anything was
        self.p_long = p_long  # the chance that the next run takes longer than asked


def read(state: str | None, project: str) -> Mapping[str, Row]:
    """Key → row of a project; empty when nothing is known."""
    _, packed = _contents(state, project)
    return _rows(packed)


def relevant(state: str | None, project: str, command: str) -> Mapping[str, Row]:
    """The same, if one of its keys can be about this command at all: to see that, nothing has to be parsed."""
    names, packed = _contents(state, project)
    for name in names:
        if name in command:
            return _rows(packed)
    return {}


def write(state: str, project: str, rows: Mapping[str, Row]) -> bool:
    """Publish what is known of a project: whole or not at all."""
    folder = project_dir(state, project)
    names = tuple(sorted({name for key in rows for name in names_in(key)}))
    data = marshal.dumps((FORM, names, marshal.dumps(dict(rows))))
    draft = f"{folder}/{FILE}.{posix.getpid()}"
    try:
        if not make_private(folder):
            return False
        descriptor = posix.open(draft, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_CLOEXEC, 0o600)
        try:
            posix.write(descriptor, source_hash(_SALT, data) + data)
        finally:
            posix.close(descriptor)
        posix.rename(draft, f"{folder}/{FILE}")
    except (OSError, ValueError):
        return False
    return True


def names_in(key: str) -> list[str]:
    """The words without which a command cannot have this key: of each part the script's name, else the program's."""
    found = []
    for part in key.split(" ; "):
        words = part.rpartition(": ")[2].split(" ")
        script = len(words) > 1 and ("/" in words[1] or "." in words[1]) and words[1][0] != "<"
        found.append(words[1 if script else 0].rpartition("/")[2])
    return found


def _contents(state: str | None, project: str) -> tuple[Sequence[str], bytes]:
    if state is None or not project:
        return (), b""
    try:
        descriptor = posix.open(f"{project_dir(state, project)}/{FILE}", posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            data = posix.read(descriptor, _LARGEST)
        finally:
            posix.close(descriptor)
        if source_hash(_SALT, data[8:]) != data[:8]:
            return (), b""
        form, names, packed = marshal.loads(data[8:])  # noqa: S302  our own file, checked above
    except (OSError, ValueError, EOFError, TypeError):
        return (), b""
    return (names, packed) if form == FORM else ((), b"")


def _rows(packed: bytes) -> Mapping[str, Row]:
    rows: Mapping[str, Row] = marshal.loads(packed) if packed else {}  # noqa: S302  checked with the rest
    return rows


def look_up(rows: Mapping[str, Row], segments: Sequence[Any], whole: str, long_s: float) -> Learned | None:
    """What is known of a command: of all of it, or put together from its segments.

    A segment has `levels`, narrowest first, and `piped`. Parts that follow each other are long if one of them is;
    parts of a pipe run together, so the longest counts. One unknown part makes "quick" unknown, never "long".
    """
    if not rows or not segments:
        return None
    row = rows.get(whole)
    if row is not None:
        return _learned(row, long_s)
    known: list[Learned] = []
    stays_short = 1.0
    stage = 0.0
    for segment in segments:
        found = next((rows[level] for level in segment.levels if level in rows), None)
        if not segment.piped:
            stays_short, stage = stays_short * (1 - stage), 0.0
        if found is not None:
            part = _learned(found, long_s)
            known.append(part)
            stage = max(stage, part.p_long)
    p_long = 1 - stays_short * (1 - stage)
    if not known or (len(known) < len(segments) and p_long < 0.5):
        return None
    last = known[0].background if len(segments) == 1 else None
    return Learned(
        min(part.n for part in known),
        sum(part.median_s for part in known),
        max(sum(part.median_s for part in known), *(part.p90_s for part in known)),
        last,
        p_long,
    )


def _learned(row: Row, long_s: float) -> Learned:
    """The chance at the nearest threshold that is not above the asked one; the lowest for anything below."""
    place = max((i for i, seconds in enumerate(THRESHOLDS) if seconds <= long_s), default=0)
    return Learned(row[0], row[1], row[2], row[3], row[4 + place])
