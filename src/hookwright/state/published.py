"""Publishes what was learned about durations: the file that the door probes, whole or not at all.

estimate → [write] → <state>/projects/<project>/durations → durations.py
The head holds the names that any key is about; then come slots, found by the hash of a key or of a text that was run,
and the rows, each with a checksum of its own.
"""

from __future__ import annotations

import marshal
import posix
from _imp import source_hash
from typing import TYPE_CHECKING, Any

from hookwright.state.durations import EXACT, FILE, FORM, NO_SLOT, SALT, SLOT, SLOW_AT, THRESHOLDS, loaded, opened
from hookwright.state.paths import make_private, project_dir

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from hookwright.state.durations import Row

SLOW_FROM = 0.1  # a key with this chance to pass SLOW_AT seconds may be slow


def read(state: str | None, project: str) -> Mapping[str, Row]:
    """Key → row of a whole project; empty when nothing is known."""
    file = opened(project_dir(state, project)) if state is not None and project else None
    if file is None:
        return {}
    descriptor, slots, start, _, _ = file
    rows = {}
    try:
        table = posix.pread(descriptor, slots * SLOT, start)
        for at in range(0, len(table), SLOT):
            slot = table[at : at + SLOT]
            found = loaded(descriptor, slot) if slot[8:] != NO_SLOT else None
            if found is not None and found[0] and isinstance(found[1], tuple):
                rows[found[0]] = found[1]
    finally:
        posix.close(descriptor)
    return rows


def write(
    state: str,
    project: str,
    rows: Mapping[str, Row],
    texts: Mapping[str, tuple[str, bool, Row]] | None = None,
    serving: Container[str] = (),
) -> bool:
    """Publish what is known of a project, whole or not at all.

    `texts`: commands in the words in which they were run → key, whether it serves, row. `serving`: keys of what stays;
    when that ends soon, it has failed.
    """
    folder = project_dir(state, project)
    data = packed(rows, texts or {}, serving)
    draft = f"{folder}/{FILE}.{posix.getpid()}"
    try:
        if not make_private(folder):
            return False
        descriptor = posix.open(draft, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_CLOEXEC, 0o600)
        try:
            posix.write(descriptor, data)
        finally:
            posix.close(descriptor)
        posix.rename(draft, f"{folder}/{FILE}")
    except (OSError, ValueError):
        return False
    return True


def packed(rows: Mapping[str, Row], texts: Mapping[str, tuple[str, bool, Row]], serving: Container[str]) -> bytes:
    """The file: checksum and length of the head, the head, slots, rows with a checksum each."""
    things: dict[str, tuple[Any, ...]] = {key: (key, row, key in serving) for key, row in rows.items()}
    things.update({EXACT + text: found for text, found in texts.items()})
    slots = 4
    while slots < 2 * len(things):
        slots *= 2
    slow = {name for key, row in rows.items() if is_slow(row) for name in names_in(key)}
    others = {name for key in rows for name in names_in(key)} - slow
    head = marshal.dumps((FORM, slots, *("\n" + "\n".join(sorted(names)) + "\n" for names in (slow, others))))
    head = len(head).to_bytes(4, "little") + head
    table = bytearray(slots * SLOT)
    start = 8 + len(head) + len(table)
    blobs = b""
    for text, thing in things.items():
        mark = source_hash(SALT, text.encode("utf-8", "surrogatepass"))
        blob = marshal.dumps(thing)
        blob = source_hash(SALT, blob) + blob
        at = int.from_bytes(mark[:4], "little") & (slots - 1)
        while any(table[at * SLOT + 8 : at * SLOT + SLOT]):
            at = (at + 1) & (slots - 1)
        place = (start + len(blobs)).to_bytes(4, "little") + len(blob).to_bytes(4, "little")
        table[at * SLOT : (at + 1) * SLOT] = mark + place
        blobs += blob
    return source_hash(SALT, head) + head + bytes(table) + blobs


def is_slow(row: Row) -> bool:
    """Whether a run may well hold the foreground for a while."""
    return bool(row[4 + THRESHOLDS.index(SLOW_AT)] >= SLOW_FROM)


def names_in(key: str) -> list[str]:
    """The words without which a command cannot have this key: of each part the script's name, else the program's."""
    found = []
    for part in key.split(" ; "):
        words = part.rpartition(": ")[2].split(" ")
        script = len(words) > 1 and ("/" in words[1] or "." in words[1]) and words[1][0] != "<"
        found.append(words[1 if script else 0].rpartition("/")[2])
    return found
