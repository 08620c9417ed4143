"""Once per session: the first caller of a name, of any process, is told so, and nobody after.

hook → [scope, once] → <session>/<agent>/<name>.once → True the first time
Where the directory cannot be written the answer is no: silence is safer than repetition. Hot: one system call.
"""

from __future__ import annotations

import posix

from hookwright.store.paths import file_name, session_dir

_EXCLUSIVE = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC


def scope(state: str | None, session: str, agent: str | None = None) -> str | None:
    """The directory for the marks of one session, and in it of one agent."""
    if state is None:
        return None
    return f"{session_dir(state, session)}/{file_name(agent) if agent else 'main'}"


def once(here: str | None, name: str) -> bool:
    """True for the first caller of this name in this scope, False for everyone after."""
    return here is not None and claim_file(f"{here}/{file_name(name)}.once")


def claim_file(path: str) -> bool:
    """True for the one caller, of any process, who creates this file; False also where it cannot be created."""
    try:
        try:
            descriptor = posix.open(path, _EXCLUSIVE, 0o600)
        except FileNotFoundError:  # the first mark of this session
            from hookwright.proc.private_dir import open_private  # noqa: PLC0415

            descriptor = open_private(path, _EXCLUSIVE)
        posix.close(descriptor)
    except (OSError, ValueError):
        return False
    return True
