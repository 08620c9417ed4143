"""How `hookwright learn` shows what it read, and which commands are now known to be slow or quick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookwright.cli.output import print_line
from hookwright.cli.text import count, escape_line, format_seconds
from hookwright.shell.command import Command
from hookwright.shell.duration import classify_duration
from hookwright.store import durations_read, durations_write

if TYPE_CHECKING:
    import sqlite3

    from hookwright.store.learn import LearnResult

MAX_ROWS = 8


def show_result(found: LearnResult, *, dry_run: bool) -> None:
    parts = (
        count(found.transcripts, "transcript"),
        count(found.calls, "tool call"),
        count(found.durations, "command duration"),
        count(found.background_ends, "end of background commands", "ends of background commands"),
        count(found.questions, "question"),
        count(found.hooks, "hook run"),
    )
    print_line(f"{'Would read' if dry_run else 'Read'} {', '.join(parts)}.")
    if found.skipped:
        print_line(f"Skipped {count(found.skipped, 'entry', 'entries')} of unknown form.")


def show_durations(store: sqlite3.Connection, state: str) -> None:
    for title, rows in _group_durations(store, state).items():
        if rows:
            print_line()
            print_line(title)
        for row in rows:
            runs = f"{row['n']:4} {'run' if row['n'] == 1 else 'runs'}"
            print_line(f"  {escape_line(row['key'], 60):60} {runs}, usually {format_seconds(row['median_s'])}")


def _group_durations(store: sqlite3.Connection, state: str) -> dict[str, list[dict[str, Any]]]:
    """Commands that will be moved to the background, and commands that will not although their name suggests it."""
    column = 4 + durations_read.THRESHOLDS.index(60)
    long, quick = [], []
    projects = [row["project"] for row in store.execute("SELECT DISTINCT project FROM sums WHERE project != ''")]
    for project in projects:
        for key, row in durations_write.read_durations(state, project).items():
            if key.endswith("…"):
                continue
            known = {"key": key, "n": row[0], "median_s": row[1]}
            if row[column] >= 0.6:
                long.append(known)
            elif row[column] <= 0.4 and classify_duration(Command(key))[0] == "force":
                quick.append(known)
    return {
        "Slow here, moved to the background:": sorted(long, key=lambda row: -row["median_s"])[:MAX_ROWS],
        "Quick here, kept in the foreground whatever their name:": sorted(quick, key=lambda row: -row["n"])[:MAX_ROWS],
    }
