"""What must be remembered between asking and answering: who answered, since when, and how often.

PreToolUse → [leave] → <state>/questions/pending → [take] → PostToolUse
A mark belongs to one tool use of one session. One that nobody took (a declined dialog, a killed client) expires
and is swept by the next question. Hot: one small file.
"""

from __future__ import annotations

import posix

from hookwright.protocol.json import NotJson, dumps, loads
from hookwright.state import cache
from hookwright.state.paths import file_name, make_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEEP_SECONDS = 7 * 86400.0  # a dialog may stand open over a long weekend
_SKEW = 86400.0  # a clock that was set back meanwhile must not lose the mark

_APPEND = posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW


def leave(state: str | None, session: str, tool_use: str, now: float, mark: dict[str, Any]) -> bool:
    """Remember this about the tool use; True when `take` will find it."""
    if state is None or not tool_use:
        return False
    folder = _pending(state)
    kept = cache.write(folder, _key(session, tool_use), dumps(mark), now, KEEP_SECONDS)
    if kept:
        cache.sweep(folder, now)
    return kept


def take(state: str | None, session: str, tool_use: str, now: float) -> dict[str, Any]:
    """What was left about the tool use, once; {} when there is nothing."""
    if state is None or not tool_use:
        return {}
    folder, key = _pending(state), _key(session, tool_use)
    text = cache.read(folder, key, now) or cache.read(folder, key, now + _SKEW)
    if text is None:
        return {}
    cache.forget(folder, key)
    try:
        mark = loads(text)
    except NotJson:
        return {}
    return mark if isinstance(mark, dict) else {}


def used(state: str | None, preference: str) -> int:
    """How often the preference has answered: one byte a time, so that no writer can lose another's."""
    try:
        return posix.stat(_uses(state or "", preference)).st_size
    except (OSError, ValueError):
        return 0


def use(state: str | None, preference: str, most: int) -> bool:
    """Count one more time; False when it is used up or cannot be counted."""
    if state is None:
        return False
    try:
        if not make_private(state + "/questions/uses"):
            return False
        descriptor = posix.open(_uses(state, preference), _APPEND, 0o600)
        try:
            # After an append the position is the end of our own byte: two processes never get the same number.
            return posix.write(descriptor, b".") == 1 and posix.lseek(descriptor, 0, 1) <= most
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return False


def forget_uses(state: str | None, preference: str) -> None:
    try:
        posix.unlink(_uses(state or "", preference))
    except (OSError, ValueError):
        return


def _pending(state: str) -> str:
    return state + "/questions/pending"


def _key(session: str, tool_use: str) -> str:
    return f"{session}.{tool_use}"


def _uses(state: str, preference: str) -> str:
    return f"{state}/questions/uses/{file_name(preference)}"
