"""Runs one program with a text on stdin, without `subprocess`, which costs as much as the interpreter's start.

argv, environment, stdin → [run] → exit code, stdout, stderr; or what was in the way
Done when the program itself has ended, whoever keeps its streams open. At its deadline its whole group ends.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of signal
import posix
import select
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

KEEP = 1 << 20  # bytes of each stream; what comes after is read and dropped
LATE = "it took too long"
_CHUNK = 1 << 16
_GRACE_S = 1.0  # between asking a program to end and ending it
_LOOK_S = 0.01  # between looks at a program where nothing tells its end


class Ended:
    """How it ended; `problem` if it did not come to an end of its own."""

    __slots__ = ("code", "problem", "stderr", "stdout")

    def __init__(self, problem: str = "") -> None:
        self.problem = problem
        self.code = 0
        self.stdout = b""
        self.stderr = b""


def run(argv: list[str], env: Mapping[bytes, bytes], stdin: bytes, seconds: float, *, guarded: bool = False) -> Ended:
    """Start it, feed it, hear it. `guarded`: it ends with us, should somebody end us."""
    ends = monotonic() + seconds
    pipes = [posix.pipe() for _ in range(3)]
    ours = [pipes[0][1], pipes[1][0], pipes[2][0]]
    theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
    try:
        child = _start(argv, env, theirs)
    except OSError as error:
        for descriptor in ours + theirs:
            posix.close(descriptor)
        return Ended(f"it cannot be started: {error.strerror or error}")
    for descriptor in theirs:
        posix.close(descriptor)
    former = _on_term(child) if guarded else None
    running = _Running(child, ours, stdin)
    try:
        late = not running.heard(ends)
    finally:
        if former is not None:
            _signal.signal(_signal.SIGTERM, former)
        running.close()
    if late:
        end(child)
        return Ended(LATE)
    return running.ended


def _start(argv: list[str], env: Mapping[bytes, bytes], streams: list[int]) -> int:
    actions = [(posix.POSIX_SPAWN_DUP2, descriptor, number) for number, descriptor in enumerate(streams)]
    quiet = [_signal.SIGPIPE]  # Python ignores it; a program that does not expect that would write for ever
    try:
        return posix.posix_spawnp(argv[0], argv, env, file_actions=actions, setsid=True, setsigdef=quiet)
    except NotImplementedError:
        return posix.posix_spawnp(argv[0], argv, env, file_actions=actions, setpgroup=0, setsigdef=quiet)


class _Running:
    """A program at work, and its three streams."""

    __slots__ = ("child", "ended", "left", "poll", "status", "streams", "watch")

    def __init__(self, child: int, streams: list[int], stdin: bytes) -> None:
        self.child = child
        self.ended = Ended()
        self.left = stdin
        self.streams = dict(zip(("stdin", "stdout", "stderr"), streams, strict=True))
        self.status: int | None = None
        self.poll = select.poll()
        for name, descriptor in self.streams.items():
            posix.set_blocking(descriptor, False)
            self.poll.register(descriptor, select.POLLOUT if name == "stdin" else select.POLLIN)
        self.watch = _watch(child)
        if self.watch >= 0:
            self.poll.register(self.watch, select.POLLIN)

    def heard(self, ends: float) -> bool:
        """Feed and listen until it has ended; False if that was not in time."""
        while self.status is None and not self._goes_on():
            left = ends - monotonic()
            if left <= 0:
                return False
            ready = self.poll.poll((left if self.watch >= 0 else min(left, _LOOK_S)) * 1000)
            for descriptor, _ in ready:
                self._serve(descriptor)
            if self.watch < 0 or any(descriptor == self.watch for descriptor, _ in ready):
                found, status = posix.waitpid(self.child, posix.WNOHANG)
                self.status = status if found else None
        for name in ("stdout", "stderr"):  # what is in the pipes already
            while name in self.streams and self._take(name):
                continue
        self.ended.code = posix.waitstatus_to_exitcode(self.status or 0)
        if self.ended.code < 0:
            self.ended.code = 128 - self.ended.code
        return True

    def _goes_on(self) -> bool:
        """Has it said on its first line that nobody should wait for it?"""
        first, newline, _ = self.ended.stdout[:200].lstrip().partition(b"\n")
        return bool(newline) and first[:1] == b"{" and b'"async"' in first and b"true" in first

    def _serve(self, descriptor: int) -> None:
        for name, stream in list(self.streams.items()):
            if stream == descriptor:
                if name == "stdin":
                    self._feed()
                else:
                    self._take(name)

    def _feed(self) -> None:
        try:
            self.left = self.left[posix.write(self.streams["stdin"], self.left[:_CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:  # it does not want to read
            self.left = b""
        if not self.left:
            self._drop("stdin")

    def _take(self, name: str) -> bool:
        """Is there perhaps more?"""
        try:
            data = posix.read(self.streams[name], _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._drop(name)
            return False
        kept = getattr(self.ended, name)
        if len(kept) < KEEP:
            setattr(self.ended, name, kept + data)
        return True

    def _drop(self, name: str) -> None:
        descriptor = self.streams.pop(name)
        self.poll.unregister(descriptor)
        posix.close(descriptor)

    def close(self) -> None:
        for name in list(self.streams):
            self._drop(name)
        if self.watch >= 0:
            posix.close(self.watch)


def _watch(child: int) -> int:
    """A descriptor that becomes readable when the process ends; -1 where there is no such thing."""
    try:
        return posix.pidfd_open(child)
    except (AttributeError, OSError):
        return -1


def _on_term(child: int) -> Any:
    def leave(number: int, frame: object) -> None:
        _signal_group(child, _signal.SIGKILL)
        posix._exit(128 + number)  # noqa: SLF001

    return _signal.signal(_signal.SIGTERM, leave)


def end(child: int) -> None:
    """Ask the whole group to end, then end it."""
    _signal_group(child, _signal.SIGTERM)
    ends = monotonic() + _GRACE_S
    watch = _watch(child)
    poll = select.poll()
    if watch >= 0:
        poll.register(watch, select.POLLIN)
    while not posix.waitpid(child, posix.WNOHANG)[0]:
        left = ends - monotonic()
        if left <= 0:
            _signal_group(child, _signal.SIGKILL)
            posix.waitpid(child, 0)
            break
        poll.poll((left if watch >= 0 else min(left, _LOOK_S)) * 1000)
    _signal_group(child, _signal.SIGKILL)  # what the program left behind
    if watch >= 0:
        posix.close(watch)


def _signal_group(child: int, number: int) -> None:
    try:
        posix.killpg(child, number)
    except OSError:  # all gone
        return
