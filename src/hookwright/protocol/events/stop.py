"""Events at the end of work: turns, subagents, tasks, teammates."""

from __future__ import annotations

from hookwright.protocol.events.base import Event
from hookwright.protocol.fields import field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class Stop(Event):
    """The main agent finished a turn."""

    __slots__ = ()
    stop_hook_active: bool = field(default=False)
    last_assistant_message: str | None = field()
    background_tasks: Sequence[Mapping[str, Any]] = field(())
    session_crons: Sequence[Mapping[str, Any]] = field(())


class StopFailure(Event):
    """A turn ended with an error of the API."""

    __slots__ = ()
    error: str = field("")
    error_details: str | None = field()
    last_assistant_message: str | None = field()


class SubagentStart(Event):
    """A subagent was spawned."""

    __slots__ = ()


class SubagentStop(Event):
    """A subagent finished."""

    __slots__ = ()
    stop_hook_active: bool = field(default=False)
    agent_transcript_path: str = field("")
    last_assistant_message: str | None = field()
    background_tasks: Sequence[Mapping[str, Any]] = field(())
    session_crons: Sequence[Mapping[str, Any]] = field(())


class TeammateIdle(Event):
    """A teammate is about to have nothing to do."""

    __slots__ = ()
    teammate_name: str = field("")
    team_name: str | None = field()


class TaskCreated(Event):
    """A task is being created."""

    __slots__ = ()
    task_id: str = field("")
    task_subject: str = field("")
    task_description: str | None = field()
    teammate_name: str | None = field()
    team_name: str | None = field()


class TaskCompleted(Event):
    """A task is being marked as completed."""

    __slots__ = ()
    task_id: str = field("")
    task_subject: str = field("")
    task_description: str | None = field()
    teammate_name: str | None = field()
    team_name: str | None = field()
