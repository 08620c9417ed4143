"""Bring the bundle up to date: at once for `install`, or in a detached child after an event was answered without it.

main, after the answer → [update_in_background] → fork → lock → bundle_builder
Nobody waits for the child: it has a session of its own, no standard streams and a low priority. One process builds at
a time, under a lock, and none within RETRY_S of the last attempt: with a full disk, not every event costs a build.
"""

from __future__ import annotations

import posix
import time

from hookwright.runtime import bundle_loader
from hookwright.store.lock import Lock
from hookwright.store.paths import make_private

RETRY_S = 20.0
MANAGED_BUNDLE = "managed-bundle."  # begins the name of the bundle for everybody, which `install` builds, as root
_NICE = 10
_OPEN_FILES = 256  # a descriptor that the client passed on and the child held open could keep the client waiting


def update_bundle(folder: str, wait_s: float = 0.0) -> bool:
    """Build the bundle if it is incomplete or outdated; False if it cannot be written, or somebody else is at it."""
    if is_managed(folder):
        return False
    cache = folder[: folder.rfind("/")]
    from hookwright.proc.shared_dir import find_sharing  # noqa: PLC0415  cold

    if not make_private(cache) or find_sharing(cache):
        return False
    with Lock(f"{folder}.lock", wait_s) as lock:
        if not lock:
            return False
        from hookwright.runtime import bundle_builder  # noqa: PLC0415  cold, and not before the lock is held

        try:
            if not bundle_builder.is_current(folder):
                bundle_builder.build_bundle(folder)
        except OSError:
            return False
        return True


def is_managed(folder: str) -> bool:
    return folder[folder.rfind("/") + 1 :].startswith(MANAGED_BUNDLE)


def update_in_background(folder: str) -> None:
    """Fork a child that calls `update_bundle`, unless somebody did lately."""
    if is_managed(folder):
        return
    try:
        if abs(time.time() - posix.stat(f"{folder}.lock").st_mtime) < RETRY_S:  # written by whoever holds the lock
            return
    except OSError:  # no attempt yet, or no cache directory, which the child finds out
        pass
    if posix.fork():
        return
    try:
        posix.setsid()
        posix.nice(_NICE)
        nowhere = posix.open("/dev/null", posix.O_RDWR)
        for stream in (0, 1, 2):
            posix.dup2(nowhere, stream)
        posix.closerange(3, _OPEN_FILES)
        bundle_loader.unload()  # the builder needs the modules as they are written
        update_bundle(folder)
    finally:
        posix._exit(0)  # noqa: SLF001
