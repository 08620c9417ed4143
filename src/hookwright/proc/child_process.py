"""A running program: spawned in its own session, fed through stdin, its output captured up to a limit.

start function, stdin → [ChildProcess] → serve(descriptor) whenever one is ready → exit code, output
The core below all runners: `run_program` here (hot), `run_programs` (several, cold), `run_async` (asyncio). They
differ in how they wait; spawning, feeding, capturing, the deadline and the end are this module's.
A program is done when its main process has ended, even if others still hold its pipes. At its deadline its group gets
SIGTERM, then SIGKILL. Hot: C modules only.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of signal
import posix
import select
from time import monotonic

from hookwright.proc.kill_group import (
    GRACE_S,
    block_sigterm,
    finish_group,
    kill_on_sigterm,
    open_pidfd,
    reap,
    signal_group,
    unblock_sigterm,
)
from hookwright.proc.spawn import open_missing_streams, spawn_session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    StartFunction = Callable[[tuple[int, int, int]], int]  # descriptors for the child's streams → its pid
    OnStdout = Callable[["ChildProcess"], None]

CHUNK = 1 << 16
_LARGEST_PIPE = 1 << 20
_NOT_STARTED = (126, 127)  # a shell's exit codes for a program that it cannot run or find
_POLL_S = 0.01  # between checks, where the kernel has no pidfd


class ProgramResult:
    """How a program ended. `exit_code` is None when it was stopped or never started."""

    __slots__ = ("cut", "exit_code", "limit_s", "seconds", "start_error", "stderr", "stdout", "timed_out", "unread")

    def __init__(
        self, start_error: str = "", *, exit_code: int | None = None, stdout: bytes = b"", seconds: float = 0.0
    ) -> None:
        self.start_error = start_error
        self.exit_code = exit_code  # negative: the signal that ended it
        self.timed_out = False
        self.stdout = stdout
        self.stderr = b""
        self.cut = False  # more was printed than kept
        self.seconds = seconds
        self.limit_s = 0.0
        self.unread = 0  # bytes of stdin that were not read; counted on request

    @property
    def started(self) -> bool:
        return not self.start_error

    @property
    def ms(self) -> float:
        return round(self.seconds * 1000, 1)

    @property
    def code(self) -> int | None:
        """The exit code as a shell reports it: 128 plus the signal's number for a signal."""
        return self.exit_code if self.exit_code is None or self.exit_code >= 0 else 128 - self.exit_code

    @property
    def ok(self) -> bool:
        return self.exit_code == 0

    @property
    def could_not_start(self) -> bool:
        return not self.started or self.code in _NOT_STARTED

    @property
    def problem(self) -> str:
        """Why there is no exit code, after the program's name: `did not end in 3 s`."""
        if self.start_error:
            return f"cannot be started: {self.start_error}"
        return f"did not end in {self.limit_s:g} s" if self.timed_out else ""


