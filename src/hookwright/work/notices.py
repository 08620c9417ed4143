"""The words of a notification, and the start of the process that sends it.

event → [worded] → title, body → [start_sender] → work/send.py, in a session of its own; [for_the_terminal] → decision
Whoever decides does not wait: the job goes through a pipe, and the sender outlives us.
"""

from __future__ import annotations

import os
import posix
import sys
from typing import TYPE_CHECKING, Any

from hookwright.protocol.decisions import Decision
from hookwright.protocol.json import dumps
from hookwright.work.words import first_line, one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookwright.protocol.events.base import Event
    from hookwright.work.around import World

_BOOT = "import sys; sys.path.append(sys.argv[1]); from hookwright.work.send import main; main()"
_WAITING = {
    "permission_prompt": "needs your permission",
    "idle_prompt": "is waiting for you",
    "elicitation_dialog": "has a question for you",
    "elicitation_url_dialog": "has a question for you",
    "agent_needs_input": "has a question for you",
}
_BELL = "\x07"


def worded(event: Event, kind: str, world: World, *, preview: bool, reminders: bool) -> tuple[str, str]:
    """Title and body, each one line of plain characters; reminders follow in lines of their own."""
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
        from hookwright.work.reminders import reminders_of  # noqa: PLC0415  for those who want them

        lines.extend(reminders_of(world.state, event.session_id, world.now))
    return project, "\n".join(line for line in lines if line)


def start_sender(job: Mapping[str, Any]) -> None:
    """Start the sender, hand it the job, and forget it."""
    read_end, write_end = posix.pipe()
    root = os.path.dirname(sys.modules["hookwright"].__path__[0])
    argv = [sys.executable, "-I", "-S", "-c", _BOOT, root]
    nowhere = os.devnull
    actions = [
        (posix.POSIX_SPAWN_DUP2, read_end, 0),
        (posix.POSIX_SPAWN_OPEN, 1, nowhere, os.O_WRONLY, 0),
        (posix.POSIX_SPAWN_OPEN, 2, nowhere, os.O_WRONLY, 0),
    ]
    try:
        try:
            posix.posix_spawn(argv[0], argv, posix.environ, file_actions=actions, setsid=True)
        except NotImplementedError:  # a C library without it: its own group keeps it from our signals at least
            posix.posix_spawn(argv[0], argv, posix.environ, file_actions=actions, setpgroup=0)
        posix.write(write_end, dumps(dict(job)).encode("utf-8", "replace"))  # far below what a pipe holds
    finally:
        posix.close(read_end)
        posix.close(write_end)


def for_the_terminal(event: Event, world: World, title: str, body: str, *, bell: bool) -> Decision | None:
    """The escape sequence by which this terminal shows notifications, and a word about a message that got lost."""
    lost = _lost(world) if event.hook_event_name == "Stop" else ""
    sequence = terminal_sequence(world, title, body.partition("\n")[0]) if bell else ""
    can_ring = event.hook_event_name in ("Notification", "Stop", "StopFailure")
    if not (sequence and can_ring) and not lost:
        return None
    return Decision(message=lost, fields={"terminalSequence": sequence} if sequence and can_ring else None)


def terminal_sequence(world: World, title: str, body: str) -> str:
    """What the user's terminal understands; the bell, where it is not known."""
    env = world.env
    program, term = env("TERM_PROGRAM") or "", env("TERM") or ""
    words = f"{title}: {body}".replace(";", ",")
    if env("KITTY_WINDOW_ID") or "kitty" in term:
        return f"\x1b]99;;{words}\x1b\\"
    if program in ("iTerm.app", "WezTerm", "ghostty"):
        return f"\x1b]9;{words}\x07"
    if term.startswith(("rxvt", "foot")):
        return f"\x1b]777;notify;{title.replace(';', ',')};{body.replace(';', ',')}\x07"
    return _BELL


def _lost(world: World) -> str:
    """What the sender could not deliver, told once."""
    path = f"{world.state}/notify/failed"
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            why = one_line(file.read(1000), 300)
        os.unlink(path)
    except OSError:
        return ""
    return f"A notification could not be sent: {why}"
