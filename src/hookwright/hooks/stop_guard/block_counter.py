"""Count how often Claude was kept going in this session, for each reason, so that it cannot loop.

reason → [BlockCounter] → block again, or tell the user once and then stay silent
Claude Code's own cap of 8 is reset whenever a tool runs, so it does not end a loop in which Claude works; this does.
If the counts cannot be stored, the guard does not block: without memory it would block for ever.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from hookwright.proc.atomic_write import write_atomic
from hookwright.proc.safe_read import read_text
from hookwright.store import limits
from hookwright.store.lock import Lock
from hookwright.store.paths import make_private

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

_MAX_BYTES = 1 << 20  # of the counts of one session
_WAIT_S = 2.0  # for the lock, while another event of the same session holds it


class BlockCounter:
    """The counts of one session and agent. A context manager: changes are written on exit."""

    def __init__(self, state: str | None, session: str, agent: str | None, now: float) -> None:
        here = limits.scope(state, session, agent)
        self._path = f"{here}/stop.json" if here else ""
        self._now = now
        self._rows: dict[str, dict[str, Any]] = {}
        self._lock: Lock | None = None
        self.usable = False

    def __enter__(self) -> Self:
        if not self._path or not make_private(os.path.dirname(self._path)):
            return self
        self._lock = Lock(self._path + ".lock", _WAIT_S)
        self.usable = self._lock.acquire() and os.access(os.path.dirname(self._path), os.W_OK)
        try:
            rows = json.loads(read_text(self._path, _MAX_BYTES))
            self._rows = {name: row for name, row in rows.items() if isinstance(row, dict)}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, AttributeError):
            self.usable = False  # unreadable counts are as bad as none
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        try:
            if self.usable:
                write_atomic(self._path, json.dumps(self._rows).encode())
        except OSError:
            pass
        finally:
            if self._lock:
                self._lock.release()

    def count_blocks(self, reason: str) -> int:
        """How often this reason has blocked."""
        return int(self._rows.get(reason, {}).get("times", 0))

    def was_raised(self, reason: str, seconds: float, about: str = "") -> bool:
        """True if this reason was raised about the same thing within this time, before or after: clocks can jump."""
        row = self._rows.get(reason)
        return row is not None and abs(self._now - row["last"]) < seconds and row["about"] == about

    def record_block(self, reason: str, about: str = "") -> int:
        """Count one more block for this reason; returns the new count."""
        times = self.count_blocks(reason) + 1
        self._rows[reason] = {"times": times, "last": self._now, "about": about}
        return times

    def claim_once(self, what: str) -> bool:
        """True for the first caller in this session, for messages that are shown once."""
        if not self.usable or f"told {what}" in self._rows:
            return False
        self._rows[f"told {what}"] = {"times": 1, "last": self._now, "about": ""}
        return True
