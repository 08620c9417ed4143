"""How each hook did lately, from the ledger.

store → [record] → hook → last fired, calls, median time, failures
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from statistics import median_low

LATELY = 20_000  # events; older ones would only slow the answer down


@dataclass
class Past:
    """One hook's calls among the latest events."""

    last: float | None = None  # seconds since 1970
    us: list[int] = field(default_factory=list)
    calls: int = 0
    failures: int = 0

    @property
    def median_us(self) -> int | None:
        return median_low(self.us) if self.us else None


def record(store: sqlite3.Connection) -> dict[str, Past]:
    """Every hook that ran in the latest events, silent ones included."""
    found: dict[str, Past] = {}
    rows = store.execute(
        "SELECT time, decisions FROM events WHERE decisions IS NOT NULL ORDER BY id DESC LIMIT ?", (LATELY,)
    )
    for time, text in rows:
        for said in _rows(text):
            past = found.setdefault(str(said.get("hook")), Past())
            past.last = time if past.last is None else past.last
            past.calls += 1
            past.failures += bool(said.get("failure"))
            us = said.get("us")
            if isinstance(us, int):
                past.us.append(us)
    return found


def _rows(text: str) -> list[dict[str, object]]:
    try:
        value = json.loads(text)
    except ValueError:
        return []
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
