"""Read the conversation so far from the client's transcript, as messages for a model.

payload → transcript file → [read_conversation] → messages (text only)
Tolerant: the file belongs to the client, may be written to at the same time, and may not exist.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from hookwright.engine.types import Payload
from hookwright.proc.safe_read import read_tail

MAX_LENGTH = 400_000  # characters; older messages are dropped
TAIL_BYTES = 8 << 20  # read from the end of the file
MAX_TOOL_LENGTH = 4_000  # characters of one tool's input or result


def find_transcript(payload: Payload) -> str | None:
    """The transcript file; a subagent has its own. Only an existing .jsonl file is accepted."""
    path = payload.get("agent_transcript_path") or payload.get("transcript_path")
    return path if isinstance(path, str) and path.endswith(".jsonl") and os.path.isfile(path) else None


def read_conversation(payload: Payload) -> list[dict[str, str]]:
    """Messages, oldest first: the first is the user's, and roles alternate."""
    path = find_transcript(payload)
    messages: list[dict[str, str]] = []
    left = MAX_LENGTH
    for role, text in reversed(list(_iter_messages(path)) if path else []):
        left -= len(text)
        if left < 0:
            break
        if messages and messages[0]["role"] == role:
            messages[0]["content"] = f"{text}\n\n{messages[0]['content']}"
        else:
            messages.insert(0, {"role": role, "content": text})
    return messages[1:] if messages and messages[0]["role"] == "assistant" else messages


def _iter_messages(path: str) -> Iterator[tuple[str, str]]:
    for line in _read_tail(path):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        message = entry.get("message") if isinstance(entry, dict) else None
        if isinstance(message, dict) and message.get("role") in ("user", "assistant") and not entry.get("isMeta"):
            text = "\n".join(filter(None, map(_format_block, _content_blocks(message.get("content"))))).strip()
            if text:
                yield message["role"], text


def _read_tail(path: str) -> list[bytes]:
    try:
        return read_tail(path, TAIL_BYTES)[0].split(b"\n")
    except OSError:
        return []


def _content_blocks(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or ())


def _format_block(block: Any) -> str:
    if not isinstance(block, dict):
        return ""
    match block.get("type"):
        case "text":
            return str(block.get("text") or "")
        case "tool_use":
            return (
                f"[calls {block.get('name')}: {json.dumps(block.get('input'), ensure_ascii=False)[:MAX_TOOL_LENGTH]}]"
            )
        case "tool_result":
            inner = "\n".join(map(_format_block, _content_blocks(block.get("content"))))
            return f"[{'failed' if block.get('is_error') else 'result'}: {inner[:MAX_TOOL_LENGTH]}]"
    return ""
