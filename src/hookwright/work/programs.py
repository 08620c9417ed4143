"""Runs programs: several at once, each with its own time, none left behind.

jobs → [run] → results, in the order of the jobs
Bounded in time, in kept output and in processes: what a job started ends with it, also when Claude Code ends us.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import FrameType

KEEP_BYTES = 64 << 10
_CHUNK = 1 << 16
_GRACE_S = 1.0  # between asking a program to end and ending it
_LINGER_S = 0.2  # for output that is still on its way when a program has ended
NOT_STARTED = (126, 127)  # what a shell says for a program that it cannot run or find


class Ended(BaseException):
    """Claude Code asked us to end. Not an Exception: only the cleaning up in between may see it."""


class Job:
    """One program to run; a text goes through the shell, a list does not."""

    __slots__ = ("command", "cwd", "env", "keep", "keep_head", "seconds", "stdin")

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
    ) -> None:
        self.command = command
        self.cwd = cwd
        self.seconds = seconds
        self.stdin = stdin
        self.env = env or {}  # over ours; None takes a variable away
        self.keep = keep  # bytes of each stream
        self.keep_head = keep_head  # else the tail is kept


class Result:
    """How a program ended. `code` is None when it was stopped or never started; `problem` then says why."""

    __slots__ = ("code", "cut", "problem", "seconds", "started", "stderr", "stdout", "timed_out")

    def __init__(self) -> None:
        self.code: int | None = None
        self.stdout = b""
        self.stderr = b""
        self.cut = False  # more was printed than kept
        self.problem = ""
        self.started = False
        self.timed_out = False
        self.seconds = 0.0

    @property
    def ok(self) -> bool:
        return self.code == 0

    @property
    def could_not_start(self) -> bool:
        return not self.started or self.code in NOT_STARTED


def run(jobs: Sequence[Job]) -> list[Result]:
    """Run all jobs at once and wait for them; each ends by itself or at its time."""
    before = _on_end()
    running: list[_Running] = []
    try:
        with selectors.DefaultSelector() as selector:
            for job in jobs:
                running.append(_Running(job, selector))  # noqa: PERF401  each must be known if the next one raises
            while any(not one.done for one in running):
                _turn(selector, running)
    finally:
        for one in running:
            one.end()
        if before is not None:
            signal.signal(signal.SIGTERM, before)
    return [one.result for one in running]


def run_one(job: Job) -> Result:
    return run([job])[0]


def _on_end() -> Any:
    """From now on SIGTERM cleans up before it ends us; None where signals are not ours (a thread)."""

    def end(number: int, frame: FrameType | None) -> None:
        raise Ended

    try:
        return signal.signal(signal.SIGTERM, end)
    except ValueError:
        return None


def _turn(selector: selectors.BaseSelector, running: list[_Running]) -> None:
    waiting = [one for one in running if not one.done]
    pause = min(one.deadline for one in waiting) - time.monotonic()
    # The end of a program whose streams are closed wakes nobody, so it is looked for.
    longest = 0.5 if all(one.open and not one.exited for one in waiting) else 0.005
    for key, _ in selector.select(max(0.0, min(pause, longest))):
        if key.fileobj in selector.get_map():
            key.data()
    for one in waiting:
        one.look()


class _Running:
    def __init__(self, job: Job, selector: selectors.BaseSelector) -> None:
        self.job = job
        self.selector = selector
        self.result = Result()
        self.begun = time.monotonic()
        self.deadline = self.begun + job.seconds
        self.exited = 0.0
        self.done = False
        self.open = 0  # streams that may still bring something
        self.unwritten = memoryview(job.stdin)
        self.process: subprocess.Popen[bytes] | None = None
        try:
            self.process = subprocess.Popen(
                job.command if isinstance(job.command, str) else list(job.command),
                shell=isinstance(job.command, str),  # the user or a trusted project wrote it
                cwd=job.cwd,
                env={name: value for name, value in {**os.environ, **job.env}.items() if value is not None},
                stdin=subprocess.PIPE if job.stdin else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # a group of its own, so that it can be ended whole
            )
        except (OSError, ValueError) as error:
            self.result.problem = f"cannot be started: {getattr(error, 'strerror', None) or error}"
            self.done = True
            return
        self.result.started = True
        for stream, name in ((self.process.stdout, "stdout"), (self.process.stderr, "stderr")):
            assert stream
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ, self._reader(stream, name))
            self.open += 1
        if self.process.stdin:
            os.set_blocking(self.process.stdin.fileno(), False)
            selector.register(self.process.stdin, selectors.EVENT_WRITE, self._write)

    def _reader(self, stream: Any, name: str) -> Any:
        def read() -> None:
            try:
                data = os.read(stream.fileno(), _CHUNK)
            except BlockingIOError:
                return
            if not data:
                self._close(stream)
                self.open -= 1
                return
            self._keep(name, data)

        return read

    def _keep(self, name: str, data: bytes) -> None:
        kept = getattr(self.result, name) + data
        if len(kept) > self.job.keep:
            self.result.cut = True
            kept = kept[: self.job.keep] if self.job.keep_head else kept[-self.job.keep :]
        setattr(self.result, name, kept)

    def _write(self) -> None:
        assert self.process
        assert self.process.stdin
        try:
            written = os.write(self.process.stdin.fileno(), self.unwritten[:_CHUNK])
            self.unwritten = self.unwritten[written:]
        except BlockingIOError:
            return
        except OSError:  # it does not want to read
            self.unwritten = self.unwritten[:0]
        if not self.unwritten:
            self._close(self.process.stdin)

    def _close(self, stream: Any) -> None:
        self.selector.unregister(stream)
        try:
            stream.close()
        except OSError:
            pass

    def look(self) -> None:
        """Has it ended, or has its time?"""
        assert self.process
        code = self.process.poll()
        now = time.monotonic()
        if code is not None:
            self.exited = self.exited or now
            # A child that keeps the streams open does not keep us: what came until shortly after the end counts.
            if not self.open or now > self.exited + _LINGER_S:
                self.result.code = code if code >= 0 else 128 - code
                self._finish(self.exited)
        elif now >= self.deadline:
            self.result.timed_out = True
            self.result.problem = f"did not end in {self.job.seconds:g} s"
            self._finish(now)

    def _finish(self, at: float) -> None:
        assert self.process
        self.done = True
        self.result.seconds = at - self.begun
        _signal_group(self.process.pid, signal.SIGTERM)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream and not stream.closed:
                self._close(stream)

    def end(self) -> None:
        """Nothing of it stays: its whole group was told to end, now it is ended."""
        process = self.process
        if process is None:
            return
        self.process = None
        if not self.done:
            _signal_group(process.pid, signal.SIGTERM)
        if process.poll() is None:
            _wait(process)
        _signal_group(process.pid, signal.SIGKILL)
        if process.returncode is None:
            _wait(process)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream and not stream.closed:
                stream.close()


def _wait(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_GRACE_S)
    except subprocess.TimeoutExpired:
        return


def _signal_group(group: int, number: int) -> bool:
    try:
        os.killpg(group, number)
    except OSError:  # all gone
        return False
    return True
