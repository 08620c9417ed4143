"""Run a command as a hook: started as Claude Code would start it, its output parsed as Claude Code would parse it.

row → [run] → process → exit code, stdout, stderr → decision, failure
It reads the payload as the hooks before it left it; its decision is merged with theirs.
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
KEEP_BYTES = 1 << 20  # bytes of each stream; the rest is read and dropped


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
    """Stop waiting for a command whose first line announces that it continues in the background."""
    first, newline, _ = bytes(child.stdout[:200]).lstrip().partition(b"\n")
    if newline and first[:1] == b"{" and b'"async"' in first and b"true" in first:
        child.detached = True


def build_argv(row: Mapping[str, Any], world: World) -> list[str]:
    """Substitute the project directory in a program's arguments; a shell text expands its own variables."""
    argv = list(row["command"])
    if argv[:2] == ["/bin/sh", "-c"]:
        return argv
    return [word.replace("${" + PROJECT + "}", world.project) for word in argv]


def build_environment(world: World) -> dict[bytes, bytes]:
    """Our own environment: Claude Code gives the same to every hook."""
    if world.alone or world.names is None:
        found = dict(posix.environ)
    else:
        found = {name: (world.env(name.decode()) or "").encode("utf-8", "surrogateescape") for name in world.names}
    found.setdefault(PROJECT.encode(), world.project.encode("utf-8", "surrogateescape"))
    return found


def parse_output(row: Mapping[str, Any], event: Event, ended: ProgramResult) -> tuple[Decision | None, str]:
    from hookwright.protocol.hook_output import read_output  # noqa: PLC0415  heavy, only if there is output

    reading = read_output(event.hook_event_name, ended.code or 0, ended.stdout, ended.stderr)
    failure = reading.error
    if reading.is_async:
        failure = "it continues in the background, where only Claude Code reads it: register it in settings.json"
    if failure and row["failure"] != "open":
        return None, failure
    return decision_from_output(reading, event), failure


def decision_from_output(reading: ParsedOutput, event: Event) -> Decision | None:
    """Convert the parts of an output that count to a decision; None if there are none."""
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
