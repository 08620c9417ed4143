"""Follow the background commands of a session, and say what is worth saying about them, once each.

hook → [record_launch, update_tasks] → store/background_tasks → [tell_about] → Decision
Loaded only when a background command is launched, and in sessions that have one.
"""

from __future__ import annotations

import posix

from hookwright.protocol.decisions import Decision
from hookwright.store import background_tasks as store
from hookwright.store.background_tasks import END, LOOK, TOLD
from hookwright.store.paths import project_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.hooks.base import World
    from hookwright.protocol.events.base import Event
    from hookwright.store.background_tasks import Task

SILENT_S = 60.0  # so long a server may take to open its port
_TASK_FIELDS = ("task_id", "bash_id", "shell_id")  # of tools that read or stop a task, in versions of the client
_STOPS = ("TaskStop", "KillShell", "KillBash")


def record_launch(world: World, event: Event) -> None:
    """Add a command to the session's tasks, with what is known of its duration."""
    raw = event.raw
    tool = raw.get("tool_input")
    command = tool.get("command") if isinstance(tool, dict) else None
    task = raw["tool_response"]["backgroundTaskId"]
    if not isinstance(command, str) or not isinstance(task, str):
        return
    from hookwright.proc.task_processes import read_stat  # noqa: PLC0415
    from hookwright.shell.duration import find_longest_in_text, never_ends  # noqa: PLC0415
    from hookwright.store.durations_lookup import estimate_command  # noqa: PLC0415
    from hookwright.store.redact import mask  # noqa: PLC0415

    state = world.state or ""
    key, serves, past = estimate_command(project_dir(state, world.project), command, 60)
    _, found = find_longest_in_text(command, event.cwd or ".", world.home or "")
    endless = serves or (found is not None and never_ends(found.work, found.evidence))
    pid = world.env("CLAUDE_PID") or ""
    client = int(pid) if pid.isdecimal() else 0
    stat = read_stat(client) if client else None
    spent = raw.get("duration_ms")
    store.add_start(
        state,
        event.session_id,
        task,
        world.now - (spent / 1000 if isinstance(spent, (int, float)) and spent > 0 else 0.0),
        project=world.project,
        command=" ".join(mask(command)[0].split()),
        key=key,
        past=past,
        endless=endless,
        serves=serves or (found is not None and found.work == "server"),
        client=client,
        client_started=stat[1] if stat else 0,
    )


def update_tasks(world: World, event: Event) -> list[Task]:
    """Record ends and looks that this event tells of; returns the tasks that still run."""
    state, session, now = world.state or "", event.session_id, world.now
    tasks = store.read_tasks(state, session)
    name, raw = event.hook_event_name, event.raw
    if name == "UserPromptSubmit":
        from hookwright.protocol.tool_outcome import read_task_notice  # noqa: PLC0415

        notice = read_task_notice(raw.get("prompt"))
        _end_task(world, event, tasks.get(str(notice.get("task_id"))), str(notice.get("task_status") or ""))
    elif name == "Stop":
        listed = raw.get("background_tasks")
        if isinstance(listed, list):
            running = {str(row.get("id")) for row in listed if isinstance(row, dict)}
            for task in tasks.values():
                if task.id not in running and now - task.started > 1:
                    _end_task(world, event, task, "not listed")
    elif name == "PostToolUse":
        found = find_named_task(raw, tasks)
        if found is not None and raw.get("tool_name") in _STOPS:
            _end_task(world, event, found, "stopped")
        elif found is not None and found.ended is None:
            found.looks += 1
            world.facts["polled"] = found.id
            store.add_mark(state, session, LOOK, found.id, now)
    return [task for task in tasks.values() if task.ended is None]


def _end_task(world: World, event: Event, task: Task | None, outcome: str) -> None:
    if task is not None and task.ended is None:
        task.ended = world.now
        store.add_mark(world.state or "", event.session_id, END, task.id, world.now, outcome)


def find_named_task(raw: Any, tasks: dict[str, Task]) -> Task | None:
    """The task whose output a tool call reads, or which it stops."""
    tool = raw.get("tool_input")
    if not isinstance(tool, dict):
        return None
    for field in _TASK_FIELDS:
        if tool.get(field) in tasks:
            return tasks[tool[field]]
    text = tool.get("file_path") or tool.get("command")
    if not isinstance(text, str) or ".output" not in text:
        return None
    return next((task for task in tasks.values() if f"/tasks/{task.id}.output" in text), None)


def tell_about(world: World, event: Event, running: list[Task], *, looks: int, overdue: bool) -> Decision | None:
    """What Claude and the person should know now; None if there is nothing new."""
    to_claude: list[str] = []
    to_person: list[str] = []
    for task in running:
        if looks and task.looks >= looks and "looks" not in task.told and world.facts.get("polled") == task.id:
            _mark_told(world, event, task, "looks")
            to_claude.append(
                f"Background command {task.id} still runs{_format_expectation(world, task)}. You are notified when it "
                "ends; do not read its output again and again: go on with other work, or end your turn."
            )
        late = _find_lateness(world, event, task) if overdue and not {"claude", "person"} <= task.told else ""
        if late and "person" not in task.told:
            _mark_told(world, event, task, "person")
            to_person.append(f"background command `{task.command[:60]}` {late} (hookwright background)")
        # Context at the end of a turn would keep Claude going: it is told with the next event.
        if late and "claude" not in task.told and event.hook_event_name != "Stop":
            _mark_told(world, event, task, "claude")
            to_claude.append(
                f"Background command {task.id} (`{task.command[:80]}`) {late}. It may hang: look at its output once, "
                "and stop it if it does."
            )
    if not to_claude and not to_person:
        return None
    return Decision(context="\n".join(to_claude), message="; ".join(to_person))


def _mark_told(world: World, event: Event, task: Task, what: str) -> None:
    task.told.add(what)
    store.add_mark(world.state or "", event.session_id, TOLD, task.id, world.now, what)


def _find_lateness(world: World, event: Event, task: Task) -> str:
    """Why this task should have ended or answered by now; "" if it need not."""
    spent = world.now - task.started
    if task.is_overdue(world.now):
        if not task.runs:
            return f"runs for {_format_time(spent)}, and nothing is known of its duration"
        return (
            f"runs for {_format_time(spent)}, usually {_format_time(task.median_s)}; 99 of 100 runs end within "
            f"{_format_time(task.late_seconds)}"
        )
    if not task.serves or spent < SILENT_S or not world.alone:
        return ""
    if "silent" not in task.told:
        if "heard" in task.told:
            return ""
        silent = _is_silent(task)  # once: it is a walk over all processes
        _mark_told(world, event, task, "silent" if silent else "heard")
        if not silent:
            return ""
    return f"should serve, but after {_format_time(spent)} it has written nothing and listens on no port"


def _is_silent(task: Task) -> bool:
    """Whether it runs, has written nothing, and listens on no port."""
    from hookwright.proc.task_processes import find_processes, list_ports  # noqa: PLC0415

    process = find_processes({(task.session, task.id)}).get((task.session, task.id))
    try:
        return process is not None and posix.stat(process.output).st_size == 0 and not list_ports(process)
    except OSError:
        return False


def _format_expectation(world: World, task: Task) -> str:
    if not task.runs or task.endless:
        return ""
    return f" ({_format_time(world.now - task.started)} so far, usually {_format_time(task.median_s)})"


def _format_time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
