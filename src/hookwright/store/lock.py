"""The lock of the state kit (docs/state.md); `proc/file_lock.py` implements it. Hot."""

from hookwright.proc.file_lock import Lock, owner_pid

__all__ = ["Lock", "owner_pid"]
