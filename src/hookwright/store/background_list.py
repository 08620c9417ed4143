"""The background commands as people see them: what runs, how much longer, what was left behind; and ending one.

store/background_tasks + proc/task_processes → [describe_tasks, end_task] → `hookwright background`, status, page
The states: running; orphan (its session has ended); ended; gone (no process writes to its output any more, but nobody
saw its end); unknown (where processes cannot be looked up).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookwright.proc.task_processes import end_group, find_processes, is_alive, list_ports, read_stat
from hookwright.store.background_tasks import END, add_mark, list_tasks

if TYPE_CHECKING:
    from hookwright.proc.task_processes import TaskProcess
    from hookwright.store.background_tasks import Task


class CannotEnd(Exception):
    """A background command that cannot be ended; the text says why."""


def describe_tasks(state: str, now: float, *, ended: bool = False) -> list[dict[str, Any]]:
    """Every background command that runs, oldest first; with `ended` the others too."""
    tasks = list_tasks(state)
    processes = find_processes({(task.session, task.id) for task in tasks if task.ended is None})
    rows = [_describe(task, processes.get((task.session, task.id)), now) for task in tasks]
    return [row for row in rows if ended or row["state"] not in ("ended", "gone")]


def _describe(task: Task, process: TaskProcess | None, now: float) -> dict[str, Any]:
    word = _find_state(task, process)
    runs = word in ("running", "orphan", "unknown")
    late = task.late_seconds
    return {
        "id": task.id,
        "session_id": task.session,
        "project": task.project,
        "command": task.command,
        "key": task.key,
        "started": task.started,
        "seconds": round((task.ended if task.ended is not None else now) - task.started, 1),
        "state": word,
        "outcome": task.outcome or None,
        "endless": task.endless,
        "expected": (
            {"n": task.runs, "median_s": task.median_s, "p90_s": task.p90_s, "p99_s": round(late, 1)}
            if task.runs and not task.endless
            else None
        ),
        "remaining_s": _round(task.remaining_seconds(now)) if runs else None,
        "overdue": runs and task.is_overdue(now),
        "polls": task.looks,
        "pid": process.pid if process else None,
        "ports": list_ports(process) if process else [],
    }


def _round(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)


def _find_state(task: Task, process: TaskProcess | None) -> str:
    if task.ended is not None:
        return "ended"
    if process is None:
        return "gone" if _can_look_up() else "unknown"
    return "orphan" if is_alive(task.client, task.client_started) is False else "running"


def _can_look_up() -> bool:
    return read_stat(1) is not None


def end_task(state: str, name: str, now: float) -> dict[str, Any]:
    """End one background command by its id; its row, or CannotEnd."""
    found = [task for task in list_tasks(state) if task.id == name]
    if not found:
        raise CannotEnd(f"no background command is called {name!r}")
    running = [task for task in found if task.ended is None]
    if not running:
        raise CannotEnd(f"{name} has ended already")
    if not _can_look_up():
        raise CannotEnd(
            f"{name} cannot be ended from here: this system does not say which process writes to its output"
        )
    processes = find_processes({(task.session, task.id) for task in running})
    for task in running:
        process = processes.get((task.session, task.id))
        if process is None:
            continue
        row = _describe(task, process, now)
        if not end_group(process):
            raise CannotEnd(f"{name} could not be ended: process group {process.group} is still there, or has changed")
        add_mark(state, task.session, END, task.id, now, "ended by you")
        return {**row, "state": "ended"}
    raise CannotEnd(f"{name} does not run: no process writes to its output any more")
