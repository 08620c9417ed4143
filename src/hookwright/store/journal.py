"""The journal: an append-only file with one JSON line per event, written after the answer is sent.

answer sent → record → [append] → <state>/journal/2026-11-15.jsonl → (later) ingest → ledger.db
A record for which `append` returned True survives a kill at any moment. Secrets are masked: by their form, and
by their value in every text of the record. Nothing here raises.
Hot: one open, one fstat, one write; old segments are removed when a new segment is created.
"""

from __future__ import annotations

import posix
import time

from hookwright.store.paths import make_private
from hookwright.store.redact import has_hint

TYPE_CHECKING = False  # the hook process must not import typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FORMAT_VERSION = 1  # of a record; readers ignore fields they do not know

KEEP_DAYS = 30
KEEP_BYTES = 256 << 20  # all segments together
SEGMENT_BYTES = 32 << 20  # a full segment is followed by the next number of the day; no file is ever renamed
LIMITS = (KEEP_DAYS, KEEP_BYTES, SEGMENT_BYTES)
MAX_SEGMENTS = 64  # per day; after that the last one grows

MAX_LINE_CHARS = 16 << 10
SHORT_RECORD_CHARS = 2 << 10  # a record whose texts are shorter, all together, needs no cutting

# O_NONBLOCK: a fifo in the place of the file is an error instead of waiting for a reader.
_FLAGS = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK
_KIND, _REGULAR = 0o170000, 0o100000
_NO_FILE = (6, 21, 40)  # ENXIO, EISDIR, ELOOP: a fifo, a directory or a symlink has the name of a segment
# Fields with our own ids and words: never masked, never cut.
_PLAIN = frozenset(
    (
        *("v", "id", "time", "event", "session_id", "prompt_id", "tool_use_id", "agent_id", "tool", "version", "us"),
        *("project", "hook", "verdict", "mode", "outcome", "task_id"),
    )
)
# Fields that repeat nothing of the payload, or only the command, which is masked by itself.
_OWN = _PLAIN | {
    *("decisions", "answer", "changed", "command", "behind", "duration_ms", "exit_code", "tasks", "task_status"),
    *("problem", "notified", "presence", "shadow", "waited_ms"),
}
# Fields of a payload that hold ids, paths and words of the client.
_IDS = frozenset(
    (
        *("session_id", "transcript_path", "cwd", "hook_event_name", "tool_name", "tool_use_id", "prompt_id"),
        *("permission_mode", "agent_id", "agent_type", "effort", "agent_transcript_path"),
    )
)
# The fields that remain of a record that is too long even with its texts cut.
_CORE = ("v", "id", "time", "event", "session_id", "tool_use_id", "agent_id", "project", "tool", "key", "version")


def append(
    state: str | None,
    now: float,
    record: dict[str, Any],
    encode: Callable[[Any], str],
    limits: tuple[int, int, int] = LIMITS,
    payload: Any = None,
    cache: str | None = None,
) -> bool:
    """Write one record; True when all of it is in the file. Adds `v`, `id` and `time` if missing.

    `payload`: where the record's texts come from; a secret in it is masked in every text of the record. `cache`: the
    cache directory, which is swept once a day together with the state directory.
    """
    if state is None:
        return False
    folder = state + "/journal"
    try:
        line = encode_record(record, now, encode, payload)
        descriptor, size = _open_segment(folder, now, limits[2])
        try:
            # One write. The leading newline separates this record from one that was torn by a kill.
            whole = posix.write(descriptor, line) == len(line)
        finally:
            posix.close(descriptor)
        if size == 0:
            from hookwright.store.file_cleanup import sweep_files  # noqa: PLC0415
            from hookwright.store.journal_rotation import is_after_pause, sweep_segments  # noqa: PLC0415  once a day

            oldest = format_date(now - limits[0] * 86400)
            sweep_segments(folder, "" if is_after_pause(folder, format_date(now), oldest) else oldest, limits[1])
            sweep_files(state, cache, now)
    except Exception:  # noqa: BLE001  a lost record must not disturb the tool call
        whole = False
    if not whole:
        from hookwright.store.journal_rotation import count_failure  # noqa: PLC0415

        count_failure(folder)
    return whole


def new_id(now: float) -> str:
    """An id that sorts by time: 48 bits of milliseconds, 80 random bits."""
    return f"{int(now * 1000) & 0xFFFF_FFFF_FFFF:012x}{posix.urandom(10).hex()}"


def first_id(now: float) -> str:
    """A prefix that sorts before every id of that moment and after every earlier id."""
    return f"{max(0, int(now * 1000)) & 0xFFFF_FFFF_FFFF:012x}"


def _open_segment(folder: str, now: float, segment_bytes: int) -> tuple[int, int]:
    """Descriptor and size of the first segment of the day that is a file and not full."""
    day = f"{folder}/{format_date(now)}"
    for number in range(MAX_SEGMENTS):
        path = f"{day}.{number}.jsonl" if number else f"{day}.jsonl"
        try:
            descriptor = posix.open(path, _FLAGS, 0o600)
        except FileNotFoundError:
            make_private(folder)
            descriptor = posix.open(path, _FLAGS, 0o600)
        except OSError as error:
            if error.errno not in _NO_FILE:
                raise
            continue
        found = posix.fstat(descriptor)
        if found.st_mode & _KIND == _REGULAR and (found.st_size < segment_bytes or number == MAX_SEGMENTS - 1):
            return descriptor, found.st_size
        posix.close(descriptor)
    raise OSError


def encode_record(record: dict[str, Any], now: float, encode: Callable[[Any], str], payload: Any = None) -> bytes:
    """The bytes of a record: masked, of bounded size, between two newlines."""
    record.setdefault("v", FORMAT_VERSION)
    record.setdefault("id", new_id(now))
    record.setdefault("time", round(now, 3))
    quoted = {}  # fields of the payload that the record may repeat
    if payload and _quotes_payload(record):
        quoted = {name: value for name, value in payload.items() if name not in _IDS}
    # One scan of everything: as a rule nothing is a secret and nothing is long.
    joined = repr(quoted) + repr([value for name, value in record.items() if name not in _PLAIN])
    if len(joined) > SHORT_RECORD_CHARS or "@" in joined or has_hint(joined):
        from hookwright.store.redact_record import redact_record  # noqa: PLC0415

        record = redact_record(record, quoted, _PLAIN)
    text = encode(record)
    if len(text) > MAX_LINE_CHARS:
        record = {name: record[name] for name in _CORE if name in record}
        record["truncated"] = ["*"]
        text = encode(record)
    # "replace": a lone surrogate in a payload must not lose the record.
    return f"\n{text}\n".encode("utf-8", "replace")


def _quotes_payload(record: dict[str, Any]) -> bool:
    """Whether a text of the record, beside the command, may repeat something of the payload."""
    for row in record.get("decisions") or ():
        if row.get("reason") or row.get("failure"):
            return True
    return not _OWN.issuperset(record)


def format_date(now: float) -> str:
    """The UTC day of a moment, as in the names of segments."""
    return time.strftime("%Y-%m-%d", time.gmtime(now))
