"""Run a function in a forked child, so that a crash, a hang or an exit there cannot affect this process.

function → [run_forked] → fork → frames over a pipe: progress …, then the result or a failure → ForkResult
The child is the leader of its own session: when it has answered, or its deadline has passed, its whole process group is
killed, with everything it started and did not detach. A kernel timer ends it if this process is gone.
Hot where there are user hooks: C modules only.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of signal
import posix
import select
import sys
from time import monotonic

from hookwright.proc.kill_group import block_sigterm, kill_child, kill_on_sigterm, unblock_sigterm
from hookwright.proc.spawn import open_missing_streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

TIMED_OUT = "it took too long"
_CHUNK = 1 << 16
_GRACE_S = 0.5  # the child's own timer fires later than our deadline: it is for the case that we were killed
_LENGTH = 8  # bytes of a frame's length, before its kind (one byte) and its data
_RESULT, _FAILURE, _PROGRESS = b".", b"!", b"+"


class ForkResult:
    """`data` if the function returned, else `problem`."""

    __slots__ = ("data", "printed", "problem", "progress", "timed_out")

    def __init__(self) -> None:
        self.data: bytes | None = None
        self.problem = ""  # what went wrong, as a predicate: "it took too long", "ZeroDivisionError: division by zero"
        self.progress = b""  # the last progress report
        self.printed = b""  # what the child wrote to stdout and stderr, up to a pipe's buffer
        self.timed_out = False


def run_forked(
    function: Callable[[Callable[[bytes], None]], bytes],
    seconds: float,
    describe: Callable[[BaseException], str],
    *,
    first_seconds: float = 0.0,
) -> ForkResult:
    """Call `function(report)` in a fork and wait for its bytes until the deadline.

    Each `report(data)` is kept as progress and starts the deadline anew; `first_seconds` is the deadline before the
    first report, where that is longer. `describe` words an exception. OSError if no process can be started.
    """
    open_missing_streams()
    answer, answers = posix.pipe()
    printed, prints = posix.pipe()
    posix.set_blocking(prints, False)  # a child that prints without end gets an error instead of blocking
    mask = block_sigterm()
    try:
        child = posix.fork()
        if not child:
            posix.close(answer)
            posix.close(printed)
            _run_child(function, describe, answers, prints, max(seconds, first_seconds), mask)
        former = kill_on_sigterm(child)
    finally:
        unblock_sigterm(mask)
    posix.close(answers)
    posix.close(prints)
    result = ForkResult()
    try:
        _read_frames(answer, result, seconds, monotonic() + max(seconds, first_seconds))
    finally:
        status = kill_child(child)
        _signal.signal(_signal.SIGTERM, former)
        result.printed = _read_available(printed)
        posix.close(answer)
        posix.close(printed)
    if result.timed_out:
        result.problem = TIMED_OUT
    elif result.data is None and not result.problem:
        result.problem = describe_exit(status)
    return result


def _run_child(
    function: Callable[[Callable[[bytes], None]], bytes],
    describe: Callable[[BaseException], str],
    answers: int,
    prints: int,
    seconds: float,
    mask: Any,
) -> NoReturn:
    """The whole life of the child process."""
    try:
        me = posix.getpid()
        posix.setsid()
        nothing = posix.open("/dev/null", posix.O_RDONLY)
        for source, target in ((nothing, 0), (prints, 1), (prints, 2)):
            posix.dup2(source, target)
        for number in (_signal.SIGALRM, _signal.SIGTERM, _signal.SIGINT):
            _signal.signal(number, _signal.SIG_DFL)
        unblock_sigterm(mask)

        def limit_time(left: float) -> None:
            _signal.setitimer(_signal.ITIMER_REAL, left + _GRACE_S)

        def report(data: bytes) -> None:
            limit_time(seconds)
            _write_frame(answers, _PROGRESS, data)

        limit_time(seconds)
        atexit = sys.modules.get("atexit")
        if atexit is not None:
            atexit._clear()  # noqa: SLF001  handlers of the parent
        try:
            kind, data = _RESULT, function(report)
            atexit = sys.modules.get("atexit")
            if atexit is not None:
                atexit._run_exitfuncs()  # noqa: SLF001  libraries that the function loaded flush their buffers
        except BaseException as error:  # noqa: BLE001  also SystemExit
            kind, data = _FAILURE, describe(error).encode("utf-8", "replace")
        _flush_streams()
        if posix.getpid() == me:  # not a grandchild that the function forked and let return
            _write_frame(answers, kind, data)
    finally:
        posix._exit(0)  # noqa: SLF001


def _flush_streams() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):  # closed, full or missing
            continue


def _write_frame(descriptor: int, kind: bytes, data: bytes) -> None:
    data = len(data).to_bytes(_LENGTH, "little") + kind + data
    while data:
        data = data[posix.write(descriptor, data) :]


def _read_frames(answer: int, result: ForkResult, seconds: float, deadline: float) -> None:
    """Read until a result or failure has arrived, the pipe is closed, or the deadline has passed."""
    poll = select.poll()
    poll.register(answer, select.POLLIN)
    data = b""
    while True:
        left = deadline - monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            result.timed_out = True
            return
        more = posix.read(answer, _CHUNK)
        if not more:
            return
        data += more
        while len(data) > _LENGTH:
            end = _LENGTH + 1 + int.from_bytes(data[:_LENGTH], "little")
            if len(data) < end:
                break
            kind, frame, data = data[_LENGTH : _LENGTH + 1], data[_LENGTH + 1 : end], data[end:]
            if kind == _RESULT:
                result.data = frame
                return
            if kind == _FAILURE:
                result.problem = frame.decode("utf-8", "replace")
                return
            result.progress = frame
            deadline = monotonic() + seconds


def _read_available(descriptor: int) -> bytes:
    posix.set_blocking(descriptor, False)
    try:
        return posix.read(descriptor, _CHUNK)
    except BlockingIOError:  # empty, and a detached process still holds the other end
        return b""


def describe_exit(status: int) -> str:
    """Word the wait status of a child that ended without an answer."""
    if posix.WIFSIGNALED(status) and posix.WTERMSIG(status) == _signal.SIGKILL:
        return "it ended without an answer"  # it killed itself, or closed the pipe and was killed by us
    if posix.WIFSIGNALED(status):
        return f"it was ended by signal {posix.WTERMSIG(status)}"
    return f"it ended its process with code {posix.WEXITSTATUS(status)}"
