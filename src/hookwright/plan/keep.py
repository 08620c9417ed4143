"""Keeps a plan that was just compiled, for the next event to read.

compiler → [write] → <cache>/plan-… → read
"""

from __future__ import annotations

import marshal
import posix
from _imp import source_hash

from hookwright.plan.read import SALT
from hookwright.state.paths import make_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def write(path: str, value: tuple[Any, ...]) -> bool:
    """Whole or not at all, whoever else writes at the same time."""
    data = marshal.dumps(value)
    temporary = f"{path}.{posix.getpid()}"
    try:
        if not make_private(path[: path.rfind("/")]):
            return False
        descriptor = posix.open(temporary, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC | posix.O_CLOEXEC, 0o600)
        try:
            posix.write(descriptor, source_hash(SALT, data) + data)
        finally:
            posix.close(descriptor)
        posix.replace(temporary, path)
    except (OSError, ValueError):
        try:
            posix.unlink(temporary)
        except OSError:
            pass
        return False
    return True
