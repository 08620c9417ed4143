"""A guest is asked in a process of its own, a fork of this one: whatever happens there, happens there.

row → [run] → fork → decision over a pipe, or nothing by the deadline → decision, failure
Ended as a group when it has answered or its time is over: what it started and did not detach ends with it.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of signal
import posix
import select
import sys
from time import monotonic

from hookwright.guests.ask import flush, keep_printed
from hookwright.guests.load import hook_of
from hookwright.guests.said import decision_of, text_of
from hookwright.hooks.base import describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

    from hookwright.hooks.base import World
    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

LATE = "it took too long"
_CHUNK = 1 << 16
_GRACE_S = 0.5  # the child's own alarm comes later than ours: it is for the case that we are gone
_HEAD = 9  # bytes before an answer: its length, and whether it is a failure


def run(row: Mapping[str, Any], event: Event, world: World, options: Mapping[str, Any]) -> tuple[Decision | None, str]:
    """Ask the guest and wait for it, no longer than its deadline."""
    answer, answers = posix.pipe()
    printed, prints = posix.pipe()
    posix.set_blocking(prints, False)  # a guest that prints without end gets an error, not a pause
    ends = monotonic() + row["deadline_s"]
    child = posix.fork()
    if not child:
        _decide(answers, prints, lambda: text_of(hook_of(row, world, options).decide(event)), row["deadline_s"])
    posix.close(answers)
    posix.close(prints)
    former = on_term(child)
    try:
        data = read(answer, ends)
    finally:
        status = end(child)
        _signal.signal(_signal.SIGTERM, former)
    keep_printed(row, world, rest(printed))
    posix.close(answer)
    posix.close(printed)
    if data is None:
        return None, LATE if monotonic() >= ends else how(status)
    return heard(data)


def heard(data: bytes) -> tuple[Decision | None, str]:
    """A child's answer: its first letter says whether it is a decision or a failure."""
    if data[:1] == b"!":
        return None, data[1:].decode("utf-8", "replace")
    return decision_of(data[1:].decode()), ""


def be_child(prints: int) -> None:
    """A group of its own, its output into the pipe, signals as a new process has them."""
    posix.setsid()
    posix.dup2(prints, 1)
    posix.dup2(prints, 2)
    for number in (_signal.SIGALRM, _signal.SIGTERM, _signal.SIGINT):
        _signal.signal(number, _signal.SIG_DFL)


def limit(seconds: float) -> None:
    """The kernel ends this process then, also when nobody is left to do so; 0: not any more."""
    _signal.setitimer(_signal.ITIMER_REAL, seconds + _GRACE_S if seconds else 0)


def _decide(answers: int, prints: int, ask: Callable[[], str], deadline_s: float) -> NoReturn:
    """The child's whole life."""
    try:
        me = posix.getpid()
        be_child(prints)
        limit(deadline_s)
        forget = sys.modules.get("atexit")
        if forget is not None:
            forget._clear()  # noqa: SLF001  what our parent meant to do at its end
        try:
            data = b"." + ask().encode("utf-8", "backslashreplace")
            leave = sys.modules.get("atexit")
            if leave is not None:
                leave._run_exitfuncs()  # noqa: SLF001  the guest's libraries flush what they hold
        except BaseException as error:  # noqa: BLE001  also SystemExit
            data = b"!" + describe(error).encode("utf-8", "replace")
        flush()
        if posix.getpid() == me:  # and not a process that the guest forked and let come back here
            send(answers, data)
    finally:
        posix._exit(0)  # noqa: SLF001


def send(descriptor: int, data: bytes) -> None:
    data = len(data).to_bytes(_HEAD - 1, "little") + data
    while data:
        data = data[posix.write(descriptor, data) :]


def read(answer: int, ends: float) -> bytes | None:
    """A whole answer, or None for none by then."""
    poll = select.poll()
    poll.register(answer, select.POLLIN)
    data = b""
    while True:
        left = ends - monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            return None
        more = posix.read(answer, _CHUNK)
        if not more:
            return None
        data += more
        if len(data) >= _HEAD and len(data) >= _HEAD - 1 + int.from_bytes(data[: _HEAD - 1], "little"):
            return data[_HEAD - 1 :]


def rest(printed: int) -> bytes:
    """What was printed so far."""
    posix.set_blocking(printed, False)
    try:
        return posix.read(printed, _CHUNK)
    except BlockingIOError:  # nothing, from a process that is still there
        return b""


def on_term(child: int) -> Any:
    """When Claude Code ends us, the guest ends too; what was to happen before is given back."""

    def leave(number: int, frame: object) -> None:
        end(child)
        posix._exit(128 + number)  # noqa: SLF001

    return _signal.signal(_signal.SIGTERM, leave)


def end(child: int) -> int:
    """Nothing of it stays; how it ended."""
    for kill, number in ((posix.killpg, _signal.SIGKILL), (posix.kill, _signal.SIGKILL)):  # it may have no group yet
        try:
            kill(child, number)
        except OSError:
            continue
    return posix.waitpid(child, 0)[1]


def how(status: int) -> str:
    """The end of a process without an answer, in words."""
    if posix.WIFSIGNALED(status) and posix.WTERMSIG(status) == _signal.SIGKILL:
        return "it ended without an answer"  # by its own hand, or by ours because it had closed its way to answer
    if posix.WIFSIGNALED(status):
        return f"it was ended by signal {posix.WTERMSIG(status)}"
    return f"it ended its process with code {posix.WEXITSTATUS(status)}"
