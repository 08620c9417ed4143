"""Read how each hook performed lately, from the ledger.

store → [read_usage] → hook → last fired, calls, median time, failures → status
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field

from hookwright.store.event_rows import parse_decisions

MAX_EVENTS = 20_000  # reading older ones would only take time


@dataclass
class HookUsage:
    """One hook's calls among the latest events."""

    last: float | None = None  # seconds since 1970
    us: list[int] = field(default_factory=list)
    calls: int = 0
    failures: int = 0

    @property
    def median_us(self) -> int | None:
        return sorted(self.us)[(len(self.us) - 1) // 2] if self.us else None


def read_usage(store: sqlite3.Connection) -> dict[str, HookUsage]:
    """Usage of every hook that ran in the latest events, including those that stayed silent."""
    found: dict[str, HookUsage] = {}
    rows = store.execute(
        "SELECT time, decisions FROM event_rows WHERE decisions IS NOT NULL ORDER BY id DESC LIMIT ?", (MAX_EVENTS,)
    )
    for time, text in rows:
        for decision in parse_decisions(text):
            usage = found.setdefault(str(decision.get("hook")), HookUsage())
            usage.last = time if usage.last is None else usage.last
            usage.calls += 1
            usage.failures += bool(decision.get("failure"))
            us = decision.get("us")
            if isinstance(us, int):
                usage.us.append(us)
    return found
