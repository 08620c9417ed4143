"""hookwright statusline: a segment for Claude Code's status line: what hookwright did in this session, live.

the client's JSON on stdin → [this] → one line
Reads the journal's end and the session's files, not the ledger: the client runs it after every message. Says at least
its name, whatever it is given, and always succeeds: an error would be shown in the place of the line.
"""

from __future__ import annotations

import os
import sys
import time

MAX_INPUT = 1 << 20
SEPARATOR = " \u00b7 "
SHORT = {"stopped": "stopped", "asked": "asked", "moved": "moved", "answered": "answered", "spared": "prompts spared"}


def run_statusline() -> int:
    from hookwright.cli.output import print_line  # noqa: PLC0415

    print_line(format_segment(_read_input(), os.environ.get, time.time()), wrap=False)
    return 0


def _read_input() -> dict[str, object]:
    """The client's object; an empty one for anything else, and for a person who runs it in a terminal."""
    if sys.stdin is None or sys.stdin.isatty():
        return {}
    import json  # noqa: PLC0415

    try:
        found = json.loads(sys.stdin.buffer.read(MAX_INPUT))
    except (ValueError, OSError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def format_segment(client: dict[str, object], get: object, now: float) -> str:
    """`hookwright · 2 stopped · 1 moved · 3 min not waited · 1 running, 40 s left`."""
    from hookwright.store import paths  # noqa: PLC0415

    session = client.get("session_id")
    state = paths.state_dir(get)  # type: ignore[arg-type]
    if state is None or not isinstance(session, str) or not session:
        return "hookwright"
    from hookwright.store.session_tally import format_duration, read_saved, read_tally  # noqa: PLC0415

    counts, _ = read_tally(state, session, now)
    parts = ["hookwright", *(f"{counts[name]} {word}" for name, word in SHORT.items() if counts[name])]
    saved = read_saved(state, session)
    if saved >= 1:
        parts.append(f"{format_duration(saved)} not waited")
    running = _format_running(state, session, now)
    return SEPARATOR.join([*parts, running] if running else parts)


def _format_running(state: str, session: str, now: float) -> str:
    """Background commands of this session, and when the last of them probably ends."""
    from hookwright.store import background_tasks  # noqa: PLC0415
    from hookwright.store.session_tally import format_duration  # noqa: PLC0415

    if not background_tasks.has_tasks(state, session):
        return ""
    running = [task for task in background_tasks.read_tasks(state, session).values() if task.ended is None]
    if not running:
        return ""
    left = [seconds for task in running if (seconds := task.remaining_seconds(now)) is not None]
    late = sum(task.is_overdue(now) for task in running)
    words = f"{len(running)} running"
    if late:
        return f"{words}, {late} overdue"
    return f"{words}, about {format_duration(max(left))} left" if left else words
