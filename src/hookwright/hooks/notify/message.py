"""Write a notification and start the process that sends it.

event → [build_message] → title, body → [start_sender] → send.py, detached; [build_terminal_decision] → decision
The hook does not wait: the sender gets its job through a pipe and outlives the hook process.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from hookwright.hooks.clean_text import first_line, one_line
from hookwright.hooks.terminal_sequence import find_sequence
from hookwright.proc.safe_read import read_head
from hookwright.proc.spawn import start_detached
from hookwright.protocol.decisions import Decision
from hookwright.protocol.json import dumps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookwright.hooks.base import World
    from hookwright.protocol.events.base import Event

_SENDER_CODE = "import sys; sys.path.append(sys.argv[1]); from hookwright.hooks.notify.send import main; main()"
_WAITING = {
    "permission_prompt": "needs your permission",
    "idle_prompt": "is waiting for you",
    "elicitation_dialog": "has a question for you",
    "elicitation_url_dialog": "has a question for you",
    "agent_needs_input": "has a question for you",
}
_BELL = "\x07"


def build_message(event: Event, kind: str, world: World, *, preview: bool, reminders: bool) -> tuple[str, str]:
    """Title and body, each one line of plain text; preview and reminders follow on further lines."""
    get = event.raw.get
    project = one_line(os.path.basename(world.project.rstrip("/")) or "Claude Code", 60)
    lines = []
    if kind == "needs-you":
        lines.append("Claude " + _WAITING.get(str(get("notification_type")), "needs you"))
        said = one_line(str(get("message") or ""), 160)
        if preview and said:
            lines.append(said)
    elif kind == "done":
        lines.append("Claude is done")
    elif kind == "failed":
        lines.append(f"The turn ended with an error: {one_line(str(get('error') or 'unknown'), 80)}")
    else:
        lines.append("The session has ended")
    if preview and kind in ("done", "failed"):
        lines.append(first_line(str(get("last_assistant_message") or ""), 160))
    if reminders and get("notification_type") == "idle_prompt":
        from hookwright.hooks.notify.reminders import find_reminders  # noqa: PLC0415  only with this option

        lines.extend(find_reminders(world.state, event.session_id, world.now))
    return project, "\n".join(line for line in lines if line)


def start_sender(job: Mapping[str, Any]) -> None:
    """Start the sender detached and pass it the job through a pipe."""
    root = os.path.dirname(sys.modules["hookwright"].__path__[0])
    argv = [sys.executable, "-I", "-S", "-c", _SENDER_CODE, root]
    start_detached(argv, dumps(dict(job)).encode("utf-8", "replace"))  # small enough for the pipe buffer


def build_terminal_decision(event: Event, world: World, title: str, body: str, *, bell: bool) -> Decision | None:
    """The escape sequence for this terminal, and a message about a notification that could not be delivered."""
    lost = _take_failure(world) if event.hook_event_name == "Stop" else ""
    sequence = terminal_sequence(world, title, body.partition("\n")[0]) if bell else ""
    can_ring = event.hook_event_name in ("Notification", "Stop", "StopFailure")
    if not (sequence and can_ring) and not lost:
        return None
    return Decision(message=lost, fields={"terminalSequence": sequence} if sequence and can_ring else None)


def terminal_sequence(world: World, title: str, body: str) -> str:
    """The notification sequence of the user's terminal; the bell if it is not known to have one."""
    return find_sequence(world, title, body) or _BELL


def _take_failure(world: World) -> str:
    """The last delivery failure of the sender; reading it removes it."""
    path = f"{world.state}/notify/failed"
    try:
        why = one_line(read_head(path, 1000).decode("utf-8", "replace"), 300)
        os.unlink(path)
    except OSError:
        return ""
    return f"A notification could not be sent: {why}"
