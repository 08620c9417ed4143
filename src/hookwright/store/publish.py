"""Publish what was learned for the hook process: only the projects whose sums changed.

sums → [publish_changed] → estimate → durations_write → <state>/projects/<project>/durations
Run by the background refresh and `hookwright learn`; commands that read the ledger never publish.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookwright.shell.command import Command
from hookwright.shell.command_key import JOINED, key_of
from hookwright.shell.duration import classify_duration
from hookwright.shell.intents import intent_of
from hookwright.store import durations_read, durations_write
from hookwright.store.duration_sums import load_project
from hookwright.store.estimate import MAX_KEYS, MODEL_VERSION

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping
    from typing import Any

MAX_TEXTS = 400  # the latest commands of a project that are published as whole texts
MAX_SAMPLES = 5000  # of which they are taken


def publish_changed(store: sqlite3.Connection, state: str, now: float) -> int:
    """Write the durations of every project whose sums changed; returns the number of projects."""
    written = 0
    _request_new_format(store)
    for (project,) in store.execute("SELECT project FROM unpublished").fetchall():
        if publish_project(store, state, project, now) if project else publish_shared(store, state, now):
            store.execute("DELETE FROM unpublished WHERE project = ?", (project,))
            written += bool(project)
    return written


def _request_new_format(store: sqlite3.Connection) -> None:
    """After an upgrade every project is written again: its file has an older format, or was made by another model."""
    version = f"{durations_read.FORMAT_VERSION} {MODEL_VERSION}"
    row = store.execute("SELECT value FROM meta WHERE name = 'published'").fetchone()
    if row is None or row["value"] != version:
        store.execute("INSERT OR IGNORE INTO unpublished SELECT DISTINCT project FROM sums")
        store.execute("INSERT OR REPLACE INTO meta VALUES ('published', ?)", (version,))


def publish_shared(store: sqlite3.Connection, state: str, now: float) -> bool:
    """Write what a project can expect of commands that it has not run, from all other projects."""
    rows = load_project(store, "", MAX_KEYS).build_shared_rows(now)
    serving = {key for key in rows if intent_of(key) == "server"}
    return durations_write.write_table(f"{state}/{durations_read.SHARED}", rows, None, serving)


def publish_project(store: sqlite3.Connection, state: str, project: str, now: float) -> bool:
    rows = load_project(store, project, MAX_KEYS).build_rows(project, now)
    serving = {key for key in rows if any(intent_of(part) == "server" for part in key.split(JOINED))}
    return durations_write.write_durations(state, project, rows, _latest_texts(store, project, rows), serving)


def _latest_texts(store: sqlite3.Connection, project: str, rows: Mapping[str, tuple[Any, ...]]) -> dict[str, Any]:
    """The latest commands as whole texts, where one row is all that is known of them."""
    latest = store.execute(
        "SELECT s.command AS no, c.command FROM (SELECT command, time FROM samples WHERE project = "
        "(SELECT no FROM projects WHERE project = ?) ORDER BY time DESC LIMIT ?) s "
        "JOIN commands c ON c.no = s.command GROUP BY no ORDER BY max(s.time) DESC LIMIT ?",
        (project, MAX_SAMPLES, MAX_TEXTS),
    )
    texts = {}
    for _, command in latest:
        key = key_of(command)
        levels = key.segments[0].levels if len(key.segments) == 1 else ()
        row = next((rows[level] for level in (key.text, *levels) if level in rows), None)
        if row is not None and (durations_write.is_slow(row) or classify_duration(Command(command))[0] != "none"):
            texts[command] = (key.text, key.intent == "server", row)
    return texts
