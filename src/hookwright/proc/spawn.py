"""Start a program in its own session, without `subprocess`, whose import costs as much as an interpreter's start.

argv, environment → [spawn_session | start_detached] → pid
In its own session and group it can be ended whole, and a signal to our group does not reach it. Hot: C modules only.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of signal
import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_DEV_NULL = "/dev/null"
_STDERR = 2
# Python ignores these two signals; a program that inherits that would write into a closed pipe for ever.
_DEFAULT_SIGNALS = (_signal.SIGPIPE, _signal.SIGXFSZ)


def open_missing_streams() -> None:
    """Put /dev/null in the place of a closed standard stream. Call it before opening a pipe for a child.

    Otherwise the pipe may get the number of that stream, which the child replaces with its own.
    """
    try:
        while (descriptor := posix.open(_DEV_NULL, posix.O_RDWR)) <= _STDERR:
            pass
        posix.close(descriptor)
    except OSError:  # a place without /dev
        return


def spawn_session(argv: Sequence[str], env: Mapping[Any, Any], actions: Sequence[Any], mask: Any = None) -> int:
    """Start argv[0], found in the absolute entries of our PATH, with these file actions; its pid.

    `mask`: the signals that are blocked in the program, instead of those that are blocked here. Raises OSError,
    ValueError.
    """
    words = list(argv)
    program = words[0]
    if "/" not in program:
        from hookwright.proc.find_program import require_program  # noqa: PLC0415  our own programs have a path

        program = require_program(program, posix.environ.get(b"PATH", b"").decode("utf-8", "surrogateescape"))
    options: dict[str, Any] = {"file_actions": actions, "setsigdef": _DEFAULT_SIGNALS}
    if mask is not None:
        options["setsigmask"] = mask
    try:
        return posix.posix_spawn(program, words, env, setsid=True, **options)
    except NotImplementedError:  # a C library without POSIX_SPAWN_SETSID: at least its own group
        return posix.posix_spawn(program, words, env, setpgroup=0, **options)


def start_detached(argv: Sequence[str], stdin: bytes = b"") -> int:
    """Start a program that outlives us, without waiting for it or reading its output; its pid. Raises OSError.

    `stdin` must fit into a pipe (64 KiB), since nothing feeds it later.
    """
    actions: list[Any] = [(posix.POSIX_SPAWN_OPEN, stream, _DEV_NULL, posix.O_RDWR, 0) for stream in (0, 1, 2)]
    if not stdin:
        return spawn_session(argv, posix.environ, actions)
    open_missing_streams()
    read_end, write_end = posix.pipe()
    try:
        actions[0] = (posix.POSIX_SPAWN_DUP2, read_end, 0)
        child = spawn_session(argv, posix.environ, actions)
        posix.write(write_end, stdin)
    finally:
        posix.close(read_end)
        posix.close(write_end)
    return child
