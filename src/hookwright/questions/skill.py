"""Which skill is at work, from the tail of the session's transcript.

transcript → [current] → the skill's name, or None
Cold: asked only when a preference is bound to a skill. The transcript is written a moment late: the call that asks is
waited for, a second at most; then the newest line that says anything about a skill decides.
"""

from __future__ import annotations

import posix
import time

from hookwright.protocol.json import NotJson, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TAIL = 1 << 18
_PATIENCE_S = 1.0
_COMMAND = ("<command-name>", "</command-name>")


def current(transcript: str, tool_use_id: str = "", patience_s: float = _PATIENCE_S) -> str | None:
    for line in reversed(_caught_up(transcript, tool_use_id, patience_s)):
        if '"assistant"' not in line and "<command-name>" not in line:
            continue
        try:
            entry = loads(line)
        except NotJson:
            continue
        if not isinstance(entry, dict) or entry.get("isSidechain") is True:
            continue
        if entry.get("type") == "assistant":
            return _of_assistant(entry)
        if entry.get("type") == "user":
            command = _command(entry)
            if command:
                return command
    return None


def _caught_up(transcript: str, tool_use_id: str, patience_s: float) -> list[str]:
    """The transcript's tail, with the call itself in it unless that takes too long."""
    deadline = time.monotonic() + patience_s
    while True:
        lines = _tail(transcript)
        if not tool_use_id or not lines or time.monotonic() >= deadline:
            return lines
        if any(tool_use_id in line for line in lines):
            return lines
        time.sleep(0.02)


def _of_assistant(entry: dict[str, Any]) -> str | None:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    for block in reversed(content) if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_use" and block.get("name") == "Skill":
            given = block.get("input")
            skill = given.get("skill") if isinstance(given, dict) else None
            return skill if isinstance(skill, str) else None
    attributed = entry.get("attributionSkill")
    return attributed if isinstance(attributed, str) else None


def _command(entry: dict[str, Any]) -> str | None:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, str) or not all(mark in content for mark in _COMMAND):
        return None
    return content.partition(_COMMAND[0])[2].partition(_COMMAND[1])[0].strip().lstrip("/") or None


def _tail(path: str) -> list[str]:
    """The last whole lines of the file."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            size = posix.fstat(descriptor).st_size
            data = posix.pread(descriptor, _TAIL, max(0, size - _TAIL))
        finally:
            posix.close(descriptor)
    except (OSError, ValueError, TypeError):
        return []
    lines = data.decode("utf-8", "replace").split("\n")
    return lines if size <= _TAIL else lines[1:]
