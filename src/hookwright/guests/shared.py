"""Light guests that are not alone share one process: a fork of this one, which is asked again and again.

row → [run] → request over a pipe → decision over a pipe, or nothing by the deadline → decision, failure
Light ones can do nothing to each other but take too long; one that does is ended with the process, and the next gets a
new one. A fork costs more than all the light hooks that most people have.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of signal
import marshal
import posix
from time import monotonic

from hookwright.guests.apart import LATE, be_child, end, heard, how, limit, on_term, read, rest, send
from hookwright.guests.ask import flush, keep_printed
from hookwright.guests.load import hook_of
from hookwright.guests.said import decision_of, text_of
from hookwright.hooks.base import describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NoReturn

    from hookwright.hooks.base import World
    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

_FOREVER_S = 1e6  # the child waits for the next request as long as we live


class Worker:
    """The process, and our ends of its pipes."""

    __slots__ = ("answers", "pid", "printed", "requests")

    def __init__(self, pid: int, requests: int, answers: int, printed: int) -> None:
        self.pid = pid
        self.requests = requests
        self.answers = answers
        self.printed = printed


_working: list[Worker] = []  # one at most


def run(row: Mapping[str, Any], event: Event, world: World, options: Mapping[str, Any]) -> tuple[Decision | None, str]:
    """Ask the guest and wait for it, no longer than its deadline."""
    parts: Any = (row, event.raw, options, [(name, text_of(decision)) for name, decision in world.said])
    request = marshal.dumps(parts)
    if not _working:
        _working.append(_start(type(event), world))
    worker = _working[0]
    ends = monotonic() + row["deadline_s"]
    former = on_term(worker.pid)
    try:
        send(worker.requests, request)
        data = read(worker.answers, ends)
    except BrokenPipeError:  # somebody else ended it
        data = None
    finally:
        _signal.signal(_signal.SIGTERM, former)
    keep_printed(row, world, rest(worker.printed))
    if data is None:
        status = stop()
        return None, LATE if monotonic() >= ends else how(status)
    return heard(data)


def stop() -> int:
    """End the process, if there is one; how it ended."""
    if not _working:
        return 0
    worker = _working.pop()
    for descriptor in (worker.requests, worker.answers, worker.printed):
        posix.close(descriptor)
    return end(worker.pid)


def _start(kind: type[Event], world: World) -> Worker:
    requests, ask = posix.pipe()
    answers, answer = posix.pipe()
    printed, prints = posix.pipe()
    posix.set_blocking(prints, False)
    child = posix.fork()
    if not child:
        posix.close(ask)
        _work(kind, world, requests, answer, prints)
    for descriptor in (requests, answer, prints):
        posix.close(descriptor)
    return Worker(child, ask, answers, printed)


def _work(kind: type[Event], world: World, requests: int, answers: int, prints: int) -> NoReturn:
    """The child's whole life: one request after the other, until there is nobody to ask."""
    try:
        be_child(prints)
        while True:
            request = read(requests, monotonic() + _FOREVER_S)
            if request is None:
                break
            row, raw, options, said = marshal.loads(request)  # noqa: S302  of our own parent
            limit(row["deadline_s"])
            world.said = [(name, decision) for name, text in said if (decision := decision_of(text)) is not None]
            try:
                data = b"." + text_of(hook_of(row, world, options).decide(kind(raw))).encode(
                    "utf-8", "backslashreplace"
                )
            except BaseException as error:  # noqa: BLE001  also SystemExit
                data = b"!" + describe(error).encode("utf-8", "replace")
            limit(0)
            flush()
            send(answers, data)
    finally:
        posix._exit(0)  # noqa: SLF001
