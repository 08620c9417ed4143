"""Keep what is learned of durations as one row of sums per key, so that a new run costs the same however long the past.

samples → [SumsUpdate.add, .replace] → table `sums` → [load_project] → estimate.Learner → publish
A run changes the sums of its levels (`pytest -x <node>`, `pytest <node>`, `pytest …`, shared `pytest …`), and marks its
project as unpublished. The sums are those of `estimate.fit_samples` over the same samples in the order of arrival;
`rebuild_sums` computes them again from all samples in order of time. docs/learning.md says what each sum means.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hookwright.shell.command import Command
from hookwright.shell.command_key import key_of
from hookwright.shell.duration import classify_duration
from hookwright.store.estimate import MODEL_VERSION, Learner, Sample, Stats
from hookwright.version import __version__

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from hookwright.store.estimate import CountedRun

    Place = tuple[str, str]  # project ('' is shared) and level

VERSION = f"{MODEL_VERSION} {__version__}"  # keys and classes of commands change between versions
LATE_S = 86400.0  # a sample that comes later than that is not in order any more: the sums are built again
_STATS = ("n", "s1", "s2", "time", "weight", "runs", "over_60", "censored")
_COLUMNS = f"project, level, parent, parent_project, tier, {', '.join(_STATS)}, background"
_SAVE = f"INSERT OR REPLACE INTO sums ({_COLUMNS}) VALUES ({', '.join('?' * (_COLUMNS.count(',') + 1))})"  # noqa: S608


class SumsUpdate:
    """Adds samples to the sums, within the caller's transaction; `save` writes what changed."""

    def __init__(self, store: sqlite3.Connection) -> None:
        self._store = store
        self._learner = Learner()
        self._loaded: set[Place] = set()
        self._changed: set[Place] = set()
        self._commands: dict[str, tuple[tuple[str, ...], str, str]] = {}
        self.late = False  # a sample was much older than what its sums already hold

    def add(self, sample: sqlite3.Row | dict[str, object]) -> str | None:
        """Count a sample; returns what has to be kept of a bound (samples.counted)."""
        run = self._as_run(sample)
        if run is None:
            return None
        places = self._load_levels(run)
        latest = max((self._learner.stats[place].time for place in places if place in self._learner.stats), default=0.0)
        self.late = self.late or run.time < latest - LATE_S
        counted = self._learner.add_sample(run)
        self._changed.update(places)
        return json.dumps(counted) if run.kind != "exact" else None

    def remove(self, sample: sqlite3.Row | dict[str, object]) -> None:
        """Take out a bound, because more is known of its run now."""
        run = self._as_run(sample)
        if run is None or not sample["counted"]:
            return
        counted: list[CountedRun] = [tuple(each) for each in json.loads(str(sample["counted"]))]
        self._changed.update(self._load_levels(run))
        self._learner.remove_sample(run, counted)

    def save(self) -> None:
        learner = self._learner
        rows = []
        for project, level in self._changed:
            stats = learner.stats[project, level]
            parent = learner.parents.get((project, level)) or (None, None)
            values = (getattr(stats, name) for name in _STATS)
            rows.append(
                (project, level, parent[1], parent[0], learner.tiers[project, level], *values, stats.background)
            )
        self._store.executemany(_SAVE, rows)
        projects = {(project,) for project, _ in self._changed}
        self._store.executemany("INSERT OR IGNORE INTO unpublished VALUES (?)", projects)
        self._changed.clear()

    def _as_run(self, sample: sqlite3.Row | dict[str, object]) -> Sample | None:
        command = str(sample["command"])
        known = self._commands.get(command)
        if known is None:
            known = self._commands[command] = describe_command(command)
        levels, shared, tier = known
        if not levels:
            return None
        moved = sample["moved"]
        return Sample(
            levels,
            tier,
            float(sample["seconds"]),  # type: ignore[arg-type]
            float(sample["time"]),  # type: ignore[arg-type]
            kind=str(sample["kind"]),
            weight=float(sample["weight"]),  # type: ignore[arg-type]
            shared=shared,
            project=str(sample["project"] or ""),
            background=None if moved is None else bool(moved),
        )

    def _load_levels(self, run: Sample) -> list[Place]:
        places = self._learner.link_levels(run)
        for place in places:
            if place not in self._loaded:
                self._loaded.add(place)
                rows = self._store.execute(f"SELECT {_COLUMNS} FROM sums WHERE project = ? AND level = ?", place)  # noqa: S608
                load_rows(self._learner, rows)
        return self._learner.link_levels(run)  # the latest sample says what the parent is