class ChildProcess:
    """A running program. The caller polls `descriptors()` and calls `serve` for each that is ready."""

    __slots__ = (
        *("_exited", "_keep_head", "_kept_stdin", "_limit", "_on_stdout", "_outputs", "_pidfd", "_status", "_stdin"),
        *("_terminated_at", "_unwritten", "begun", "cut", "deadline", "detached", "done", "ended_at", "linger_s"),
        *("limit_s", "on_close", "pid", "spare_children", "stderr", "stdout", "timed_out", "unread"),
    )

    def __init__(
        self,
        start: StartFunction,
        *,
        seconds: float,
        keep: int,
        stdin: bytes | None = None,
        keep_head: bool = True,
        linger_s: float = 0.0,
        spare_children: bool = False,
        count_unread: bool = False,
        on_stdout: OnStdout | None = None,
    ) -> None:
        """Start it. Raises what `start` raises (OSError, ValueError); nothing is left open then.

        `stdin`: None is /dev/null. `keep`: bytes of each stream, from its head or its tail. `linger_s`: how long output
        still counts that a process in the background prints after the program's end. `spare_children`: those of a
        program that ended by itself live on. `on_stdout`: called after each piece of stdout; it may call
        `set_timeout`, or set `detached` to stop waiting.
        """
        self.begun = monotonic()
        self.limit_s = seconds
        self.deadline = self.begun + seconds
        self.linger_s = linger_s
        self.spare_children = spare_children
        self.detached = False
        self.done = False
        self.timed_out = False
        self.ended_at = 0.0
        self.cut = False
        self.unread = 0
        self.stdout, self.stderr = bytearray(), bytearray()
        self.on_close: Callable[[int], object] = _ignore
        self._on_stdout = on_stdout
        self._limit = keep
        self._keep_head = keep_head
        self._unwritten = memoryview(stdin or b"")
        self._exited = False
        self._status: int | None = None
        self._terminated_at = 0.0
        self._open_pipes(start, stdin, count_unread=count_unread)
        self._pidfd = open_pidfd(self.pid)

    def _open_pipes(self, start: StartFunction, stdin: bytes | None, *, count_unread: bool) -> None:
        open_missing_streams()
        opened: list[int] = []
        try:
            if stdin is None:
                theirs_in, ours_in = posix.open("/dev/null", posix.O_RDONLY | posix.O_CLOEXEC), -1
                opened += [theirs_in]
            else:
                theirs_in, ours_in = posix.pipe()
                opened += [theirs_in, ours_in]
            out, theirs_out = posix.pipe()
            opened += [out, theirs_out]
            err, theirs_err = posix.pipe()
            opened += [err, theirs_err]
            self.pid = start((theirs_in, theirs_out, theirs_err))
        except BaseException:
            for descriptor in opened:
                posix.close(descriptor)
            raise
        # Kept open to count later how much of its stdin was not read.
        self._kept_stdin = theirs_in if count_unread and stdin is not None else -1
        for descriptor in (theirs_in, theirs_out, theirs_err):
            if descriptor != self._kept_stdin:
                posix.close(descriptor)
        self._stdin = ours_in
        self._outputs = {out: self.stdout, err: self.stderr}
        for descriptor in (ours_in, out, err):
            if descriptor >= 0:
                posix.set_blocking(descriptor, False)

    # --- pipes
    def descriptors(self) -> list[tuple[int, bool]]:
        """Descriptors to poll, and whether for writing. `on_close` is called before one of them is closed."""
        found = [(descriptor, False) for descriptor in self._outputs]
        if self._stdin >= 0:
            found.append((self._stdin, True))
        if self._pidfd >= 0:
            found.append((self._pidfd, False))
        return found

    def serve(self, descriptor: int) -> None:
        """Read or write one chunk on a ready descriptor; the pidfd is left to `update`."""
        if descriptor == self._stdin:
            self._write_stdin()
        elif descriptor in self._outputs:
            self._read_output(descriptor)

    def _write_stdin(self) -> None:
        try:
            self._unwritten = self._unwritten[posix.write(self._stdin, self._unwritten[:CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:  # it closed its stdin
            self._close_stdin()
            return
        if not self._unwritten:
            self._close_stdin()

    def _close_stdin(self) -> None:
        if self._stdin >= 0:
            self.on_close(self._stdin)
            posix.close(self._stdin)
            self._stdin = -1

    def _read_output(self, descriptor: int) -> bool:
        """Read one chunk; False if there is no more for now."""
        try:
            data = posix.read(descriptor, CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._close_output(descriptor)
            return False
        kept = self._outputs[descriptor]
        self._append(kept, data)
        if kept is self.stdout and self._on_stdout is not None:
            self._on_stdout(self)
        return True

    def _append(self, kept: bytearray, data: bytes) -> None:
        excess = len(kept) + len(data) - self._limit
        if excess <= 0:
            kept += data
            return
        self.cut = True
        if self._keep_head:
            kept += data[: max(0, self._limit - len(kept))]
        else:
            kept += data
            del kept[: len(kept) - self._limit]

    def _close_output(self, descriptor: int) -> None:
        self.on_close(descriptor)
        posix.close(descriptor)
        del self._outputs[descriptor]

    def _drain_outputs(self) -> None:
        """Read what is in the pipes: at most a pipe's capacity, since a spared child may keep writing."""
        for descriptor in list(self._outputs):
            for _ in range(_LARGEST_PIPE // CHUNK):
                if not self._read_output(descriptor):
                    break

    # --- its end
    def set_timeout(self, seconds: float) -> None:
        """Move the deadline: so many seconds from now."""
        self.deadline = monotonic() + seconds

    def update(self, now: float) -> bool:
        """Check for exit and timeout; True when there is nothing more to wait for."""
        if self.done:
            return True
        if self.has_exited():
            self.ended_at = self.ended_at or now
            self.detached = False  # too late to detach
            self._close_pidfd()
            self.done = not self._outputs or now >= self.ended_at + self.linger_s
        elif now >= self.deadline:
            self.timed_out = self.done = True
            self.ended_at = now
        else:
            self.done = self.detached
        if self.done and not self.detached and not (self.spare_children and self._exited):
            self.terminate()
        return self.done

    def wake_at(self, now: float) -> float:
        """When to call `update` although no descriptor is ready."""
        if self._exited:
            return self.ended_at + self.linger_s
        return self.deadline if self._pidfd >= 0 else min(self.deadline, now + _POLL_S)

    def has_exited(self) -> bool:
        """True if the main process has ended. It stays a zombie until `end`, where the system allows that."""
        if self._exited:
            return True
        try:
            if hasattr(posix, "waitid"):  # keeps the zombie: until it is reaped, the group id cannot be reused
                look = posix.WEXITED | posix.WNOHANG | posix.WNOWAIT
                self._exited = posix.waitid(posix.P_PID, self.pid, look) is not None
            else:
                found, status = posix.waitpid(self.pid, posix.WNOHANG)
                if found:
                    self._exited, self._status = True, status
        except ChildProcessError:  # already reaped elsewhere in this process
            self._exited, self._status = True, 0
        return self._exited

    def terminate(self) -> None:
        """SIGTERM the whole group, once."""
        if not self._terminated_at:
            self._terminated_at = monotonic()
            signal_group(self.pid, _signal.SIGTERM)

    def end(self, grace_s: float = GRACE_S) -> None:
        """End the group (unless spared or detached), reap the program, close the pipes."""
        if not self.detached:
            if not self.has_exited():
                self.terminate()
                self._status = finish_group(self.pid, self._terminated_at + grace_s)
            else:
                if self.timed_out or not self.spare_children:
                    signal_group(self.pid, _signal.SIGKILL)
                if self._status is None:
                    self._status = reap(self.pid)
        self._drain_outputs()
        self.close()

    def close(self) -> None:
        for descriptor in list(self._outputs):
            self._close_output(descriptor)
        self._close_stdin()
        self._close_pidfd()
        if self._kept_stdin >= 0:
            self.unread = len(self._unwritten) + _count_bytes(self._kept_stdin)
            posix.close(self._kept_stdin)
            self._kept_stdin = -1

    def _close_pidfd(self) -> None:
        if self._pidfd >= 0:
            self.on_close(self._pidfd)
            posix.close(self._pidfd)
            self._pidfd = -1

    def result(self) -> ProgramResult:
        """The result; call after `end`."""
        result = ProgramResult()
        result.timed_out = self.timed_out
        if not self.timed_out:
            result.exit_code = posix.waitstatus_to_exitcode(self._status or 0)
        result.stdout, result.stderr, result.cut = bytes(self.stdout), bytes(self.stderr), self.cut
        result.seconds = (self.ended_at or monotonic()) - self.begun
        result.limit_s = self.limit_s
        result.unread = self.unread
        return result


def wait_for_children(children: Iterable[ChildProcess]) -> None:
    """Feed and read all of them until each is done."""
    poll = select.poll()
    owners: dict[int, ChildProcess] = {}

    def forget(descriptor: int) -> None:
        if owners.pop(descriptor, None) is not None:
            poll.unregister(descriptor)

    waiting = list(children)
    for child in waiting:
        child.on_close = forget
        for descriptor, for_writing in child.descriptors():
            poll.register(descriptor, select.POLLOUT if for_writing else select.POLLIN)
            owners[descriptor] = child
    now = monotonic()
    while waiting := [child for child in waiting if not child.update(now)]:
        pause = min(child.wake_at(now) for child in waiting) - now
        for descriptor, _ in poll.poll(max(0.0, pause) * 1000):
            if descriptor in owners:
                owners[descriptor].serve(descriptor)
        now = monotonic()


def run_program(
    argv: Sequence[str],
    env: Mapping[bytes, bytes],
    stdin: bytes,
    *,
    seconds: float,
    keep: int,
    on_stdout: OnStdout | None = None,
    die_with_us: bool = False,
) -> ProgramResult:
    """Run one program in the current directory, sparing the processes it leaves in the background. Hot.

    `die_with_us`: end it on SIGTERM to this process; only where the SIGTERM handler is ours to set.
    """

    def start(streams: tuple[int, int, int]) -> int:
        actions = [(posix.POSIX_SPAWN_DUP2, descriptor, number) for number, descriptor in enumerate(streams)]
        return spawn_session(argv, env, actions, mask)

    former = None
    mask = block_sigterm() if die_with_us else None
    try:
        child = ChildProcess(start, seconds=seconds, keep=keep, stdin=stdin, spare_children=True, on_stdout=on_stdout)
        if die_with_us:
            former = kill_on_sigterm(child.pid)
    except (OSError, ValueError) as error:
        return ProgramResult(describe_start_error(error))
    finally:
        if mask is not None:
            unblock_sigterm(mask)
    try:
        wait_for_children([child])
    finally:
        if former is not None:
            _signal.signal(_signal.SIGTERM, former)
        child.end()
    return child.result()


def describe_start_error(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)


def _count_bytes(pipe: int) -> int:
    """Bytes still in the pipe."""
    count = 0
    posix.set_blocking(pipe, False)
    try:
        while chunk := posix.read(pipe, CHUNK):
            count += len(chunk)
    except BlockingIOError:
        pass
    return count


def _ignore(descriptor: int) -> None:
    return
