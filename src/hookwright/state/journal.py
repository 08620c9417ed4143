"""The journal: one line per event, written after the answer and never in its way.

answer sent → record → [this] → <state>/journal/2026-11-15.jsonl → (lazily) the store
What was acknowledged survives a kill at any moment, secrets are masked, and nothing here ever raises.
Hot: one open, one fstat, one write; sweeping old segments happens when a segment is born.
"""

from __future__ import annotations

import posix
import time

from hookwright.state.paths import make_private
from hookwright.state.redact import mask

TYPE_CHECKING = False  # the door must not import typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

FORM = 1  # of the record; readers accept what they know and ignore other fields

KEEP_DAYS = 30
KEEP_BYTES = 256 << 20  # all segments together
SEGMENT_BYTES = 32 << 20  # then the next number of that day: the name is chosen, nothing is renamed
LIMITS = (KEEP_DAYS, KEEP_BYTES, SEGMENT_BYTES)
MOST_SEGMENTS = 64  # a day; after that the last one grows

LINE_CHARS = 16 << 10
TEXT_CHARS = 4 << 10
ITEMS = 64
SHORT = 8  # characters: a word like "rewrite" holds no secret

FAILURES = ".failures"  # one byte for each record that could not be written

_FLAGS = posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NOFOLLOW
# Our own ids and words: nothing to mask, nothing to cut.
_PLAIN = frozenset(
    (
        *("v", "id", "time", "event", "session_id", "prompt_id", "tool_use_id", "agent_id", "tool", "version", "us"),
        *("project", "hook", "verdict", "mode", "outcome", "task_id"),
    )
)
# What remains of a record that is too long even with its texts cut.
_CORE = ("v", "id", "time", "event", "session_id", "tool_use_id", "agent_id", "project", "tool", "key", "version")


def append(
    state: str | None,
    now: float,
    record: dict[str, Any],
    encode: Callable[[Any], str],
    limits: tuple[int, int, int] = LIMITS,
) -> bool:
    """Write one record; True when it is safely in the file. Gives it `v`, `id` and `time` if it has none."""
    if state is None:
        return False
    folder = state + "/journal"
    try:
        line = line_of(record, now, encode)
        descriptor, size = _open(folder, now, limits[2])
        try:
            # One write. The newline in front keeps a record torn by a kill from swallowing this one.
            whole = posix.write(descriptor, line) == len(line)
        finally:
            posix.close(descriptor)
        if size == 0:
            from hookwright.state.segments import sweep  # noqa: PLC0415  once a day
            from hookwright.state.sessions import sweep_sessions  # noqa: PLC0415

            sweep(folder, date_of(now - limits[0] * 86400), limits[1])
            sweep_sessions(state, now)
    except Exception:  # noqa: BLE001  a record is worth less than the user's tool call
        whole = False
    if not whole:
        _count_failure(folder)
    return whole


def new_id(now: float) -> str:
    """An id that sorts by time: 48 bits of milliseconds, 80 bits of chance."""
    return f"{int(now * 1000) & 0xFFFF_FFFF_FFFF:012x}{posix.urandom(10).hex()}"


def first_id(now: float) -> str:  # rare
    """What sorts before every id of that moment and after every earlier one."""
    return f"{max(0, int(now * 1000)) & 0xFFFF_FFFF_FFFF:012x}"


def _open(folder: str, now: float, segment_bytes: int) -> tuple[int, int]:
    """The first segment of the day that has room, and how much is in it."""
    day = f"{folder}/{date_of(now)}"
    for number in range(MOST_SEGMENTS):
        path = f"{day}.{number}.jsonl" if number else f"{day}.jsonl"
        try:
            descriptor = posix.open(path, _FLAGS, 0o600)
        except FileNotFoundError:
            make_private(folder)
            descriptor = posix.open(path, _FLAGS, 0o600)
        size = posix.fstat(descriptor).st_size
        if size < segment_bytes or number == MOST_SEGMENTS - 1:
            return descriptor, size
        posix.close(descriptor)
    raise OSError


def line_of(record: dict[str, Any], now: float, encode: Callable[[Any], str]) -> bytes:
    """The bytes of a record: masked, bounded, between two newlines."""
    record.setdefault("v", FORM)
    record.setdefault("id", new_id(now))
    record.setdefault("time", round(now, 3))
    cut: list[str] = []
    masked: list[str] = []
    record = {name: value if name in _PLAIN else _clean(value, name, cut, masked) for name, value in record.items()}
    if cut:
        record["truncated"] = sorted(set(cut))
    if masked:
        record["masked"] = sorted(set(masked))
    text = encode(record)
    if len(text) > LINE_CHARS:
        record = {name: record[name] for name in _CORE if name in record}
        record["truncated"] = ["*"]
        text = encode(record)
    # A lone surrogate from a strange payload must not cost the record.
    return f"\n{text}\n".encode("utf-8", "replace")


def _clean(value: Any, name: str, cut: list[str], masked: list[str]) -> Any:
    """The value without secrets and of bounded size; the lists collect which fields lost something."""
    if isinstance(value, str):
        if len(value) < SHORT:
            return value
        # A little more than will be kept, so that a secret at the border is seen whole.
        text, kinds = mask(value[: TEXT_CHARS + 512])
        masked += [f"{name}:{kind}" for kind in kinds]
        if len(value) > TEXT_CHARS:
            cut.append(name)
            return text[:TEXT_CHARS] + "…"
        return text
    if isinstance(value, dict):
        return {key: item if key in _PLAIN else _clean(item, name, cut, masked) for key, item in value.items()}
    if isinstance(value, list | tuple):
        if len(value) > ITEMS:
            cut.append(name)
        return [_clean(item, name, cut, masked) for item in value[:ITEMS]]
    return value


def date_of(now: float) -> str:
    """The day of a moment, as segments are named."""
    return time.strftime("%Y-%m-%d", time.gmtime(now))


def _count_failure(folder: str) -> None:  # rare
    try:
        descriptor = posix.open(f"{folder}/{FAILURES}", _FLAGS, 0o600)
        try:
            posix.write(descriptor, b".")
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return
