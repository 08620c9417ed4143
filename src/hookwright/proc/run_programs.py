"""Run several programs at once, each with its own timeout, leaving no process behind.

jobs → [run_jobs] → results, in the order of the jobs
Time, captured output and processes are bounded: what a job started ends with it, also when Claude Code ends us.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from typing import TYPE_CHECKING, Any

from hookwright.proc.child_process import ChildProcess, ProgramResult, describe_start_error, wait_for_children
from hookwright.proc.find_program import clean_search_path, require_program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import FrameType

KEEP_BYTES = 64 << 10
_LINGER_S = 0.2  # for output still in the pipe when a program has ended


class Terminated(BaseException):
    """SIGTERM from Claude Code. A BaseException, so that no `except Exception` swallows it."""


class Job:
    """One program to run; a text goes through the shell, a list does not."""

    __slots__ = ("avoid", "command", "cwd", "env", "keep", "keep_head", "refusal", "seconds", "stdin")

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        cwd: str,
        seconds: float,
        stdin: bytes = b"",
        env: Mapping[str, str | None] | None = None,
        keep: int = KEEP_BYTES,
        keep_head: bool = True,
        avoid: Sequence[str] = (),
        refusal: str = "",
    ) -> None:
        self.command = command
        self.cwd = cwd
        self.seconds = seconds
        self.stdin = stdin  # None is /dev/null
        self.env = env or {}  # added to ours; None removes a variable
        self.keep = keep  # bytes of each stream
        self.keep_head = keep_head  # else the tail is kept
        self.avoid = avoid  # directories whose programs are not taken from PATH
        self.refusal = refusal  # why it must not run; "" if it may


def run_jobs(jobs: Sequence[Job]) -> list[ProgramResult]:
    """Run all jobs at once and wait until each has ended or timed out."""
    on_sigterm = _SigtermHandler()
    children: list[ChildProcess | None] = []
    results: list[ProgramResult] = []
    try:
        for job in jobs:
            child = None
            on_sigterm.hold()
            try:
                child = start_job(job)
                results.append(ProgramResult())
            except (OSError, ValueError) as error:
                results.append(ProgramResult(describe_start_error(error)))
            children.append(child)
            on_sigterm.release()
        wait_for_children([child for child in children if child])
    finally:
        on_sigterm.hold()
        for child in children:
            if child:
                child.end()
        on_sigterm.restore()
    on_sigterm.release()
    return [child.result() if child else result for child, result in zip(children, results, strict=True)]


def run_job(job: Job) -> ProgramResult:
    return run_jobs([job])[0]


def start_job(job: Job) -> ChildProcess:
    """Start a job without waiting for it; the caller ends it. Raises OSError, ValueError."""
    if job.refusal:
        raise ValueError(job.refusal)
    env = {name: value for name, value in {**os.environ, **job.env}.items() if value is not None}
    env["PATH"] = clean_search_path(env.get("PATH"), job.avoid)
    command = job.command
    if not isinstance(command, str):
        command = [require_program(command[0], env["PATH"]), *command[1:]]

    def start(streams: tuple[int, int, int]) -> int:
        return start_in_directory(command, cwd=job.cwd, env=env, streams=streams)

    return ChildProcess(
        start,
        seconds=job.seconds,
        keep=job.keep,
        keep_head=job.keep_head,
        stdin=job.stdin or None,
        linger_s=_LINGER_S,
    )


def start_in_directory(
    command: str | Sequence[str], *, cwd: str, env: Mapping[str, str], streams: tuple[int, int, int]
) -> int:
    """Start a program in a directory, in its own session; returns its pid. Raises OSError, ValueError.

    Uses `subprocess`, since `posix_spawn` has no working directory.
    """
    process = subprocess.Popen(
        command if isinstance(command, str) else list(command),
        shell=isinstance(command, str),  # the user or a trusted project wrote it
        cwd=cwd,
        env=env,
        stdin=streams[0],
        stdout=streams[1],
        stderr=streams[2],
        start_new_session=True,
    )
    process.returncode = 0  # ChildProcess reaps it; Popen must neither wait for it nor warn
    return process.pid


class _SigtermHandler:
    """Makes SIGTERM raise Terminated, for clean-up; while it is held, only on release.

    It is held where an exception would lose a program: while one is started or ended. SIGINT and SIGHUP do the same
    where they would end the process at once; a command that handles them itself keeps its handlers.
    """

    def __init__(self) -> None:
        self.held = False
        self.received = False
        self.before: dict[int, Any] = {}
        numbers = [number for number in (signal.SIGINT, signal.SIGHUP) if signal.getsignal(number) is signal.SIG_DFL]
        with contextlib.suppress(ValueError):  # not the main thread
            for number in (signal.SIGTERM, *numbers):
                self.before[number] = signal.signal(number, self)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self.received = True
        if not self.held:
            raise Terminated

    def hold(self) -> None:
        self.held = True

    def release(self) -> None:
        self.held = False
        if self.received:
            raise Terminated

    def restore(self) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)
