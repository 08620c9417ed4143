"""Report a failure of the hook process itself, or a payload that it cannot decode: in the journal and to the user.

main → [failure_message | answer_unreadable, record_failure] → stdout, journal
"""

from __future__ import annotations

import sys

from hookwright.protocol.json import dumps
from hookwright.runtime.config_notice import claim_notice
from hookwright.store.journal import append
from hookwright.store.redact import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.base import World


def failure_message(problem: str, state: str | None) -> bytes:
    """The answer of a failed hook process: a message the first time, nothing later."""
    if not claim_notice(state, problem):
        return b""
    text = f"[hookwright] failed and decided nothing for this event: {problem}. Try: hookwright verify"
    return dumps({"systemMessage": text}).encode("utf-8", "backslashreplace") + b"\n"


def answer_unreadable(payload: bytes, problem: str, state: str | None) -> bytes:
    """The answer to a payload that could not be decoded: a question before a tool runs, else a message, once.

    Empty input names no event and asks for nothing, so it gets no answer.
    """
    if not payload.strip():
        return b""
    if find_event(payload) == b"PreToolUse":
        text = f"[hookwright] could not read this call ({problem}), so nothing has judged it: you decide"
        specific = {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": text}
        return dumps({"hookSpecificOutput": specific}).encode() + b"\n"
    if not claim_notice(state, problem):
        return b""
    return dumps({"systemMessage": f"[hookwright] could not read an event: {problem}"}).encode() + b"\n"


def find_event(payload: bytes) -> bytes:
    """The value of the first `hook_event_name` in bytes that are no JSON; b"" if there is none."""
    _, key, rest = payload.partition(b'"hook_event_name"')
    colon, _, rest = rest.partition(b'"')
    return rest.partition(b'"')[0] if key and colon.strip() == b":" else b""


def record_failure(world: World, problem: str) -> None:
    append(world.state, world.now, {"event": None, "problem": problem}, dumps)
    if world.env("AGENT_OS_DEBUG") in ("1", "true"):
        sys.stderr.write(f"hookwright: {mask(problem)[0]}\n")
        sys.stderr.flush()
