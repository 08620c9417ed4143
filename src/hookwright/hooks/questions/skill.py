"""Find the skill that is active, from the end of the session's transcript.

transcript → [find_current_skill] → the skill's name, or None
Used only for preferences that are bound to a skill. The client writes the transcript with a delay: wait up to a second
for the current call to appear; then the newest line that mentions a skill decides.
"""

from __future__ import annotations

import time

from hookwright.proc.safe_read import read_tail
from hookwright.protocol.json import NotJson, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TAIL = 1 << 18
_PATIENCE_S = 1.0
_COMMAND = ("<command-name>", "</command-name>")


def find_current_skill(transcript: str, tool_use_id: str = "", patience_s: float = _PATIENCE_S) -> str | None:
    for line in reversed(_wait_for_call(transcript, tool_use_id, patience_s)):
        if '"assistant"' not in line and "<command-name>" not in line:
            continue
        try:
            entry = loads(line)
        except NotJson:
            continue
        if not isinstance(entry, dict) or entry.get("isSidechain") is True:
            continue
        if entry.get("type") == "assistant":
            return _skill_in_reply(entry)
        if entry.get("type") == "user":
            command = _parse_command(entry)
            if command:
                return command
    return None


def _wait_for_call(transcript: str, tool_use_id: str, patience_s: float) -> list[str]:
    """The last lines of the transcript, once the call itself is in it or the time is up."""
    deadline = time.monotonic() + patience_s
    while True:
        lines = _read_tail(transcript)
        if not tool_use_id or not lines or time.monotonic() >= deadline:
            return lines
        if any(tool_use_id in line for line in lines):
            return lines
        time.sleep(0.02)


def _skill_in_reply(entry: dict[str, Any]) -> str | None:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    for block in reversed(content) if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_use" and block.get("name") == "Skill":
            given = block.get("input")
            skill = given.get("skill") if isinstance(given, dict) else None
            return skill if isinstance(skill, str) else None
    attributed = entry.get("attributionSkill")
    return attributed if isinstance(attributed, str) else None


def _parse_command(entry: dict[str, Any]) -> str | None:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(content, str) or not all(mark in content for mark in _COMMAND):
        return None
    return content.partition(_COMMAND[0])[2].partition(_COMMAND[1])[0].strip().lstrip("/") or None


def _read_tail(path: str) -> list[str]:
    """The last complete lines of the file."""
    try:
        data, is_whole = read_tail(path, _TAIL)
    except (OSError, TypeError):
        return []
    lines = data.decode("utf-8", "replace").split("\n")
    return lines if is_whole else lines[1:]
