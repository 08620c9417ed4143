"""Start a hook's process as Claude Code starts it, and return its result.

argv, payload → [run_process] → exit code, output, time, unread bytes of stdin
Its own session, no terminal, the payload and then the end of stdin. It ends when its main process ends, even if a
child keeps the output open. The mechanism is `proc.child_process`; here are the client's limits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence

from hookwright.proc.child_process import ChildProcess, ProgramResult
from hookwright.proc.kill_marked import CAN_FIND_MARKED
from hookwright.proc.run_async import run_program_async

KEEP_BYTES = 4 << 20  # bytes of each output that are kept; more is read and dropped
FirstLine = Callable[[bytes, ChildProcess], None]  # it may change the deadline


async def run_process(
    argv: Sequence[str],
    payload: bytes,
    *,
    env: Mapping[str, str],
    cwd: str,
    timeout_s: float,
    on_first_line: FirstLine | None = None,
    spare_children: bool = False,
) -> ProgramResult:
    """Run a program until it ends or times out.

    Cancelling the run ends its whole process group. `spare_children`: children of a program that ended by itself keep
    running, as in the client, where `kill_marked` can find them later.
    """
    return await run_program_async(
        argv,
        payload,
        env=env,
        cwd=cwd,
        seconds=timeout_s,
        keep=KEEP_BYTES,
        on_stdout=None if on_first_line is None else _call_once(on_first_line),
        spare_children=spare_children and CAN_FIND_MARKED,
    )


def run_process_now(
    argv: Sequence[str], payload: bytes, *, env: Mapping[str, str], cwd: str, timeout_s: float
) -> ProgramResult:
    """`run_process` for callers without an event loop."""
    return asyncio.run(run_process(argv, payload, env=env, cwd=cwd, timeout_s=timeout_s))


def _call_once(on_first_line: FirstLine) -> Callable[[ChildProcess], None]:
    called = False

    def look_for_line(child: ChildProcess) -> None:
        nonlocal called
        if not called and b"\n" in child.stdout:
            called = True
            on_first_line(bytes(child.stdout.partition(b"\n")[0]), child)

    return look_for_line
