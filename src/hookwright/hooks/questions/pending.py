"""Remember between PreToolUse and PostToolUse who answered a question, and count uses of preferences.

PreToolUse → [save_mark] → <state>/questions/pending → [take_mark] → PostToolUse
A mark belongs to one tool use of one session. One that is never taken (dialog declined, client killed) expires and is
removed by a later question. Hot: one small file.
"""

from __future__ import annotations

import posix

from hookwright.protocol.json import NotJson, dumps, loads
from hookwright.store import cache
from hookwright.store.paths import file_name, make_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEEP_SECONDS = 7 * 86400.0  # a dialog may stay open over a long weekend
_SKEW = 86400.0  # a mark must survive a clock that is set back in the meantime

_APPEND = posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK


def save_mark(state: str | None, session: str, tool_use: str, now: float, mark: dict[str, Any]) -> bool:
    """Store a mark for this tool use; True if it was stored."""
    if state is None or not tool_use:
        return False
    folder = _pending_dir(state)
    kept = cache.write(folder, _mark_key(session, tool_use), dumps(mark), now, KEEP_SECONDS)
    if kept:
        cache.sweep_expired(folder, now)
    return kept


def take_mark(state: str | None, session: str, tool_use: str, now: float) -> dict[str, Any]:
    """Read and remove the mark of this tool use; {} if there is none."""
    if state is None or not tool_use:
        return {}
    folder, key = _pending_dir(state), _mark_key(session, tool_use)
    text = cache.read(folder, key, now) or cache.read(folder, key, now + _SKEW)
    if text is None:
        return {}
    cache.forget(folder, key)
    try:
        mark = loads(text)
    except NotJson:
        return {}
    return mark if isinstance(mark, dict) else {}


def count_uses(state: str | None, preference: str) -> int:
    """How often the preference was used: one appended byte per use, so that concurrent writers lose nothing."""
    try:
        return posix.stat(_uses_file(state or "", preference)).st_size
    except (OSError, ValueError):
        return 0


def record_use(state: str | None, preference: str, most: int) -> bool:
    """Count one more use; False if the preference is used up or the use cannot be counted."""
    if state is None:
        return False
    try:
        if not make_private(state + "/questions/uses"):
            return False
        descriptor = posix.open(_uses_file(state, preference), _APPEND, 0o600)
        try:
            # After an append the offset is the end of our own byte, so no two processes get the same number.
            return posix.write(descriptor, b".") == 1 and posix.lseek(descriptor, 0, 1) <= most
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return False


def forget_uses(state: str | None, preference: str) -> None:
    try:
        posix.unlink(_uses_file(state or "", preference))
    except (OSError, ValueError):
        return


def _pending_dir(state: str) -> str:
    return state + "/questions/pending"


def _mark_key(session: str, tool_use: str) -> str:
    return f"{session}.{tool_use}"


def _uses_file(state: str, preference: str) -> str:
    return f"{state}/questions/uses/{file_name(preference)}"
