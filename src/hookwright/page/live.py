"""New events for the browser straight from the journal's bytes, before any ledger knows them.

<state>/journal/<day>.jsonl → [JournalTail] → [LiveFeed] → one queue for each open page → server-sent events
A record is visible as soon as its line is whole. Nobody looks at the journal while no page is open.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from hookwright.proc.safe_read import open_regular
from hookwright.store.journal_rotation import is_segment
from hookwright.store.page_queries import parse_json_lines

if TYPE_CHECKING:
    from collections.abc import Callable

    Message = tuple[str, str, Any]  # kind of event, id ("" for none), data

POLL_S = 0.1
KEPT = 500  # latest records, for a browser that was away for a moment
MAX_QUEUED = 2000  # a browser that does not read is cut off, and asks again
MAX_READ = 4 << 20  # bytes at once; a jump beyond that is a gap, which the page fills from the ledger


def list_segments(folder: str) -> list[tuple[str, int]]:
    """Uncompressed segments of the journal with their sizes, in the order of their days."""
    try:
        return sorted(
            (entry.name, entry.stat(follow_symlinks=False).st_size)
            for entry in os.scandir(folder)
            if is_segment(entry.name) and entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False)
        )
    except OSError:  # no journal yet, or a segment was removed meanwhile
        return []


class JournalTail:
    """Reads what was appended to the journal since the last call."""

    def __init__(self, state: str) -> None:
        self._folder = f"{state}/journal"
        self._offsets: dict[str, int] = {}
        self.skip_to_end()

    def skip_to_end(self) -> None:
        self._offsets = dict(list_segments(self._folder))

    def read_new(self) -> list[dict[str, Any]]:
        """The whole records since then, oldest first; the rest of a torn line is read next time."""
        found: list[dict[str, Any]] = []
        segments = list_segments(self._folder)
        for name, size in segments:
            offset = self._offsets.get(name, 0)
            if size < offset:  # another file under this name
                offset = 0
            if size > offset:
                data = self._read(name, offset, size)
                whole = data[: data.rfind(b"\n") + 1]
                found.extend(parse_json_lines(whole))
                offset += len(whole)
            self._offsets[name] = offset
        names = {name for name, _ in segments}
        self._offsets = {name: offset for name, offset in self._offsets.items() if name in names}
        return found

    def _read(self, name: str, offset: int, size: int) -> bytes:
        try:
            descriptor, _ = open_regular(f"{self._folder}/{name}", follow=False)
        except OSError:  # removed meanwhile, or no file
            return b""
        try:
            return os.pread(descriptor, min(size - offset, MAX_READ), offset)
        finally:
            os.close(descriptor)


class LiveFeed:
    """Gives every open page the new records, and notices of the server."""

    def __init__(self, state: str, shape: Callable[[dict[str, Any]], Any], on_records: Callable[[], None]) -> None:
        self._tail = JournalTail(state)
        self._shape = shape
        self._on_records = on_records
        self._queues: set[SimpleQueue[Message | None]] = set()
        self._recent: deque[tuple[str, Any]] = deque(maxlen=KEPT)
        self._lock = threading.Lock()
        self._has_readers = threading.Event()
        self._closed = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._run, name="live", daemon=True).start()

    def close(self) -> None:
        """End every stream."""
        self._closed.set()
        self._has_readers.set()
        with self._lock:
            for queue in self._queues:
                queue.put(None)

    def subscribe(self, last_id: str = "") -> SimpleQueue[Message | None]:
        """A queue of messages; None is its end. `last_id`: the last record that this page has got."""
        queue: SimpleQueue[Message | None] = SimpleQueue()
        with self._lock:
            if not self._queues:
                self._tail.skip_to_end()  # nobody was looking; the page has just read the ledger
            ids = [record_id for record_id, _ in self._recent]
            if last_id and last_id not in ids:
                queue.put(("gap", "", {}))
            elif last_id:
                for record_id, data in list(self._recent)[ids.index(last_id) + 1 :]:
                    queue.put(("record", record_id, data))
            self._queues.add(queue)
            self._has_readers.set()
        return queue

    def unsubscribe(self, queue: SimpleQueue[Message | None]) -> None:
        with self._lock:
            self._queues.discard(queue)
            if not self._queues and not self._closed.is_set():
                self._has_readers.clear()

    def announce(self, kind: str, data: Any = None) -> None:
        """A notice to every open page."""
        with self._lock:
            self._put((kind, "", data or {}))

    def _run(self) -> None:
        while not self._closed.is_set():
            self._has_readers.wait()
            with self._lock:
                records = self._tail.read_new()
                for record in records:
                    shaped = self._shape(record)
                    self._recent.append((str(record["id"]), shaped))
                    self._put(("record", str(record["id"]), shaped))
            if records:
                self._on_records()
            self._closed.wait(POLL_S)

    def _put(self, message: Message) -> None:
        for queue in list(self._queues):
            if queue.qsize() >= MAX_QUEUED:
                self._queues.discard(queue)
                queue.put(None)
            else:
                queue.put(message)
