"""What the browser asks: one function per question, from parameters to JSON values.

GET api/NAME?… → [answer_question] → store.page_queries, store.queries → JSON
Every function reads; none writes, and each reads a bounded number of rows.
"""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

from hookwright.errors import UserError
from hookwright.page.change_commands import (
    commands_for_duration,
    commands_for_event,
    commands_for_hook,
    commands_for_question,
    commands_for_task,
)
from hookwright.page.ledger_reader import open_read_only
from hookwright.page.run_hookwright import run_hookwright
from hookwright.store import page_queries, queries
from hookwright.store.daily import parse_object
from hookwright.store.event_rows import parse_decisions
from hookwright.store.stats import journal_health
from hookwright.version import __version__

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping

    from hookwright.page.ledger_reader import LedgerUpdater
    from hookwright.page.run_hookwright import RunningCommands

    Question = Callable[["Api", sqlite3.Connection, "Parameters"], Any]

SPANS = {"1h": 3600, "24h": 86400, "7d": 7 * 86400, "30d": 30 * 86400, "90d": 90 * 86400}
DEFAULT_SPAN = "24h"
MAX_TIME = 1e11  # seconds; beyond that nothing was recorded
MAX_DURATIONS = 60  # keys of a project
MAX_DOTS = 60  # runs of a key
LONG_S = 60.0
RUNNING = ("running", "orphan", "unknown")  # states of a background command that may still run
CONFIG_TIMEOUT_S = 30.0
CONFIG_FRESH_S = 5.0
# Fields of a record that say what a decision was based on.
EVIDENCE = (
    *("guard", "learned", "file", "behind", "presence", "shadow", "waited_ms", "notified", "questions_problem"),
    *("questions_unread", "problem", "task_status"),
)


class NotFound(UserError):
    """There is no such event or question."""


class Parameters:
    """The query of a request, with the words checked."""

    def __init__(self, values: Mapping[str, str], now: float | None = None) -> None:
        self._values = values
        self.now = time.time() if now is None else now
        name = values.get("span") or DEFAULT_SPAN
        if name not in SPANS:
            raise UserError(f"{name!r} is not a span", fix=f"one of {', '.join(SPANS)}")
        self.until = self.now + 1
        self.since = self.now - SPANS[name]
        self.project = values.get("project", "")

    def text(self, name: str) -> str:
        return self._values.get(name, "")

    def number(self, name: str, default: float = 0.0) -> float:
        try:
            found = float(self._values.get(name) or default)
        except ValueError:
            found = -1.0
        if not 0 <= found < MAX_TIME:
            raise UserError(f"{name} is not a time")
        return found

    @property
    def cursor(self) -> str:
        """Where the next page begins: time and id of the last row."""
        text = self.text("cursor")
        moment, _, event_id = text.partition("/")
        if text and (not moment.replace(".", "", 1).isdecimal() or not event_id):
            raise UserError("this is not a cursor")
        return text

    def words(self, name: str) -> tuple[str, ...]:
        return tuple(word for word in self.text(name).split(",") if word)


class Api:
    """Answers the page's questions about one ledger."""

    def __init__(self, state: str, updater: LedgerUpdater, running: RunningCommands) -> None:
        self.state = state
        self.updater = updater
        self.running = running
        self._configs: dict[str, tuple[float, dict[str, Any]]] = {}

    def answer_question(self, name: str, values: Mapping[str, str]) -> Any:
        question = QUESTIONS.get(name)
        if question is None:
            raise NotFound(f"there is no question {name!r}")
        self.updater.wake()
        store = open_read_only(self.state)
        try:
            return question(self, store, Parameters(values))
        finally:
            store.close()

    def load_config(self, project: str) -> dict[str, Any]:
        """Option → value and origin, as `hookwright config show` says in that project."""
        folder = project if project and os.path.isdir(project) else self.state
        known = self._configs.get(folder)
        if known and time.monotonic() - known[0] < CONFIG_FRESH_S:
            return known[1]
        done = run_hookwright(self.running, ["config", "show", "--json"], cwd=folder, seconds=CONFIG_TIMEOUT_S)
        try:
            values: dict[str, Any] = json.loads(done.stdout)["values"]
        except (ValueError, KeyError, TypeError):
            values = {}
        self._configs[folder] = (time.monotonic(), values)
        return values


