"""Read learned durations in the hook process: one file per project, of which a command reads a few bytes.

estimate → durations_write → <state>/projects/<project>/durations, <state>/shared/durations → [this] → auto_background
The file has a head with a Bloom filter of the program names of all keys, then a hash table: 5,000 keys cost about as
much as 6. A command that ran before in the same words is found without parsing it; a command with none of the names is
not looked up at all. A missing or damaged file means that nothing is known. Files of format 2, whose head has the names
as text, are read until they are written again. Hot.
"""

from __future__ import annotations

import marshal
import posix
from _imp import source_hash

TYPE_CHECKING = False  # the hook process must not import typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    Row = tuple[Any, ...]  # runs, median_s, p90_s, last decision, then P(longer) for each of THRESHOLDS
    # Runs, median_s, p90_s, the last decision, the probability that the next run exceeds the threshold in question.
    Estimate = tuple[int, float, float, bool | None, float]
    Names = bytes | str  # a Bloom filter; in format 2 a text
    TableFile = tuple[
        int, int, int, Names, Names
    ]  # descriptor, number of slots, their offset, names of slow keys, of other keys

FILE = "durations"
FORMAT_VERSION = 3
READABLE = (2, 3)
SHARED = "shared"  # the folder in the state directory of what all projects have in common
THRESHOLDS = (2, 5, 10, 20, 30, 60, 120, 300, 600)  # seconds
SLOW_AT = 10  # a key that may take so many seconds is looked up even if the command looks quick
SALT = 0x64757261
_HEAD_BYTES = 4096  # read at once; the head of some hundred keys fits
PROBES = (0, 13, 26)  # bits of a name's hash at which its positions in the Bloom filter begin
SLOT = 16  # bytes: hash of a key or text (8), offset of its row (4), length of the row (4)
NO_SLOT = bytes(8)
_MAX_BYTES = 1 << 20
EXACT = "="  # prefix of a whole command text; no key begins with it
_SEPARATORS = "\"'`;&|()<>{}$=,@\\"


def probe_command(folder: str, command: str, *, every: bool) -> tuple[Any, ...] | None:
    """None if nothing is known of this command, () if its key has to be looked up, else key, is_server, row.

    The last for a command that was run in these very words. Without `every` only keys that may be slow count.
    """
    file = open_table(folder)
    if file is None:
        return None
    try:
        found = _probe_slot(file, EXACT + command)
    finally:
        posix.close(file[0])
    if found is not None:
        return found
    names = extract_names(command)
    for name in names:
        if holds_name(file[3], name) or (every and holds_name(file[4], name)):
            return ()
    return None


def holds_name(names: Names, name: str) -> bool:
    """Whether the name is among these; a Bloom filter says yes too often by one in a hundred."""
    if names.__class__ is str:
        return name in names
    mark = int.from_bytes(source_hash(SALT, name.encode("utf-8", "surrogatepass")), "little")
    last = len(names) * 8 - 1
    for start in PROBES:
        at = (mark >> start) & last
        if not names[at >> 3] >> (at & 7) & 1:  # type: ignore[operator]
            return False
    return True


def extract_names(command: str) -> set[str]:
    """The words of a command that can be the name in a key, each between line breaks as in the head."""
    for mark in _SEPARATORS:
        if mark in command:
            command = command.replace(mark, " ")
    names = set()
    for word in command.split():
        name = word[word.rfind("/") + 1 :]
        if name[:6] == "python" and name[6:].replace(".", "").isdigit():
            name = "python"
        names.add(f"\n{name}\n")
    return names


def open_table(folder: str) -> TableFile | None:
    try:
        descriptor = posix.open(f"{folder}/{FILE}", posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except OSError:
        return None
    try:
        data = posix.read(descriptor, _HEAD_BYTES)
        end = 12 + int.from_bytes(data[8:12], "little")
        if len(data) < end < _MAX_BYTES:
            data += posix.read(descriptor, end - len(data))
        if source_hash(SALT, data[8:end]) == data[:8]:
            form, slots, slow, others = marshal.loads(data[12:end])  # noqa: S302  our own file, checksum verified
            if form in READABLE:
                return descriptor, slots, end, slow, others
    except (OSError, ValueError, EOFError, TypeError):
        pass
    posix.close(descriptor)
    return None


def _probe_slot(file: TableFile, text: str) -> tuple[Any, ...] | None:
    """Look up a key or text: usually reads one slot and one row."""
    descriptor, slots, start, _, _ = file
    mark = source_hash(SALT, text.encode("utf-8", "surrogatepass"))
    at = int.from_bytes(mark[:4], "little")
    for _ in range(slots):
        at &= slots - 1
        slot = posix.pread(descriptor, SLOT, start + SLOT * at)
        if slot[:8] == mark:
            return load_row(descriptor, slot)
        if slot[8:] == NO_SLOT or len(slot) < SLOT:
            return None
        at += 1
    return None


def load_row(descriptor: int, slot: bytes) -> tuple[Any, ...] | None:
    size = min(int.from_bytes(slot[12:], "little"), _MAX_BYTES)
    try:
        data = posix.pread(descriptor, size, int.from_bytes(slot[8:12], "little"))
        if source_hash(SALT, data[8:]) != data[:8]:
            return None
        found: tuple[Any, ...] = marshal.loads(data[8:])  # noqa: S302  checksum verified
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return found


def read_rows(folder: str, keys: Iterable[str]) -> tuple[dict[str, Row], bool]:
    """The rows of the known keys, and whether one of them starts a server."""
    rows: dict[str, Row] = {}
    is_server = False
    file = open_table(folder)
    if file is None:
        return rows, is_server
    try:
        for key in keys:
            found = _probe_slot(file, key) if key not in rows else None
            if found is not None:
                rows[key] = found[1]
                is_server = is_server or found[2]
    finally:
        posix.close(file[0])
    return rows, is_server


def estimate_segments(rows: Mapping[str, Row], segments: Sequence[Any], whole: str, long_s: float) -> Estimate | None:
    """The estimate of a command: of the whole, else combined from its segments.

    A segment has `levels`, narrowest first, and `piped`. A sequence is long if one part is; the parts of a pipe run in
    parallel, so the longest counts. An unknown part makes "quick" unknown, but never "long".
    """
    if not rows or not segments:
        return None
    row = rows.get(whole)
    if row is not None:
        return estimate_from_row(row, long_s)
    known: list[Estimate] = []
    stays_short = 1.0
    stage = 0.0
    for segment in segments:
        found = next((rows[level] for level in segment.levels if level in rows), None)
        if not segment.piped:
            stays_short, stage = stays_short * (1 - stage), 0.0
        if found is not None:
            part = estimate_from_row(found, long_s)
            known.append(part)
            stage = max(stage, part[4])
    p_long = 1 - stays_short * (1 - stage)
    if not known or (len(known) < len(segments) and p_long < 0.5):
        return None
    median = sum(part[1] for part in known)
    last = known[0][3] if len(segments) == 1 else None
    return min(part[0] for part in known), median, max(median, *(part[2] for part in known)), last, p_long


def estimate_from_row(row: Row, long_s: float) -> Estimate:
    """The estimate at the highest threshold that is not above `long_s`; at the lowest for anything below."""
    place = 4
    for number, seconds in enumerate(THRESHOLDS):
        if seconds <= long_s:
            place = 4 + number
    return row[0], row[1], row[2], row[3], row[place]
