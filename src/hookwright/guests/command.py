"""A command as a hook: started as Claude Code would start it, and its output read as Claude Code would read it.

row → [run] → process → exit code, stdout, stderr → decision, failure
The payload that it reads is the one that the hooks before it left. What it says is merged with what they said.
"""

from __future__ import annotations

import posix

from hookwright.guests import process
from hookwright.protocol.decisions import Decision
from hookwright.protocol.json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.base import World
    from hookwright.protocol.events.base import Event
    from hookwright.protocol.output import Reading

PROJECT = "CLAUDE_PROJECT_DIR"


def run(row: Mapping[str, Any], event: Event, world: World) -> tuple[Decision | None, str]:
    payload = dumps(event.raw).encode("utf-8", "backslashreplace") + b"\n"
    ended = process.run(argv_of(row, world), environment(world), payload, row["deadline_s"], guarded=world.alone)
    if ended.problem:
        return None, ended.problem
    if not ended.code and not ended.stdout.strip():
        return None, ""  # the usual case, and quick: nothing to read
    return heard(row, event, ended)


def argv_of(row: Mapping[str, Any], world: World) -> list[str]:
    """A program's arguments know the project; the shell's text is the shell's."""
    argv = list(row["command"])
    if argv[:2] == ["/bin/sh", "-c"]:
        return argv
    return [word.replace("${" + PROJECT + "}", world.project) for word in argv]


def environment(world: World) -> dict[bytes, bytes]:
    """What Claude Code gave us, which is what it gives to every hook."""
    if world.alone or world.names is None:
        found = dict(posix.environ)
    else:
        found = {name: (world.env(name.decode()) or "").encode("utf-8", "surrogateescape") for name in world.names}
    found.setdefault(PROJECT.encode(), world.project.encode("utf-8", "surrogateescape"))
    return found


def heard(row: Mapping[str, Any], event: Event, ended: process.Ended) -> tuple[Decision | None, str]:
    from hookwright.protocol.output import read  # noqa: PLC0415  heavy, and needed only by a command that speaks

    reading = read(event.hook_event_name, ended.code, ended.stdout, ended.stderr)
    failure = reading.error
    if reading.is_async:
        failure = "it goes on in the background, where only Claude Code would hear it: register it in settings.json"
    if failure and row["failure"] != "open":
        return None, failure
    return decision_of(reading, event), failure


def decision_of(reading: Reading, event: Event) -> Decision | None:
    """What counts of an output, as our own decision; None if nothing does."""
    changes, drops = None, ()
    if reading.updated_input is not None:
        before = event.raw.get("tool_input") or {}
        changes = {key: value for key, value in reading.updated_input.items() if before.get(key, changes) != value}
        drops = tuple(key for key in before if key not in reading.updated_input)
    decision = Decision(
        None if reading.decision == "defer" else reading.decision,
        reading.reason,
        changes=changes or None,
        drops=drops,
        context="\n".join(reading.context),
        message=reading.system_message,
        stop_reason=None if reading.goes_on else reading.stop_reason,
        fields=reading.others or None,
    )
    return decision if decision.capabilities() else None
