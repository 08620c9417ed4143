"""Read new lines of the journal into the ledger, each exactly once even if a process is killed in between.

<state>/journal/*.jsonl[.gz] → [ingest] → ledger.db
The byte offset of a segment is committed together with its rows; rows are keyed by the record's id, so a line that is
read twice gives one row. One process ingests at a time; the others wait for its lock and find nothing left to do.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
import zlib
from typing import TYPE_CHECKING

from hookwright.proc.safe_read import open_regular
from hookwright.store.journal_rotation import is_segment, segment_order
from hookwright.store.lock import Lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHUNK = 1 << 20
HEAD_BYTES = 64  # identify a segment: they contain the random id of its first record
LOCK_TIMEOUT_S = 60.0
CLOSED_AFTER_S = 2 * 86400.0  # a segment of the day before yesterday gets no more lines


class IngestResult:
    """What one call of `ingest` did."""

    def __init__(self) -> None:
        self.lines = 0
        self.bad = 0
        self.bytes = 0
        self.busy = False  # another process held the lock until our timeout
        self.segments: list[str] = []


def ingest(
    store: sqlite3.Connection,
    state: str,
    now: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    wait_seconds: float = LOCK_TIMEOUT_S,
) -> IngestResult:
    """Bring the ledger up to the journal. `progress` is called with the bytes done and the total."""
    now = time.time() if now is None else now
    result = IngestResult()
    with Lock(f"{state}/ingest.lock", wait_seconds) as held:
        if not held:
            result.busy = True
            return result
        pending = list_pending(store, state)
        total = sum(size for _, size in pending)
        for name, _ in pending:
            _ingest_segment(
                store, f"{state}/journal/{name}", now, result, lambda: progress and progress(result.bytes, total)
            )
    return result


def list_pending(store: sqlite3.Connection, state: str) -> list[tuple[str, int]]:
    """Segments with new lines, oldest first, and about how many bytes are new."""
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
            continue  # the compressed copy; the original is not removed yet
        row = known.get(plain)
        if plain != name and row is not None and row["closed"]:
            continue
        try:
            status = os.lstat(f"{folder}/{name}")
        except FileNotFoundError:  # removed meanwhile
            continue
        if not stat.S_ISREG(status.st_mode):
            continue
        size = status.st_size
        fresh = row is None or row["head"] != _read_head(f"{folder}/{name}", len(row["head"]))
        offset = 0 if fresh or row is None else row["offset"]
        if size > offset or plain != name:
            found.append((name, max(size - offset, 1)))
    return found


def backlog_bytes(store: sqlite3.Connection, state: str) -> int:
    """Bytes of the journal that are not in the ledger yet."""
    return sum(size for _, size in list_pending(store, state))


def _ingest_segment(
    store: sqlite3.Connection, path: str, now: float, result: IngestResult, report: Callable[[], object]
) -> None:
    name = os.path.basename(path).removesuffix(".gz")
    head = _read_head(path, HEAD_BYTES)
    row = store.execute("SELECT * FROM segments WHERE name = ?", (name,)).fetchone()
    offset = row["offset"] if row is not None and head.startswith(row["head"]) else 0
    closed = path.endswith(".gz") or _day_start(name) < now - CLOSED_AFTER_S
    rest = b""
    for chunk in _read_chunks(path, offset):
        whole, newline, rest = (rest + chunk).rpartition(b"\n")
        if not chunk and closed:  # a line without its newline stays torn
            whole, newline, rest = whole + newline + rest, b"", b""
        if whole or newline or (closed and not chunk):
            offset += len(whole) + len(newline)
            _commit_rows(store, whole, (name, head, offset, closed and not chunk), result)
            report()
    result.segments.append(name)


def _read_chunks(path: str, offset: int) -> Iterator[bytes]:
    """The segment from an offset on, then an empty chunk; of a damaged file the readable part."""
    try:
        with open(open_regular(path, follow=False)[0], "rb") as file:
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
    except (OSError, zlib.error):  # removed meanwhile, no file at all, or not a gzip file
        pass
    yield b""


def _commit_rows(
    store: sqlite3.Connection, text: bytes, place: tuple[str, bytes, int, bool], result: IngestResult
) -> None:
    """Insert the rows of these lines and save the offset behind them, in one transaction."""
    import json  # noqa: PLC0415  only where there is something new

    from hookwright.store.event_rows import (  # noqa: PLC0415
        INSERT_DECISION,
        decision_rows,
        event_row,
        insert_events,
    )

    events, decisions, count, bad = [], [], 0, 0
    scan = json.JSONDecoder().raw_decode  # `loads` would detect the encoding of each line first
    for line in text.decode("utf-8", "replace").split("\n"):
        if not line:
            continue
        count += 1
        try:
            record, end = scan(line)
            if end != len(line) or not record["id"] or not isinstance(record["time"], (int, float)):
                raise ValueError  # noqa: TRY301
            total_us, rows = decision_rows(record)
            record.setdefault("us", total_us)
            events.append(event_row(record))
            decisions += rows
        except (ValueError, KeyError, AttributeError, TypeError, RecursionError):
            bad += 1
            del events[count - bad :]
    name, head, offset, closed = place
    store.execute("BEGIN IMMEDIATE")
    try:
        insert_events(store, events)
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


def _read_head(path: str, size: int) -> bytes:
    for chunk in _read_chunks(path, 0):
        return chunk[:size]
    return b""


def _day_start(name: str) -> float:
    """The start of a segment's day in seconds since the epoch (UTC)."""
    try:
        return time.mktime((*map(int, name[:10].split("-")), 0, 0, 0, 0, 0, 0)) - time.timezone  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return 0.0
