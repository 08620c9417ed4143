"""Summary: one line for the person, at the end of a turn: what hookwright did in this session.

Stop → [this hook] → systemMessage
Claude Code discards what a hook says when the session ends, so the line comes with the end of a turn: when there is
something new, at most once an hour, and only where somebody sits at the screen. Claude does not see it.
"""

from __future__ import annotations

from hookwright.hooks.base import Hook, is_headless
from hookwright.options import option
from hookwright.protocol.decisions import Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Summary(Hook):
    """Say in one line what hookwright did in this session."""

    # Events by name: their classes would load several family modules in every process.
    on = (("Stop",),)
    every_minutes: int = option(60, help="At most one line in so many minutes of a session.")

    def decide(self, event: Any) -> Decision | None:
        state, session = self.world.state, event.session_id
        if state is None or not session or event.raw.get("stop_hook_active") or is_headless(self.world.env):
            return None
        from hookwright.store import limits, session_tally  # noqa: PLC0415  at the end of a turn only

        counts, grew = session_tally.read_tally(state, session, self.world.now, save=self.world.alone)
        line = session_tally.format_tally(counts, session_tally.read_saved(state, session)) if grew else ""
        if not line:
            return None
        here = limits.scope(state, session)
        if not limits.allow(here, "summary", self.world.now, most=1, per_seconds=self.every_minutes * 60):
            return None
        return Decision(message=f"this session: {line} (hookwright gain)")
