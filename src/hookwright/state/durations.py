"""What was learned about durations, as the door reads it: one file per project, a few bytes of it for a command.

estimate → published → <state>/projects/<project>/durations → [this] → auto_background, explain
A head with the names that any key is about, then a table that is probed by hash: six hundred keys cost what six do. A
command that was run before in the same words is found without being parsed, one that no key can be about is not
looked up at all. A missing, damaged or older file means that nothing is known. Hot.
"""

from __future__ import annotations

import marshal
import posix
from _imp import source_hash

TYPE_CHECKING = False  # the door must not import typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    Row = tuple[Any, ...]  # runs, median_s, p90_s, last decision, then the chance to pass each threshold
    # Runs, median_s, p90_s, what was decided the last time, the chance that the next run takes longer than asked.
    Learned = tuple[int, float, float, bool | None, float]
    File = tuple[int, int, int, str, str]  # descriptor, slots, where they begin, names of slow keys, of the others

FILE = "durations"
FORM = 2
THRESHOLDS = (2, 5, 10, 20, 30, 60, 120, 300, 600)  # seconds
SLOW_AT = 10  # a key that may pass so many seconds is worth a look even if the command's name is quick
SALT = 0x64757261
_HEAD = 16384  # bytes that are read at once; the head of six hundred keys fits
SLOT = 16  # bytes: the hash of a key or text, where its row is, how long that is
NO_SLOT = bytes(8)
_LARGEST = 1 << 20
EXACT = "="  # before a text that was run; no key begins so
_MARKS = "\"'`;&|()<>{}$=,@\\"


def glimpse(folder: str, command: str, *, every: bool) -> tuple[Any, ...] | None:
    """What the past may say of a command: None for nothing, () when its key has to be looked up.

    Key, whether it serves, and row when it was run in these very words. Without `every` only keys that may be slow
    count.
    """
    file = opened(folder)
    if file is None:
        return None
    try:
        found = _probed(file, EXACT + command)
    finally:
        posix.close(file[0])
    if found is not None:
        return found
    names = names_of(command)
    for name in names:
        if name in file[3] or (every and name in file[4]):
            return ()
    return None


def names_of(command: str) -> set[str]:
    """The names in a command that a key may have, each between line breaks."""
    for mark in _MARKS:
        if mark in command:
            command = command.replace(mark, " ")
    names = set()
    for word in command.split():
        name = word[word.rfind("/") + 1 :]
        if name[:6] == "python" and name[6:].replace(".", "").isdigit():
            name = "python"
        names.add(f"\n{name}\n")
    return names


def opened(folder: str) -> File | None:
    try:
        descriptor = posix.open(f"{folder}/{FILE}", posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return None
    try:
        data = posix.read(descriptor, _HEAD)
        end = 12 + int.from_bytes(data[8:12], "little")
        if len(data) < end < _LARGEST:
            data += posix.read(descriptor, end - len(data))
        if source_hash(SALT, data[8:end]) == data[:8]:
            form, slots, slow, others = marshal.loads(data[12:end])  # noqa: S302  our own file, checked here
            if form == FORM:
                return descriptor, slots, end, slow, others
    except (OSError, ValueError, EOFError, TypeError):
        pass
    posix.close(descriptor)
    return None


def _probed(file: File, text: str) -> tuple[Any, ...] | None:
    """What stands under this key or text: one slot and one row are read."""
    descriptor, slots, start, _, _ = file
    mark = source_hash(SALT, text.encode("utf-8", "surrogatepass"))
    at = int.from_bytes(mark[:4], "little")
    for _ in range(slots):
        at &= slots - 1
        slot = posix.pread(descriptor, SLOT, start + SLOT * at)
        if slot[:8] == mark:
            return loaded(descriptor, slot)
        if slot[8:] == NO_SLOT or len(slot) < SLOT:
            return None
        at += 1
    return None


def loaded(descriptor: int, slot: bytes) -> tuple[Any, ...] | None:
    size = min(int.from_bytes(slot[12:], "little"), _LARGEST)
    try:
        data = posix.pread(descriptor, size, int.from_bytes(slot[8:12], "little"))
        if source_hash(SALT, data[8:]) != data[:8]:
            return None
        found: tuple[Any, ...] = marshal.loads(data[8:])  # noqa: S302  checked with its own hash
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return found


def rows_of(folder: str, keys: Iterable[str]) -> tuple[dict[str, Row], bool]:  # rare
    """The rows of those keys that are known, and whether one of them serves."""
    rows: dict[str, Row] = {}
    serves = False
    file = opened(folder)
    if file is None:
        return rows, serves
    try:
        for key in keys:
            found = _probed(file, key) if key not in rows else None
            if found is not None:
                rows[key] = found[1]
                serves = serves or found[2]
    finally:
        posix.close(file[0])
    return rows, serves


def look_up(rows: Mapping[str, Row], segments: Sequence[Any], whole: str, long_s: float) -> Learned | None:  # rare
    """What is known of a command: of all of it, or put together from its segments.

    A segment has `levels`, narrowest first, and `piped`. Parts that follow each other are long if one of them is;
    parts of a pipe run together, so the longest counts. One unknown part makes "quick" unknown, never "long".
    """
    if not rows or not segments:
        return None
    row = rows.get(whole)
    if row is not None:
        return learned(row, long_s)
    known: list[Learned] = []
    stays_short = 1.0
    stage = 0.0
    for segment in segments:
        found = next((rows[level] for level in segment.levels if level in rows), None)
        if not segment.piped:
            stays_short, stage = stays_short * (1 - stage), 0.0
        if found is not None:
            part = learned(found, long_s)
            known.append(part)
            stage = max(stage, part[4])
    p_long = 1 - stays_short * (1 - stage)
    if not known or (len(known) < len(segments) and p_long < 0.5):
        return None
    median = sum(part[1] for part in known)
    last = known[0][3] if len(segments) == 1 else None
    return min(part[0] for part in known), median, max(median, *(part[2] for part in known)), last, p_long


def learned(row: Row, long_s: float) -> Learned:
    """The chance at the nearest threshold that is not above the asked one; the lowest for anything below."""
    place = 4
    for number, seconds in enumerate(THRESHOLDS):
        if seconds <= long_s:
            place = 4 + number
    return row[0], row[1], row[2], row[3], row[place]
