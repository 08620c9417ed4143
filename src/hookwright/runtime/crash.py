"""Report a failure of the hook process itself: a line in the journal, and one message to the user.

main → [failure_message, record_failure] → stdout, journal
"""

from __future__ import annotations

import sys

from hookwright.protocol.json import dumps
from hookwright.runtime.config_notice import claim_notice
from hookwright.store.journal import append

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.base import World


def failure_message(problem: str, state: str | None) -> bytes:
    """The answer of a failed hook process: a message the first time, nothing later."""
    if not claim_notice(state, problem):
        return b""
    text = f"[hookwright] failed and decided nothing for this event: {problem}. Try: hookwright verify"
    return dumps({"systemMessage": text}).encode("utf-8", "backslashreplace") + b"\n"


def record_failure(world: World, problem: str) -> None:
    append(world.state, world.now, {"event": None, "problem": problem}, dumps)
    if world.env("AGENT_OS_DEBUG") in ("1", "true"):
        sys.stderr.write(f"hookwright: {problem}\n")
        sys.stderr.flush()
