"""Once per session, and not more often than: what keeps a hook from repeating itself.

    here = limits.scope(state, session, agent)
    if limits.once(here, "told-about-config"):
        ...                                        # the first time in this session, for this agent
    if limits.allow(here, "stop", now, most=1, per_seconds=60):
        ...                                        # at most once a minute

Right for any number of processes at once, without a lock to wait for. When the folder cannot be written the
answer is no: silence is safer than spam. Hot: two or three system calls each.
"""

from __future__ import annotations

import posix

from hookwright.state.paths import file_name, make_private, session_dir

_EXCLUSIVE = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC | posix.O_NOFOLLOW
_APPEND = posix.O_RDWR | posix.O_CREAT | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW
_ENTRY = 24  # bytes: a time and a number of chance, so that a writer knows its own entry again
_MOST_READ = 1 << 16


def scope(state: str | None, session: str, agent: str | None = None) -> str | None:
    """The folder in which the marks of one session, and there of one agent, lie."""
    if state is None:
        return None
    return f"{session_dir(state, session)}/{file_name(agent) if agent else 'main'}"


def once(here: str | None, name: str) -> bool:
    """True for the first caller of this name in this scope, False for everyone after."""
    if here is None:
        return False
    try:
        posix.close(_open(here, file_name(name) + ".once", _EXCLUSIVE))
    except (OSError, ValueError):
        return False
    return True


def forget(here: str, name: str) -> None:
    """Make `once` and `allow` begin anew for this name."""
    for kind in (".once", ".times"):
        try:
            posix.unlink(f"{here}/{file_name(name)}{kind}")
        except (OSError, ValueError):
            continue


def allow(here: str | None, name: str, now: float, *, most: int, per_seconds: float) -> bool:
    """True when this is one of the at most `most` permitted times within any `per_seconds`."""
    if here is None or most < 1:
        return False
    try:
        descriptor = _open(here, file_name(name) + ".times", _APPEND)
        try:
            times = _times(posix.read(descriptor, _MOST_READ))
            if not _permitted([time for time, _ in times], now, most, per_seconds):
                return False
            # Append first, then read what everybody appended: the file's order decides who was in time, and all
            # who read it come to the same result.
            own = posix.urandom(4).hex()
            entry = f"{now:014.3f} {own}\n".encode()
            if len(entry) != _ENTRY or posix.write(descriptor, entry) != _ENTRY:
                return False
            posix.lseek(descriptor, 0, 0)
            times = _times(posix.read(descriptor, _MOST_READ))
            return _verdict(times, own, most, per_seconds)
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return False


def _open(folder: str, name: str, flags: int) -> int:
    try:
        return posix.open(f"{folder}/{name}", flags, 0o600)
    except FileNotFoundError:
        make_private(folder)
        return posix.open(f"{folder}/{name}", flags, 0o600)


def _times(content: bytes) -> list[tuple[float, str]]:
    found = []
    for at in range(0, len(content) - _ENTRY + 1, _ENTRY):
        time, _, own = content[at : at + _ENTRY].decode().strip().partition(" ")
        found.append((float(time), own))
    return found


def _verdict(times: list[tuple[float, str]], own: str, most: int, per_seconds: float) -> bool:
    permitted: list[float] = []
    for time, who in times:
        good = _permitted(permitted, time, most, per_seconds)
        if who == own:
            return good
        if good:
            permitted.append(time)
    return False


def _permitted(times: list[float], now: float, most: int, per_seconds: float) -> bool:
    """Both directions count: a clock that went back must neither forgive nor block for longer than the span."""
    return sum(abs(now - time) < per_seconds for time in times) < most
