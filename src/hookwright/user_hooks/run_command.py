"""A command as a hook: started as Claude Code would start it, and its output read as Claude Code would read it.

row → [run] → process → exit code, stdout, stderr → decision, failure
The payload that it reads is the one that the hooks before it left. What it says is merged with what they said.
"""

from __future__ import annotations

import posix

from hookwright.proc.child_process import run_program
from hookwright.proc.run_forked import TIMED_OUT
from hookwright.protocol.decisions import Decision
from hookwright.protocol.json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.base import World
    from hookwright.proc.child_process import ChildProcess, ProgramResult
    from hookwright.protocol.events.base import Event
    from hookwright.protocol.hook_output import ParsedOutput

PROJECT = "CLAUDE_PROJECT_DIR"
KEEP_BYTES = 1 << 20  # bytes of each stream; what comes after is read and dropped


def run(row: Mapping[str, Any], event: Event, world: World) -> tuple[Decision | None, str]:
    payload = dumps(event.raw).encode("utf-8", "backslashreplace") + b"\n"
    ended = run_program(
        build_argv(row, world),
        build_environment(world),
        payload,
        seconds=row["deadline_s"],
        keep=KEEP_BYTES,
        on_stdout=detach_if_async,
        die_with_us=world.alone,
    )
    if ended.start_error:
        return None, f"it cannot be started: {ended.start_error}"
    if ended.timed_out:
        return None, TIMED_OUT
    if not ended.code and not ended.stdout.strip():
        return None, ""  # the usual case, and quick: nothing to read
    return parse_output(row, event, ended)


def detach_if_async(child: ChildProcess) -> None:
    """Stop waiting for a command whose first line says that it goes on in the background."""
    first, newline, _ = bytes(child.stdout[:200]).lstrip().partition(b"\n")
    if newline and first[:1] == b"{" and b'"async"' in first and b"true" in first:
        child.detached = True


def build_argv(row: Mapping[str, Any], world: World) -> list[str]:
    """A program's arguments know the project; the shell's text is the shell's."""
    argv = list(row["command"])
    if argv[:2] == ["/bin/sh", "-c"]:
        return argv
    return [word.replace("${" + PROJECT + "}", world.project) for word in argv]


def build_environment(world: World) -> dict[bytes, bytes]:
    """What Claude Code gave us, which is what it gives to every hook."""
    if world.alone or world.names is None:
        found = dict(posix.environ)
    else:
        found = {name: (world.env(name.decode()) or "").encode("utf-8", "surrogateescape") for name in world.names}
    found.setdefault(PROJECT.encode(), world.project.encode("utf-8", "surrogateescape"))
    return found


def parse_output(row: Mapping[str, Any], event: Event, ended: ProgramResult) -> tuple[Decision | None, str]:
    from hookwright.protocol.hook_output import read_output  # noqa: PLC0415  heavy, and needed only by a command that speaks

    reading = read_output(event.hook_event_name, ended.code or 0, ended.stdout, ended.stderr)
    failure = reading.error
    if reading.is_async:
        failure = "it goes on in the background, where only Claude Code would hear it: register it in settings.json"
    if failure and row["failure"] != "open":
        return None, failure
    return decision_from_output(reading, event), failure


def decision_from_output(reading: ParsedOutput, event: Event) -> Decision | None:
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
