"""Run a program from an event loop: `child_process` with asyncio doing the waiting.

argv, stdin → [run_program_async] → ProgramResult
Cancelling the run ends the whole process group.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from hookwright.proc.child_process import ChildProcess, ProgramResult, describe_start_error
from hookwright.proc.run_programs import start_in_directory

if TYPE_CHECKING:
    from hookwright.proc.child_process import OnStdout

GRACE_S = 0.5  # between SIGTERM and SIGKILL, as the client has it


async def run_program_async(
    argv: Sequence[str],
    stdin: bytes,
    *,
    env: Mapping[str, str],
    cwd: str,
    seconds: float,
    keep: int,
    on_stdout: OnStdout | None = None,
    spare_children: bool = False,
) -> ProgramResult:
    """Run a program until it ends or times out."""

    def start(streams: tuple[int, int, int]) -> int:
        return start_in_directory(argv, cwd=cwd, env=env, streams=streams)

    try:
        child = ChildProcess(
            start,
            seconds=seconds,
            keep=keep,
            stdin=stdin,
            spare_children=spare_children,
            count_unread=True,
            on_stdout=on_stdout,
        )
    except (OSError, ValueError) as error:
        return ProgramResult(describe_start_error(error))
    waiter = _Waiter(child)
    try:
        await waiter.wait_until_done()
    finally:
        await asyncio.shield(waiter.end())
    return child.result()


class _Waiter:
    """The event loop's side of a child."""

    def __init__(self, child: ChildProcess) -> None:
        self.child = child
        self.loop = asyncio.get_running_loop()
        self.wake = asyncio.Event()
        child.on_close = self._unwatch
        for descriptor, for_writing in child.descriptors():
            watch = self.loop.add_writer if for_writing else self.loop.add_reader
            watch(descriptor, self._serve, descriptor)

    def _serve(self, descriptor: int) -> None:
        self.child.serve(descriptor)
        self.wake.set()  # it may have ended, or its output may have changed the deadline

    def _unwatch(self, descriptor: int) -> None:
        self.loop.remove_reader(descriptor)
        self.loop.remove_writer(descriptor)

    async def wait_until_done(self) -> None:
        while not self.child.update(now := monotonic()):
            await self._wait(self.child.wake_at(now))

    async def end(self) -> None:
        """What `ChildProcess.end` does, but the grace is awaited."""
        child = self.child
        if not child.has_exited():
            child.terminate()
            child.deadline = monotonic() + GRACE_S
            while not child.has_exited() and (now := monotonic()) < child.deadline:
                await self._wait(child.wake_at(now))
        child.end(0)

    async def _wait(self, until: float) -> None:
        self.wake.clear()
        timer = self.loop.call_later(max(0.0, until - monotonic()), self.wake.set)
        try:
            await self.wake.wait()
        finally:
            timer.cancel()
