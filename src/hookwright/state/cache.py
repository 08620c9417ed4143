"""A TTL cache in files: what was dear to compute is kept until it expires, for every process that asks.

    text = cache.read(folder, "branch", now)
    if text is None:
        text = ask_git()
        cache.write(folder, "branch", text, now, ttl_seconds=30)

An entry carries its own times, so it means the same on every platform; a clock that went back makes it stale,
never eternal. A reader sees a whole entry or none. Hot: a read is one open and one read.
"""

from __future__ import annotations

import posix

from hookwright.state.paths import file_name, make_private

MOST_BYTES = 1 << 20  # of one entry; what is larger belongs elsewhere
FOREVER = float("inf")

_WRITE = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC | posix.O_NOFOLLOW


def read(folder: str, key: str, now: float) -> str | None:
    """The text under this key, or None when there is none, it has expired or it is damaged."""
    try:
        descriptor = posix.open(f"{folder}/{file_name(key)}", posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            content = posix.read(descriptor, MOST_BYTES + 256)
        finally:
            posix.close(descriptor)
        head, _, text = content.decode().partition("\n")
        written, expires, owner = head.split(" ", 2)
        # The key stands in the entry, so that two keys with one file name cannot answer for each other.
        if owner == _label(key) and float(written) <= now < float(expires):
            return text
    except (OSError, ValueError):
        return None
    return None


def write(folder: str, key: str, text: str, now: float, ttl_seconds: float = FOREVER) -> bool:
    """Keep the text under this key; True when the next reader will find it."""
    content = f"{now} {now + ttl_seconds} {_label(key)}\n{text}".encode("utf-8", "replace")
    if len(content) > MOST_BYTES:
        return False
    path = f"{folder}/{file_name(key)}"
    draft = f"{path}.{posix.getpid()}.{posix.urandom(4).hex()}.draft"
    try:
        if not make_private(folder):
            return False
        descriptor = posix.open(draft, _WRITE, 0o600)
        try:
            whole = posix.write(descriptor, content) == len(content)
        finally:
            posix.close(descriptor)
        if whole:
            posix.rename(draft, path)
        else:
            posix.unlink(draft)
        if not posix.getpid() % 64:  # one process in 64 tidies up
            sweep(folder, now)
    except (OSError, ValueError):
        return False
    return whole


def forget(folder: str, key: str) -> None:
    """Drop what is kept under this key."""
    try:
        posix.unlink(f"{folder}/{file_name(key)}")
    except (OSError, ValueError):
        return


def sweep(folder: str, now: float) -> int:
    """Remove expired entries, and drafts that a killed writer left an hour ago; how many went."""
    removed = 0
    for name in posix.listdir(folder):
        path = f"{folder}/{name}"
        try:
            if name.endswith(".draft"):
                stale = abs(now - posix.stat(path).st_mtime) > 3600
            else:
                descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
                try:
                    head = posix.read(descriptor, 256).split(b" ", 2)
                finally:
                    posix.close(descriptor)
                stale = len(head) < 3 or float(head[1]) <= now
            if stale:
                posix.unlink(path)
                removed += 1
        except (OSError, ValueError):  # not ours, or gone already
            continue
    return removed


def _label(key: str) -> str:
    """The key as one bounded word of the entry's first line."""
    return ascii(key[:200])
