"""End a process group: the child process, and everything it started that stayed in its group.

pid of a child that leads its own group → [kill_child | terminate_group] → its wait status
The one place that sends signals to groups. The group is signalled before its leader is reaped: until then the kernel
cannot reuse the number. Hot: C modules only.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of signal
import posix
import select
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GRACE_S = 1.0  # between SIGTERM and SIGKILL
_POLL_S = 0.01  # between checks of a process, where the kernel has no pidfd


def signal_group(group: int, number: int) -> bool:
    """Send a signal to all members of a group; False if there is none, or none of ours."""
    try:
        posix.killpg(group, number)
    except OSError:
        return False
    return True


def kill_child(child: int) -> int:
    """SIGKILL the child and its group and reap it; its wait status."""
    signal_group(child, _signal.SIGKILL)
    try:
        posix.kill(child, _signal.SIGKILL)  # a fork that has not yet called setsid() has no group
    except OSError:
        pass
    return reap(child)


def terminate_group(child: int, grace_s: float = GRACE_S) -> int:
    """SIGTERM the group; when its leader has ended or the grace is over, SIGKILL the rest. The leader's wait status."""
    signal_group(child, _signal.SIGTERM)
    return finish_group(child, monotonic() + grace_s)


def finish_group(child: int, deadline: float) -> int:
    """Wait for the leader until `deadline` (monotonic), SIGKILL whatever is left and reap the leader."""
    status = wait_for_exit(child, deadline)
    signal_group(child, _signal.SIGKILL)
    return reap(child) if status is None else status


def reap(child: int) -> int:
    """Wait for a child that has ended or was killed; its wait status, 0 if it was reaped elsewhere."""
    try:
        return posix.waitpid(child, 0)[1]
    except ChildProcessError:  # a parent that ignores SIGCHLD has no zombies
        return 0


def wait_for_exit(child: int, deadline: float) -> int | None:
    """Wait for a child until `deadline` (monotonic); its wait status if it could only be learned by reaping, else None.

    Where the kernel gives out a pidfd, the child stays unreaped, so that its group can still be signalled safely.
    """
    watch = open_pidfd(child)
    if watch < 0:
        return _reap_by_polling(child, deadline)
    poll = select.poll()
    poll.register(watch, select.POLLIN)
    poll.poll(max(0.0, deadline - monotonic()) * 1000)
    posix.close(watch)
    return None


def _reap_by_polling(child: int, deadline: float) -> int | None:
    while True:
        try:
            found, status = posix.waitpid(child, posix.WNOHANG)
        except ChildProcessError:
            return 0
        if found:
            return status
        left = deadline - monotonic()
        if left <= 0:
            return None
        select.poll().poll(min(left, _POLL_S) * 1000)  # sleeps


def open_pidfd(child: int) -> int:
    """A descriptor that becomes readable when the process exits; -1 where unsupported (macOS)."""
    try:
        return posix.pidfd_open(child)
    except (AttributeError, OSError):
        return -1


def kill_on_sigterm(child: int) -> Any:
    """On SIGTERM to this process, end the child's group too; returns the former handler, to be restored.

    Start the child between `block_sigterm` and `unblock_sigterm`, and call this before the latter: a signal that comes
    before the handler is in place would end us and leave the child.
    """

    def kill_and_exit(number: int, frame: object) -> None:
        kill_child(child)
        posix._exit(128 + number)  # noqa: SLF001

    return _signal.signal(_signal.SIGTERM, kill_and_exit)


def block_sigterm() -> Any:
    """Hold SIGTERM back; the former mask, for `unblock_sigterm` and for the child."""
    return _signal.pthread_sigmask(_signal.SIG_BLOCK, (_signal.SIGTERM,))


def unblock_sigterm(former: Any) -> None:
    _signal.pthread_sigmask(_signal.SIG_SETMASK, former)
