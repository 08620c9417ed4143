"""Remove the directories of old sessions: markers, limits and records of the files they changed.

first record of a day → [sweep_sessions] → <state>/sessions without those unmodified for a month
Never raises. A session that is resumed later starts with empty state.
"""

from __future__ import annotations

from hookwright.proc.sweep import sweep_entries

KEEP_DAYS = 30
MOST_SESSIONS = 5000


def sweep_sessions(state: str, now: float, keep_days: int = KEEP_DAYS) -> list[str]:
    """Remove sessions unmodified for `keep_days`; returns their names."""
    return sweep_entries(f"{state}/sessions", now, keep_days * 86400, MOST_SESSIONS)
