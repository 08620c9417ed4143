"""Write the learned durations of a project for the hook process, atomically.

estimate → duration_samples → [write_durations] → <state>/projects/<project>/durations → durations_read
The file: a head with Bloom filters of the program names of all keys, slots of a hash table (keys and whole command
texts), rows with a checksum each.
"""

from __future__ import annotations

import marshal
import posix
from _imp import source_hash
from typing import TYPE_CHECKING, Any

from hookwright.proc.atomic_write import write_atomic
from hookwright.store.durations_read import (
    EXACT,
    FILE,
    FORMAT_VERSION,
    NO_SLOT,
    PROBES,
    SALT,
    SLOT,
    SLOW_AT,
    THRESHOLDS,
    load_row,
    open_table,
)
from hookwright.store.paths import make_private, project_dir

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from hookwright.store.durations_read import Row

BITS_PER_NAME = 12  # of the Bloom filter
SLOW_FROM = 0.1  # a key with this probability of taking SLOW_AT seconds may be slow


def read_durations(state: str | None, project: str) -> Mapping[str, Row]:
    """Key → row of a project; empty when nothing is known."""
    return read_table(project_dir(state, project)) if state is not None and project else {}


def read_table(folder: str) -> Mapping[str, Row]:
    file = open_table(folder)
    if file is None:
        return {}
    descriptor, slots, start, _, _ = file
    rows = {}
    try:
        table = posix.pread(descriptor, slots * SLOT, start)
        for at in range(0, len(table), SLOT):
            slot = table[at : at + SLOT]
            found = load_row(descriptor, slot) if slot[8:] != NO_SLOT else None
            if found is not None and found[0] and isinstance(found[1], tuple):
                rows[found[0]] = found[1]
    finally:
        posix.close(descriptor)
    return rows


def write_durations(
    state: str,
    project: str,
    rows: Mapping[str, Row],
    texts: Mapping[str, tuple[str, bool, Row]] | None = None,
    serving: Container[str] = (),
) -> bool:
    """Write the rows of a project; False if that fails.

    `texts`: whole commands as they were run → key, is_server, row. `serving`: keys of servers; one that ends soon has
    failed.
    """
    return write_table(project_dir(state, project), rows, texts, serving)


def write_table(
    folder: str,
    rows: Mapping[str, Row],
    texts: Mapping[str, tuple[str, bool, Row]] | None = None,
    serving: Container[str] = (),
) -> bool:
    """The same for any folder: of a project, or of what all projects share."""
    data = pack_table(rows, texts or {}, serving)
    try:
        if not make_private(folder):
            return False
        write_atomic(f"{folder}/{FILE}", data)
    except (OSError, ValueError):
        return False
    return True


def pack_table(rows: Mapping[str, Row], texts: Mapping[str, tuple[str, bool, Row]], serving: Container[str]) -> bytes:
    """The bytes of the file: checksum and length of the head, the head, slots, rows with a checksum each."""
    entries: dict[str, tuple[Any, ...]] = {key: (key, row, key in serving) for key, row in rows.items()}
    entries.update({EXACT + text: found for text, found in texts.items()})
    slots = 4
    while slots < 2 * len(entries):
        slots *= 2
    slow = {name for key, row in rows.items() if is_slow(row) for name in required_names(key)}
    others = {name for key in rows for name in required_names(key)} - slow
    head = marshal.dumps((FORMAT_VERSION, slots, pack_names(slow), pack_names(others)))
    head = len(head).to_bytes(4, "little") + head
    table = bytearray(slots * SLOT)
    start = 8 + len(head) + len(table)
    blobs = bytearray()
    for text, entry in entries.items():
        mark = source_hash(SALT, text.encode("utf-8", "surrogatepass"))
        blob = marshal.dumps(entry)
        blob = source_hash(SALT, blob) + blob
        at = int.from_bytes(mark[:4], "little") & (slots - 1)
        while any(table[at * SLOT + 8 : at * SLOT + SLOT]):
            at = (at + 1) & (slots - 1)
        place = (start + len(blobs)).to_bytes(4, "little") + len(blob).to_bytes(4, "little")
        table[at * SLOT : (at + 1) * SLOT] = mark + place
        blobs += blob
    return source_hash(SALT, head) + head + bytes(table) + bytes(blobs)


def pack_names(names: set[str]) -> bytes:
    """A Bloom filter of the names, as `holds_name` reads it; each is between line breaks, as extract_names gives it."""
    size = 64
    while size < BITS_PER_NAME * len(names):
        size *= 2
    bits = bytearray(size // 8)
    for name in names:
        mark = int.from_bytes(source_hash(SALT, f"\n{name}\n".encode("utf-8", "surrogatepass")), "little")
        for start in PROBES:
            at = (mark >> start) & (size - 1)
            bits[at >> 3] |= 1 << (at & 7)
    return bytes(bits)


def is_slow(row: Row) -> bool:
    """Whether a run is likely enough to take SLOW_AT seconds."""
    return bool(row[4 + THRESHOLDS.index(SLOW_AT)] >= SLOW_FROM)


def required_names(key: str) -> list[str]:
    """The words that a command with this key must contain: per part the script's name, else the program's."""
    found = []
    for part in key.split(" ; "):
        words = part.rpartition(": ")[2].split(" ")
        script = len(words) > 1 and ("/" in words[1] or "." in words[1]) and words[1][0] != "<"
        found.append(words[1 if script else 0].rpartition("/")[2])
    return found
