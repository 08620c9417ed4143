"""Background commands whose session has ended, but which still run.

store/background_tasks, proc/task_processes → [find_orphans] → SessionStart, `hookwright background`
A session has ended when the client process that launched the command is gone. Linux only: elsewhere nothing is found.
"""

from __future__ import annotations

from hookwright.proc.task_processes import TaskProcess, find_processes, is_alive
from hookwright.store.background_tasks import Task, list_running


def find_orphans(state: str | None, but_not: str = "") -> list[tuple[Task, TaskProcess]]:
    """Tasks that still run though their client does not; `but_not` is a session to leave out."""
    left = [
        task
        for task in list_running(state)
        if task.session != but_not and is_alive(task.client, task.client_started) is False
    ]
    if not left:
        return []
    processes = find_processes({(task.session, task.id) for task in left})
    return [(task, processes[task.session, task.id]) for task in left if (task.session, task.id) in processes]
