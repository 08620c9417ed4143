"""Events at the end of turns, subagents, tasks and teammates."""

from __future__ import annotations

from hookwright.protocol.events.base import Event
from hookwright.protocol.json_view import field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


_ENDED = ("completed", "failed", "killed", "stopped", "cancelled")


class Stop(Event):
    """The main agent finished a turn."""

    __slots__ = ()
    stop_hook_active: bool = field(default=False)
    last_assistant_message: str | None = field()
    background_tasks: Sequence[Mapping[str, Any]] = field(())
    session_crons: Sequence[Mapping[str, Any]] = field(())

    @property
    def running_tasks(self) -> list[Mapping[str, Any]]:
        """The background tasks that have not ended."""
        tasks = self.background_tasks
        if not isinstance(tasks, (list, tuple)):
            return []
        return [task for task in tasks if isinstance(task, dict) and task.get("status") not in _ENDED]

    def waits_for(self, but_not: Sequence[str] = ()) -> list[Mapping[str, Any]]:
        """The running tasks, except those whose command contains one of these texts."""
        return [
            task
            for task in self.running_tasks
            if not any(word in str(task.get("command") or task.get("description") or "") for word in but_not)
        ]


class StopFailure(Event):
    """A turn ended with an API error."""

    __slots__ = ()
    error: str = field("")
    error_details: str | None = field()
    last_assistant_message: str | None = field()


class SubagentStart(Event):
    """A subagent was started."""

    __slots__ = ()


class SubagentStop(Stop):
    """A subagent finished."""

    __slots__ = ()
    agent_transcript_path: str = field("")


class TeammateIdle(Event):
    """A teammate is about to go idle."""

    __slots__ = ()
    teammate_name: str = field("")
    team_name: str | None = field()


class _Task(Event):
    __slots__ = ()
    task_id: str = field("")
    task_subject: str = field("")
    task_description: str | None = field()
    teammate_name: str | None = field()
    team_name: str | None = field()


class TaskCreated(_Task):
    """A task is being created."""

    __slots__ = ()


class TaskCompleted(_Task):
    """A task is being marked as completed."""

    __slots__ = ()