def read_summary(api: Api, store: sqlite3.Connection, asked: Parameters) -> dict[str, Any]:
    """The figures above all views, and what the page has to know about the ledger."""
    since = page_queries.align_span(asked.since, asked.now)
    return {
        "now": asked.now,
        "since": since,
        "version": __version__,
        "figures": page_queries.read_figures(store, since, asked.now, asked.project),
        "projects": page_queries.list_projects(store, asked.now - SPANS["90d"]),
        "ledger": page_queries.describe_ledger(store),
        "catching_up": api.updater.is_catching_up,
        "problem": api.updater.problem,
    }


def read_timeline(api: Api, store: sqlite3.Connection, asked: Parameters) -> dict[str, Any]:
    found = page_queries.read_lanes(store, asked.since, asked.until, asked.project, asked.number("before"))
    return {"until": asked.until, "buckets": page_queries.BUCKETS, **found}


def read_events(api: Api, store: sqlite3.Connection, asked: Parameters) -> dict[str, Any]:
    which = page_queries.EventFilter(
        since=asked.number("from", asked.since),
        until=asked.number("to"),
        session=asked.text("session"),
        project=asked.project,
        kinds=asked.words("kinds"),
        hook=asked.text("hook"),
        text=asked.text("text"),
    )
    rows, cursor, searched = page_queries.read_page(store, which, asked.cursor)
    return {"events": [{**row, "commands": commands_for_event(row)} for row in rows], "next": cursor, "to": searched}


def read_why(api: Api, store: sqlite3.Connection, asked: Parameters) -> dict[str, Any]:
    """One event in full: what came in, what each hook decided and on what evidence, what happened then."""
    name = asked.text("id")
    row = queries.find_event(store, name) if name else None
    if row is None and name and api.updater.update():  # it is in the journal, and not in the ledger yet
        row = queries.find_event(store, name)
    if row is None:
        raise NotFound("there is no such event", where=name, fix="hookwright log")
    extra = parse_object(row["extra"])
    shaped = page_queries.shape_event(dict(row), parse_decisions(row["decisions"]), extra)
    return {
        **queries.explain_event(store, row),
        "row": shaped,
        "evidence": {name: extra[name] for name in EVIDENCE if extra.get(name) not in (None, "", [], {})},
        "masked": _parse(row["masked"]),
        "truncated": _parse(row["truncated"]),
        "commands": commands_for_event(shaped),
    }


def read_background(api: Api, store: sqlite3.Connection, asked: Parameters) -> dict[str, Any]:
    """Background commands: those that run with their expected end, then those that have ended."""
    from hookwright.store.background_list import describe_tasks  # noqa: PLC0415  only for this view

    known = {(row["session_id"], row["id"]): row for row in describe_tasks(api.state, asked.now, ended=True)}
    tasks = []
    for task in page_queries.read_background(store, asked.now, asked.project):
        live = known.pop((task["session_id"], task["task_id"]), None)
        tasks.append(_merge_task(task, live))
    tasks += [  # launched just now, or of an event that the ledger no longer has
        _merge_task({"id": None, "task_id": row["id"], "moved": None, "exit_code": None}, row)
        for row in known.values()
        if row["state"] not in ("ended", "gone") and (not asked.project or row["project"] == asked.project)
    ]
    for task in tasks:
        task["commands"] = commands_for_task(task)
    tasks.sort(key=lambda task: (task["state"] not in RUNNING, -task["started"]))
    return {"now": asked.now, "tasks": tasks}


def _merge_task(task: dict[str, Any], live: dict[str, Any] | None) -> dict[str, Any]:
    """What the ledger knows of a background command, and what its processes say now."""
    if live is None:
        return {"expected": None, "overdue": False, "remaining_s": None, "ports": [], "endless": False, **task}
    ended = live["started"] + live["seconds"] if live["state"] == "ended" else None
    names = ("session_id", "project", "command", "key", "started")
    now = {name: live[name] for name in ("expected", "overdue", "remaining_s", "ports", "endless")}
    merged = {**{name: live[name] for name in names}, "ended": ended, "outcome": live["outcome"], **task, **now}
    if task.get("state") != "ended":  # the ledger saw its end; else who runs now is known better here
        merged["state"] = live["state"]
        merged["ended"] = ended
    return merged


