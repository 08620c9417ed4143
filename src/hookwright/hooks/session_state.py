"""Small texts that a hook keeps from one event of a session to the next.

hook → [write_state] → <session>/<agent>/state/<name> → [read_state] → the same hook, at a later event
They last as long as the session and do not expire, not even when the clock is set back. Hot: one small file each.
"""

from __future__ import annotations

from hookwright.store import cache

_ALWAYS = 0.0  # a time of writing that no clock reads earlier than: the entry never counts as one from the future


def read_state(scope: str, name: str) -> str | None:
    """The text kept under this name; None if there is none. `scope` is a directory of `limits.scope`."""
    return cache.read(f"{scope}/state", name, _ALWAYS)


def write_state(scope: str, name: str, text: str) -> bool:
    """Keep the text; False if it cannot be written."""
    return cache.write(f"{scope}/state", name, text, _ALWAYS)


def forget_state(scope: str, name: str) -> None:
    cache.forget(f"{scope}/state", name)
