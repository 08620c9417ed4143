"""Summary: one line for the person, at the end of a turn: what hookwright did in this session.

Stop → [this hook] → systemMessage
Claude Code discards what a hook says when the session ends, so the line comes with the end of a turn: when there is
something new, at most once an hour, and only where somebody sits at the screen. Claude does not see it.
"""

from __future__ import annotations

import posix

from hookwright.hooks.base import Hook, is_headless
from hookwright.options import option
from hookwright.protocol.decisions import Decision
from hookwright.store.journal import SEGMENT_BYTES, format_date

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TAIL_BYTES = 128 << 10  # of the journal: about 200 events
_ANSWERED = b'"answer":"'
_FLAGS = posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC | posix.O_NOFOLLOW


class Summary(Hook):
    """Say in one line what hookwright did in this session."""

    # Events by name: their classes would load several family modules in every process.
    on = (("Stop",),)
    every_minutes: int = option(60, help="At most one line in so many minutes of a session.")

    def decide(self, event: Any) -> Decision | None:
        state, session = self.world.state, event.session_id
        if state is None or not session or event.raw.get("stop_hook_active") or is_headless(self.world.env):
            return None
        if not _has_answers(state, session, self.world.now):
            return None
        from hookwright.store import limits, session_tally  # noqa: PLC0415  only where there is something to say

        counts, grew = session_tally.read_tally(state, session, self.world.now, save=self.world.alone)
        line = session_tally.format_tally(counts, session_tally.read_saved(state, session)) if grew else ""
        if not line:
            return None
        here = limits.scope(state, session)
        if not limits.allow(here, "summary", self.world.now, most=1, per_seconds=self.every_minutes * 60):
            return None
        return Decision(message=f"this session: {line} (hookwright gain)")


def _has_answers(state: str, session: str, now: float) -> bool:
    """Whether an event of this session was answered lately; most turns end here, for the price of one read."""
    try:
        descriptor = posix.open(f"{state}/journal/{format_date(now)}.jsonl", _FLAGS)
    except (OSError, ValueError):
        return False
    try:
        size = posix.lseek(descriptor, 0, 2)
        data = posix.pread(descriptor, TAIL_BYTES, max(0, size - TAIL_BYTES))
    except OSError:
        return False
    finally:
        posix.close(descriptor)
    if size >= SEGMENT_BYTES:
        return True  # the day goes on in another file
    mark = session.encode("utf-8", "replace")
    if _ANSWERED not in data or mark not in data:
        return False
    return any(_ANSWERED in line and mark in line for line in data.split(b"\n"))