def read_questions(api: Api, store: sqlite3.Connection, asked: Parameters) -> dict[str, Any]:
    """Questions that were answered, by whom, and how to decide them for good."""
    from hookwright.hooks.questions.suggestions import entries_from_row  # noqa: PLC0415  only for this view

    since = page_queries.align_span(asked.since, asked.now)
    rows = page_queries.read_question_rows(store, since, asked.project)
    found = []
    for row in rows:
        for entry in entries_from_row(row):
            if entry.is_answered:
                line = entry.format_line()
                commands = commands_for_question(line, row["project"])
                found.append({**line, "id": row["id"], "project": row["project"], "commands": commands})
    return {"questions": found, "answered": page_queries.count_answerers(store, since, asked.project)}


def read_time(api: Api, store: sqlite3.Connection, asked: Parameters) -> dict[str, Any]:
    """Where time goes."""
    since = page_queries.align_span(asked.since, asked.now)
    found = page_queries.read_spent_time(store, since, asked.now, asked.project)
    for row in found["commands"]:
        row["commands"] = commands_for_duration("" if "<" in row["key"] else row["key"], asked.project)
    return {"since": since, "now": asked.now, **found}


def read_hooks(api: Api, store: sqlite3.Connection, asked: Parameters) -> dict[str, Any]:
    """Health of the hooks: mode, decisions, latency, failures; and of the journal."""
    since = page_queries.align_span(asked.since, asked.now)
    modes = {
        name.removesuffix(".mode"): value
        for name, value in api.load_config(asked.project).items()
        if name.endswith(".mode")
    }
    health = page_queries.read_hook_health(store, since, asked.project)
    empty = {"verdicts": {}, "shadow": {}, "failures": 0, "last": None, "days": [], "calls": 0, "histogram": []}
    rows = []
    for hook in sorted({*modes, *health}, key=lambda name: -health.get(name, empty)["calls"]):
        mode = modes.get(hook, {}).get("value")
        commands = commands_for_hook(hook, mode or "on", asked.project)
        row = {"p50": None, "p95": None, "p99": None, "last_failure": None, **empty, **health.get(hook, {})}
        rows.append({"hook": hook, "mode": mode, "from": modes.get(hook, {}).get("from"), **row, "commands": commands})
    return {"hooks": rows, "journal": journal_health(store, api.state), "latest": page_queries.LATEST_EVENTS}


def read_durations(api: Api, store: sqlite3.Connection, asked: Parameters) -> dict[str, Any]:
    """Learned durations of one project as distributions, with the runs that they were learned from."""
    from hookwright.store.duration_sums import load_project  # noqa: PLC0415  only for this view

    project = asked.project or next(iter(page_queries.list_projects(store, 0.0, 1)), "")
    learner = load_project(store, project, 4 * MAX_DURATIONS)
    runs, examples = page_queries.read_run_times(store, project)
    rows: list[dict[str, Any]] = []
    for (owner, level), stats in learner.stats.items():
        belief = learner.find_belief(owner, level) if owner == project and level in runs else None
        if belief is not None:
            dots = runs[level][:MAX_DOTS]
            rows.append(
                {
                    "key": level,
                    "runs": stats.runs,
                    "m": belief.m,
                    "scale": belief.scale,
                    "freedom": 2 * belief.a,
                    "median_s": belief.quantile(0.5),
                    "p90_s": belief.quantile(0.9),
                    "p_long": belief.longer_than(LONG_S),
                    "dots": dots,
                    "last": stats.time,
                    "commands": commands_for_duration(examples[level], project),
                }
            )
    rows.sort(key=lambda row: -row["runs"])
    return {"project": project, "long_s": LONG_S, "durations": rows[:MAX_DURATIONS]}


def read_modes(api: Api, store: sqlite3.Connection, asked: Parameters) -> dict[str, Any]:
    """Hook → its present mode, for a proposal to change."""
    values = api.load_config(asked.project)
    return {name.removesuffix(".mode"): row["value"] for name, row in values.items() if name.endswith(".mode")}


QUESTIONS: dict[str, Question] = {
    "summary": read_summary,
    "timeline": read_timeline,
    "events": read_events,
    "why": read_why,
    "background": read_background,
    "questions": read_questions,
    "time": read_time,
    "hooks": read_hooks,
    "durations": read_durations,
    "modes": read_modes,
}


def shape_live_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record of the journal as the page lists it."""
    row = page_queries.shape_record(record)
    return {**row, "commands": commands_for_event(row)}


def _parse(text: str | None) -> Any:
    try:
        return json.loads(text) if text else None
    except ValueError:
        return None
