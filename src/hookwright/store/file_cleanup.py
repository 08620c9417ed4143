"""Once a day, remove what grows with time: notices, snapshots, plans, data of projects, reports, leftovers of writers.

first record of a day → [sweep_files] → <state> and <cache> within the limits of KEPT
Never touches the journal, the ledger, backups, preferences or trust. Never raises. A day on which the clock cannot be
right (a month or more since the last sweep, or before it) removes nothing: the next one does.
"""

from __future__ import annotations

from hookwright.proc.atomic_write import remove_leftovers, write_atomic
from hookwright.proc.safe_read import read_head
from hookwright.proc.sweep import sweep_entries
from hookwright.store.paths import make_private
from hookwright.store.session_cleanup import sweep_sessions

DAY = 86400.0
MAX_GAP = 30 * DAY  # between two sweeps; after more, the clock may have jumped
MARK = "swept"  # the time of the last sweep
# Directory below the state, days unmodified, number of entries.
KEPT = (
    ("told", 180, 1000),  # notices: after that the user is told again
    ("looks", 365, 500),  # snapshots of `verify`, one a project
    ("projects", 120, 500),  # learned durations, passed checks
    ("reports", 90, 50),  # of crashes
)
CACHED_PROJECT_DAYS = 30
MOST_CACHED = 500
DAMAGED_DAYS, MOST_DAMAGED = 30, 6  # ledgers that were moved aside, each up to three files


def sweep_files(state: str, cache: str | None, now: float) -> list[str]:
    """Remove what is beyond its limits; returns the names. Call it once a day."""
    if not _is_clock_plausible(state, now):
        return []
    removed = sweep_sessions(state, now)
    for name, days, most in KEPT:
        removed += sweep_entries(f"{state}/{name}", now, days * DAY, most)
    removed += sweep_entries(state, now, DAMAGED_DAYS * DAY, MOST_DAMAGED, lambda name: ".damaged-" in name)
    if cache:
        removed += sweep_entries(f"{cache}/projects", now, CACHED_PROJECT_DAYS * DAY, MOST_CACHED)
        removed += sweep_entries(cache, now, CACHED_PROJECT_DAYS * DAY, MOST_CACHED, lambda name: name[:5] == "plan-")
    for folder in (state, cache, f"{state}/looks", f"{state}/notify", f"{state}/told"):
        if folder:
            remove_leftovers(folder, now)
            removed += sweep_entries(folder, now, DAY, MOST_CACHED, lambda name: name.endswith(".draft"))  # before 0.2
    return removed


def _is_clock_plausible(state: str, now: float) -> bool:
    """True if the last sweep was before `now`, and not long before. Records `now` in any case."""
    path = f"{state}/{MARK}"
    try:
        last = float(read_head(path, 32))
    except (OSError, ValueError):
        last = 0.0
    try:
        if make_private(state):
            write_atomic(path, f"{now:.0f}".encode())
    except (OSError, ValueError):
        return False
    return 0 <= now - last <= MAX_GAP
