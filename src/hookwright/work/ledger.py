"""The loop ledger: how often Claude was kept going, for which reason, in this session.

reason → [may_block] → yes | no; after the last time → one word to the user, then silence
Claude Code's own cap of 8 starts anew whenever a tool ran, so it does not end a loop that works; this one does.
Without a place to remember, the answer is no: a guard that forgets would go on for ever.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from hookwright.state import limits
from hookwright.state.lock import Lock
from hookwright.state.paths import make_private

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

_WAIT_S = 2.0  # for another event of the same session


class Ledger:
    """The blocks of one session and agent. Use as a context: what was noted is written at the end."""

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
            with open(self._path, encoding="utf-8") as file:
                rows = json.load(file)
            self._rows = {name: row for name, row in rows.items() if isinstance(row, dict)}
        except FileNotFoundError:
            pass
        except (OSError, ValueError, AttributeError):
            self.usable = False  # unreadable: as good as no place
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        try:
            if self.usable:
                draft = f"{self._path}.{os.getpid()}"
                with open(draft, "w", encoding="utf-8") as file:
                    json.dump(self._rows, file)
                os.replace(draft, self._path)
        except OSError:
            pass
        finally:
            if self._lock:
                self._lock.release()

    def times(self, reason: str) -> int:
        """How often this reason has blocked."""
        return int(self._rows.get(reason, {}).get("times", 0))

    def lately(self, reason: str, seconds: float, about: str = "") -> bool:
        """Was this reason raised within this time, about the same thing? A clock that jumped counts as long ago."""
        row = self._rows.get(reason)
        return row is not None and abs(self._now - row["last"]) < seconds and row["about"] == about

    def note(self, reason: str, about: str = "") -> int:
        """Claude was kept going for this reason; how often that makes."""
        times = self.times(reason) + 1
        self._rows[reason] = {"times": times, "last": self._now, "about": about}
        return times

    def first(self, what: str) -> bool:
        """True once in a session for each thing that is told once."""
        if not self.usable or f"told {what}" in self._rows:
            return False
        self._rows[f"told {what}"] = {"times": 1, "last": self._now, "about": ""}
        return True
