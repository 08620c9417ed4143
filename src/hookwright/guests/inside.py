"""A light guest is asked inside the door's own process, where only its own opinion can be lost.

row → [run] → decision, failure
Light: the file imports nothing that could do more than decide (`plan/light.py`). Nobody has said anything yet, nobody
listens after it, and its failure means nothing. So when it hangs beyond all exceptions, the process may simply end: a
note stays behind, and from then on guests are asked in processes of their own.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of signal
import faulthandler
import posix

from hookwright.guests.ask import flush, keep_printed
from hookwright.guests.load import hook_of
from hookwright.guests.said import copied, decision_of, text_of
from hookwright.hooks.base import Overrun, describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.base import World
    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

NOTE = "guests.died"  # in the state folder: where the watchdog saw a hook hanging
TOLD = ".told"  # beside the note: the user knows
AGAIN_S = 0.05  # after the deadline the guest is interrupted again and again, should it swallow that
GRACE_S = 1.0  # and then the process ends
MOST_PRINTED = 1 << 16  # bytes, what a pipe holds; printing more is an error of the guest's


def note_of(state: str | None, file: str) -> int | None:
    """A descriptor for the watchdog's note; None if there is one already, or no place for it.

    A note from before the hook's file was changed is about another hook: it is forgotten.
    """
    if state is None:
        return None
    path = f"{state}/{NOTE}"
    try:
        note = posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_APPEND | posix.O_CLOEXEC, 0o600)
        found = posix.fstat(note)
        if not found.st_size:
            return note
        if posix.stat(file).st_mtime_ns > found.st_mtime_ns:
            posix.ftruncate(note, 0)
            posix.unlink(path + TOLD)
            return note
        posix.close(note)
    except OSError:
        pass
    return None


def told_of_note(state: str | None) -> str:
    """Words for the user about a note that is there, for the first who asks; "" for all others."""
    path = f"{state}/{NOTE}"
    try:
        if not posix.stat(path).st_size:
            return ""
        posix.close(posix.open(path + TOLD, posix.O_CREAT | posix.O_EXCL | posix.O_WRONLY | posix.O_CLOEXEC, 0o600))
    except OSError:
        return ""
    return (
        f"one of your hooks hung and had to be ended with the whole process; {path} says where. "
        "Until you change it, each of your hooks runs in a process of its own, which takes a little longer."
    )


def run(
    row: Mapping[str, Any], event: Event, world: World, options: Mapping[str, Any], note: int
) -> tuple[Decision | None, str]:
    text, failure = "", ""
    printed, here = posix.pipe()
    posix.set_blocking(here, False)
    stdout, stderr = posix.dup(1), posix.dup(2)
    posix.dup2(here, 1)
    posix.dup2(here, 2)
    armed = _arm(row["deadline_s"], note)
    try:
        try:
            text = text_of(hook_of(row, world, options).decide(type(event)(copied(event.raw))))
        finally:
            _disarm(armed)
    except BaseException as error:  # noqa: BLE001  SystemExit is the guest's failure too, not our end
        _disarm(armed)  # the alarm may have come while it was being disarmed
        failure = describe(error)
    finally:
        flush()
        posix.dup2(stdout, 1)
        posix.dup2(stderr, 2)
    posix.close(here)
    keep_printed(row, world, posix.read(printed, MOST_PRINTED))
    return decision_of(text), failure


def _arm(seconds: float, note: int) -> list[bool]:
    """Interrupt the guest when its time is over; end the process if that does not help.

    A guest that swallows the interruption is ended by the handler; one that hangs in C, where no handler of Python's
    runs, by the kernel: its own time on the processor is up, and faulthandler's handler, in C, says where it was.
    """
    swallowed = 0
    armed = [True]

    def late(number: int, frame: Any) -> None:
        nonlocal swallowed
        if not armed:
            return
        swallowed += 1
        if swallowed > GRACE_S / AGAIN_S:
            where = f"{frame.f_code.co_filename}:{frame.f_lineno} in {frame.f_code.co_name}"
            posix.write(note, f"It swallowed every interruption: {where}\n".encode("utf-8", "replace"))
            posix._exit(1)  # noqa: SLF001
        raise Overrun

    faulthandler.register(_signal.SIGPROF, note, all_threads=False, chain=True)
    _signal.setitimer(_signal.ITIMER_PROF, seconds + GRACE_S)
    _signal.signal(_signal.SIGALRM, late)
    _signal.setitimer(_signal.ITIMER_REAL, seconds, AGAIN_S)
    return armed


def _disarm(armed: list[bool]) -> None:
    armed.clear()
    _signal.setitimer(_signal.ITIMER_REAL, 0)
    _signal.setitimer(_signal.ITIMER_PROF, 0)
