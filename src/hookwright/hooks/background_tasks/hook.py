"""Background tasks: an end for background commands. Who is overdue is told, who is polled is said to be notified.

PostToolUse, UserPromptSubmit, Stop, SessionStart → [this hook] → the session's list of tasks | a word to Claude and you
A session without background commands costs one system call per event. Nothing is ever ended here.
"""

from __future__ import annotations

from hookwright.hooks.base import Hook
from hookwright.options import option
from hookwright.store import background_tasks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event


class BackgroundTasks(Hook):
    """Keep track of background commands: overdue ones are told, also those that ended sessions left behind."""

    # Events by name: their classes would load several family modules in every process.
    on = (("PostToolUse",), ("UserPromptSubmit",), ("Stop",), ("SessionStart",))
    overdue: bool = option(
        True,
        help="Tell Claude and you of a background command that runs longer than 99 of 100 of its past runs (or two "
        "hours, if nothing is known of it), and of a server that writes nothing and answers no port.",
    )
    orphans: bool = option(
        True, help="Tell you at the start of a session of commands that ended sessions left running."
    )
    looks: int = option(
        2, help="From this look at a running command's output on, Claude is told once that it is notified; 0: never."
    )

    def decide(self, event: Event) -> Decision | None:
        name = event.hook_event_name
        state, session = self.world.state, event.session_id
        if state is None or not session:
            return None
        raw = event.raw
        if name == "SessionStart":
            return self._tell_orphans(event) if self.orphans and self.world.alone else None
        response = raw.get("tool_response")
        if isinstance(response, dict) and response.get("backgroundTaskId") and raw.get("tool_name") == "Bash":
            if not raw.get("agent_id"):  # a subagent's background commands end with it
                from hookwright.hooks.background_tasks.tracking import record_launch  # noqa: PLC0415  seldom

                record_launch(self.world, event)
            return None
        if not background_tasks.has_tasks(state, session):
            return None
        from hookwright.hooks.background_tasks import tracking  # noqa: PLC0415  only where there are tasks

        running = tracking.update_tasks(self.world, event)
        return tracking.tell_about(self.world, event, running, looks=self.looks, overdue=self.overdue)

    def _tell_orphans(self, event: Any) -> Decision | None:
        from hookwright.hooks.background_tasks.orphans import tell_orphans  # noqa: PLC0415  once a session

        return tell_orphans(self.world, event)
