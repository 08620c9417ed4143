"""A TTL cache in files: what was expensive to compute is kept until it expires, for all processes.

    text = cache.read(folder, "branch", now)
    if text is None:
        text = ask_git()
        cache.write(folder, "branch", text, now, ttl_seconds=30)

An entry carries its own times, so it does not depend on the file system's; a clock that went back makes it stale,
never eternal. A reader sees a whole entry or none. Hot: a read is one open, one stat and one read.
"""

from __future__ import annotations

import posix

from hookwright.proc.atomic_write import LEFTOVER_S, is_temporary, write_atomic
from hookwright.proc.safe_read import read_head
from hookwright.store.paths import file_name, make_private

MOST_BYTES = 1 << 20  # of one entry; what is larger belongs elsewhere
FOREVER = float("inf")
_HEAD_BYTES = 256  # the first line fits, with the longest key


def read(folder: str, key: str, now: float) -> str | None:
    """The text under this key, or None when there is none, it has expired or it is damaged."""
    try:
        content = read_head(f"{folder}/{file_name(key)}", MOST_BYTES + _HEAD_BYTES)
        head, _, text = content.decode().partition("\n")
        written, expires, owner = head.split(" ", 2)
        # The key is in the entry, so that two keys with one file name cannot answer for each other.
        if owner == _key_label(key) and float(written) <= now < float(expires):
            return text
    except (OSError, ValueError):
        return None
    return None


def write(
    folder: str, key: str, text: str, now: float, ttl_seconds: float = FOREVER, *, sweep: bool | None = None
) -> bool:
    """Keep the text under this key; True when the next reader will find it.

    One write in 64 removes what has expired; `sweep` says whether this one does.
    """
    content = f"{now} {now + ttl_seconds} {_key_label(key)}\n{text}".encode("utf-8", "replace")
    if len(content) > MOST_BYTES:
        return False
    try:
        if not make_private(folder):
            return False
        write_atomic(f"{folder}/{file_name(key)}", content, sweep=False)
        if posix.urandom(1)[0] < 4 if sweep is None else sweep:
            sweep_expired(folder, now)
    except (OSError, ValueError):
        return False
    return True


def forget(folder: str, key: str) -> None:
    """Remove what is kept under this key."""
    try:
        posix.unlink(f"{folder}/{file_name(key)}")
    except (OSError, ValueError):
        return


def sweep_expired(folder: str, now: float) -> int:
    """Remove expired entries, and temporary files that a killed writer left an hour ago; returns how many."""
    removed = 0
    for name in posix.listdir(folder):
        path = f"{folder}/{name}"
        try:
            if is_temporary(name):
                stale = abs(now - posix.stat(path).st_mtime) > LEFTOVER_S
            else:
                head = read_head(path, _HEAD_BYTES).split(b" ", 2)
                stale = len(head) < 3 or float(head[1]) <= now
            if stale:
                posix.unlink(path)
                removed += 1
        except (OSError, ValueError):  # not ours, or gone already
            continue
    return removed


def _key_label(key: str) -> str:
    """The key as one bounded word of the entry's first line."""
    return ascii(key[:200])
