"""Ingest: journal segments → rows, each line once, whoever dies in between.

<state>/journal/*.jsonl[.gz] → [this] → ledger.db
The byte offset and the rows it stands for are committed together; rows are keyed by the record's id, so a line
read twice is one row. One process at a time; the others wait for it and find nothing left to do.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sqlite3
import time
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hookwright.state.journal import first_id
from hookwright.state.lock import Lock
from hookwright.state.segments import is_segment, segment_order
from hookwright.state.sessions import sweep_sessions
from hookwright.state.store import INSERT_DECISION, INSERT_EVENT, KEEP_DAYS, decision_rows, event_row, plain_row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHUNK = 1 << 20
HEAD = 64  # bytes by which a segment is known again: its first record's random id is among them
WAIT_SECONDS = 60.0
SAMPLE_DAYS = 120  # durations are learned from what is younger
CLOSED_AFTER = 2 * 86400.0  # a segment of the day before yesterday gets no more lines


@dataclass
class Ingested:
    """What one run did."""

    lines: int = 0
    bad: int = 0
    bytes: int = 0
    busy: bool = False  # another process was at it for longer than we waited
    segments: list[str] = field(default_factory=list)


def ingest(
    store: sqlite3.Connection,
    state: str,
    now: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    wait_seconds: float = WAIT_SECONDS,
) -> Ingested:
    """Bring the store up to the journal. `progress` hears bytes done and bytes in all."""
    now = time.time() if now is None else now
    result = Ingested()
    with Lock(f"{state}/ingest.lock", wait_seconds) as held:
        if not held:
            result.busy = True
            return result
        todo = pending(store, state)
        total = sum(size for _, size in todo)
        for name, _ in todo:
            _segment(store, f"{state}/journal/{name}", now, result, lambda: progress and progress(result.bytes, total))
        _retire(store, state, now)
    return result


def pending(store: sqlite3.Connection, state: str) -> list[tuple[str, int]]:
    """Segments with something new in them, oldest first, and about how many bytes that is."""
    folder = f"{state}/journal"
    try:
        names = {name for name in os.listdir(folder) if is_segment(name)}
    except FileNotFoundError:
        return []
    known = {row["name"]: row for row in store.execute("SELECT * FROM segments")}
    found = []
    for name in sorted(names, key=segment_order):
        plain = name.removesuffix(".gz")
        if plain != name and plain in names:
            continue  # compressed, and its original not yet removed
        row = known.get(plain)
        if plain != name and row is not None and row["closed"]:
            continue
        try:
            size = os.path.getsize(f"{folder}/{name}")
        except FileNotFoundError:  # swept just now
            continue
        fresh = row is None or row["head"] != _head(f"{folder}/{name}", len(row["head"]))
        offset = 0 if fresh or row is None else row["offset"]
        if size > offset or plain != name:
            found.append((name, max(size - offset, 1)))
    return found


def backlog(store: sqlite3.Connection, state: str) -> int:
    """Bytes of the journal that the store has not seen."""
    return sum(size for _, size in pending(store, state))


def _segment(store: sqlite3.Connection, path: str, now: float, result: Ingested, tell: Callable[[], object]) -> None:
    name = os.path.basename(path).removesuffix(".gz")
    head = _head(path, HEAD)
    row = store.execute("SELECT * FROM segments WHERE name = ?", (name,)).fetchone()
    offset = row["offset"] if row is not None and head.startswith(row["head"]) else 0
    closed = path.endswith(".gz") or _day(name) < now - CLOSED_AFTER
    rest = b""
    for chunk in _chunks(path, offset):
        whole, newline, rest = (rest + chunk).rpartition(b"\n")
        if not chunk and closed:  # what has no end by now never gets one
            whole, newline, rest = whole + newline + rest, b"", b""
        if whole or newline or (closed and not chunk):
            offset += len(whole) + len(newline)
            _commit(store, whole, (name, head, offset, closed and not chunk), result)
            tell()
    result.segments.append(name)


def _chunks(path: str, offset: int) -> Iterator[bytes]:
    """The segment from an offset on, and an empty chunk at its end; of a damaged file what can be read of it."""
    try:
        with open(path, "rb") as file:
            if not path.endswith(".gz"):
                file.seek(offset)
                while chunk := file.read(CHUNK):
                    yield chunk
            else:
                unpack = zlib.decompressobj(wbits=31)
                while packed := file.read(CHUNK // 8):
                    chunk = unpack.decompress(packed)
                    if chunk[offset:]:
                        yield chunk[offset:]
                    offset = max(0, offset - len(chunk))
    except (FileNotFoundError, zlib.error):  # swept just now; not ours
        pass
    yield b""


def _commit(store: sqlite3.Connection, text: bytes, place: tuple[str, bytes, int, bool], result: Ingested) -> None:
    """Rows, decisions and the offset that stands for them, in one transaction."""
    events, decisions, count, bad = [], [], 0, 0
    scan = json.JSONDecoder().raw_decode  # `loads` would look for an encoding in each line first
    for line in text.decode("utf-8", "replace").split("\n"):
        if not line:
            continue
        count += 1
        try:
            record, end = scan(line)
            if end != len(line) or not record["id"] or not isinstance(record["time"], (int, float)):
                raise ValueError  # noqa: TRY301
            took, spoken = decision_rows(record)
            record.setdefault("us", took)
            events.append(event_row(record))
            decisions += spoken
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
            bad += 1
            del events[count - bad :]
    name, head, offset, closed = place
    store.execute("BEGIN IMMEDIATE")
    try:
        try:
            store.executemany(INSERT_EVENT, events)
        except (sqlite3.Error, OverflowError):  # a value that SQLite has no type for
            store.executemany(INSERT_EVENT, map(plain_row, events))
        store.executemany(INSERT_DECISION, decisions)
        store.execute(
            "INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET head = excluded.head, "
            "offset = excluded.offset, lines = lines + excluded.lines, bad = bad + excluded.bad, "
            "closed = excluded.closed",
            (name, head, offset, count, bad, int(closed)),
        )
        store.execute("COMMIT")
    except BaseException:
        store.execute("ROLLBACK")
        raise
    result.lines += count
    result.bad += bad
    result.bytes += len(text) + 1


def _retire(store: sqlite3.Connection, state: str, now: float) -> None:
    """Compress segments that are read and closed, and let rows go that are past their time; once a day."""
    today = time.strftime("%Y-%m-%d", time.gmtime(now))
    row = store.execute("SELECT value FROM meta WHERE name = 'retired'").fetchone()
    if row is not None and row["value"] == today:
        return
    for segment in store.execute("SELECT name FROM segments WHERE closed = 1").fetchall():
        _compress(f"{state}/journal/{segment['name']}")
    sweep_sessions(state, now)
    oldest = now - KEEP_DAYS * 86400
    store.execute("BEGIN IMMEDIATE")
    store.execute("DELETE FROM events WHERE id < ?", (first_id(oldest),))
    store.execute("DELETE FROM decisions WHERE event_id < ?", (first_id(oldest),))
    store.execute("DELETE FROM samples WHERE time < ?", (now - SAMPLE_DAYS * 86400,))
    store.execute("INSERT OR REPLACE INTO meta VALUES ('retired', ?)", (today,))
    store.execute("COMMIT")


def _compress(path: str) -> None:
    """Whole or not at all: the original goes when its copy is in place."""
    draft = f"{path}.gz.{os.getpid()}"
    try:
        with (
            open(path, "rb") as source,
            open(draft, "wb", opener=_private) as target,
            gzip.open(target, "wb", compresslevel=6) as packed,
        ):
            shutil.copyfileobj(source, packed)
        os.replace(draft, path + ".gz")
        os.unlink(path)
    except FileNotFoundError:
        return
    except OSError:  # a full disk: the plain file is as good
        if os.path.exists(draft):
            os.unlink(draft)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _head(path: str, size: int) -> bytes:
    for chunk in _chunks(path, 0):
        return chunk[:size]
    return b""


def _day(name: str) -> float:
    """When a segment's day began."""
    try:
        return time.mktime((*map(int, name[:10].split("-")), 0, 0, 0, 0, 0, 0)) - time.timezone  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return 0.0