def load_rows(learner: Learner, rows: Iterable[sqlite3.Row]) -> None:
    """Give a learner the sums of these rows."""
    for row in rows:
        place = (row["project"], row["level"])
        background = row["background"]
        learner.stats[place] = Stats(
            **{name: row[name] for name in _STATS}, background=None if background is None else bool(background)
        )
        learner.tiers[place] = row["tier"]
        learner.parents[place] = (row["parent_project"], row["parent"]) if row["parent"] is not None else None


def load_project(store: sqlite3.Connection, project: str, most: int) -> Learner:
    """A learner with the latest sums of one project, and all that is shared between projects."""
    learner = Learner()
    latest = f"SELECT {_COLUMNS} FROM sums WHERE project = ? ORDER BY time DESC LIMIT ?"  # noqa: S608
    load_rows(learner, store.execute(latest, (project, most)))
    parents = list(learner.parents.values())
    while parents:
        place = parents.pop()
        if place is not None and place not in learner.stats:
            load_rows(learner, store.execute(f"SELECT {_COLUMNS} FROM sums WHERE project = ? AND level = ?", place))  # noqa: S608
            parents.append(learner.parents.get(place))
    return learner


def are_current(store: sqlite3.Connection) -> bool:
    """Whether the sums are those of this version: else `rebuild_sums` has to run before samples can be added."""
    row = store.execute("SELECT value FROM meta WHERE name = 'sums'").fetchone()
    if row is None and store.execute("SELECT 1 FROM samples LIMIT 1").fetchone() is None:
        _set_version(store, VERSION)  # a new ledger
        return True
    return row is not None and row["value"] == VERSION


def request_rebuild(store: sqlite3.Connection, now: float) -> None:
    """Let the next refresh compute the sums again from all samples, once a day: a clock may be wrong for longer."""
    row = store.execute("SELECT value FROM meta WHERE name = 'sums_requested'").fetchone()
    if row is None or not 0 <= now - float(row["value"]) < LATE_S:
        store.execute("INSERT OR REPLACE INTO meta VALUES ('sums_requested', ?)", (str(now),))
        _set_version(store, "")


def rebuild_sums(store: sqlite3.Connection) -> None:
    """Compute all sums from the samples in order of time; in one transaction, so that a kill leaves the old ones."""
    store.execute("BEGIN IMMEDIATE")
    try:
        store.execute("DELETE FROM sums")
        update = SumsUpdate(store)
        bounds = []
        for row in store.execute(f"{SELECT_SAMPLES} ORDER BY time"):
            counted = update.add(row)
            if counted is not None:
                bounds.append((counted, row["tool_use_id"], row["session"]))
        store.executemany("UPDATE samples SET counted = ? WHERE tool_use_id = ? AND session = ?", bounds)
        update.save()
        _set_version(store, VERSION)
        store.execute("COMMIT")
    except BaseException:
        store.execute("ROLLBACK")
        raise


SELECT_SAMPLES = (
    "SELECT s.session, s.tool_use_id, s.time, p.project, c.command, s.seconds, s.kind, s.weight, s.moved, s.counted "
    "FROM samples s LEFT JOIN projects p ON p.no = s.project JOIN commands c ON c.no = s.command"
)


def describe_command(command: str) -> tuple[tuple[str, ...], str, str]:
    """The levels under which a command is learned, the level shared with other projects, and its static class."""
    key = key_of(command)
    if not key.segments:
        return (), "", "none"
    tier = classify_duration(Command(command))[0]
    if len(key.segments) > 1:
        return (key.text,), "", tier
    (segment,) = key.segments
    return segment.levels, "" if segment.own else segment.levels[-1], tier


def _set_version(store: sqlite3.Connection, version: str) -> None:
    store.execute("INSERT OR REPLACE INTO meta VALUES ('sums', ?)", (version,))
