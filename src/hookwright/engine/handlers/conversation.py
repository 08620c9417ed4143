"""The conversation so far, from the client's transcript, as a model can be sent it.

payload → transcript file → [conversation] → messages (words only)
Reading is lenient: the file belongs to the client, is written behind its back, and may not be there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from hookwright.engine.types import Payload

LARGEST = 400_000  # characters of the latest talk that are sent
READ = 8 << 20  # bytes from the end of the file that are looked at
PART = 4_000  # characters of one tool's input or result


def transcript(payload: Payload) -> str | None:
    """The file that holds it: a subagent has one of its own. Nothing else is taken for one, whatever a payload says."""
    path = payload.get("agent_transcript_path") or payload.get("transcript_path")
    return path if isinstance(path, str) and path.endswith(".jsonl") and os.path.isfile(path) else None


def conversation(payload: Payload) -> list[dict[str, str]]:
    """Roles and words, oldest first; begins with the user, and never twice the same role."""
    path = transcript(payload)
    told: list[dict[str, str]] = []
    left = LARGEST
    for role, words in reversed(list(_said(path)) if path else []):
        left -= len(words)
        if left < 0:
            break
        if told and told[0]["role"] == role:
            told[0]["content"] = f"{words}\n\n{told[0]['content']}"
        else:
            told.insert(0, {"role": role, "content": words})
    return told[1:] if told and told[0]["role"] == "assistant" else told


def _said(path: str) -> Iterator[tuple[str, str]]:
    for line in _lines(path):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        message = entry.get("message") if isinstance(entry, dict) else None
        if isinstance(message, dict) and message.get("role") in ("user", "assistant") and not entry.get("isMeta"):
            words = "\n".join(filter(None, map(_words, _blocks(message.get("content"))))).strip()
            if words:
                yield message["role"], words


def _lines(path: str) -> list[bytes]:
    try:
        with open(path, "rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - READ))
            return file.read(READ).split(b"\n")
    except OSError:
        return []


def _blocks(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or ())


def _words(block: Any) -> str:
    if not isinstance(block, dict):
        return ""
    match block.get("type"):
        case "text":
            return str(block.get("text") or "")
        case "tool_use":
            return f"[calls {block.get('name')}: {json.dumps(block.get('input'), ensure_ascii=False)[:PART]}]"
        case "tool_result":
            inner = "\n".join(map(_words, _blocks(block.get("content"))))
            return f"[{'failed' if block.get('is_error') else 'result'}: {inner[:PART]}]"
    return ""
