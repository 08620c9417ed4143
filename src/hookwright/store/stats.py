"""The figures of `hookwright stats`: counts from the table of days, percentiles from the latest events.

daily, latest event_rows → [compute_stats] → stats, the page
The counts are exact for any span of time, up to two years: whole days come from `daily`, the part of the first day from
its events. What needs single events (percentiles, reasons) is computed from the latest ones, so that it costs the same
however long the past is; `latest` says how many these were.
"""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

from hookwright.store import daily, durations_read, durations_write
from hookwright.store.daily import DAY_S, DailyCounts
from hookwright.store.event_rows import parse_decisions
from hookwright.store.filter import PROJECT_WITHIN, Filter
from hookwright.store.ingest import backlog_bytes
from hookwright.store.journal import first_id
from hookwright.store.journal_rotation import FAILURES_FILE
from hookwright.store.queries import format_iso

if TYPE_CHECKING:
    import sqlite3

    # kind and name of a count → how often, and seconds
    Counts = dict[tuple[str, str], tuple[int, float]]

MAX_ROWS = 5_000  # latest events that percentiles and spreads are computed from
MAX_DECISIONS = 2_000  # latest decisions that reasons are counted in
WEEKS = 12


def compute_stats(store: sqlite3.Connection, state: str, which: Filter, now: float = 0.0) -> dict[str, Any]:
    """The figures of `stats --json`; with `now` also those of the last weeks."""
    counts = read_counts(store, which)
    where, values = which.where_clause()
    ids = f"SELECT id FROM event_rows WHERE {where} ORDER BY id DESC LIMIT {MAX_ROWS}"  # noqa: S608  no user text
    latest = store.execute(
        "SELECT us, key, outcome, duration_ms, event, project, decisions FROM events "  # noqa: S608
        f"WHERE id IN ({ids}) ORDER BY id DESC",
        values,
    ).fetchall()
    moved, saved = counts.get((daily.SAVED, "moved"), (0, 0.0))
    return {
        "since": format_iso(which.since) if which.since else None,
        "events": sum(n for _, n in _list_kind(counts, daily.EVENT)),
        "decisions": _group_verdicts(counts),
        "reasons": _top_reasons(store, which),
        "rules": dict(sorted(_list_kind(counts, daily.RULE), key=lambda item: -item[1])),
        "commands": _slowest_commands(state, counts, latest),
        "background": {"moved": moved, "seconds_saved": round(saved, 1)},
        "latency_us": compute_percentiles([row["us"] for row in latest if row["us"] is not None]),
        "hooks": _hook_latency(latest),
        "questions": counts.get((daily.QUESTION, "asked"), (0, 0.0))[0],
        "questions_answered": dict(sorted(_list_kind(counts, daily.ANSWERED), key=lambda item: -item[1])),
        "failures": sum(n for _, n in _list_kind(counts, daily.FAILURE)),
        "journal": journal_health(store, state),
        "latest": len(latest),
        **({"weeks": read_weeks(store, which, now)} if now and which.counts_by_day else {}),
    }


def read_counts(store: sqlite3.Connection, which: Filter) -> Counts:
    """All counts of the selected time and project, or session."""
    if not which.counts_by_day:
        return _count_events(store, which)
    first_day = math.ceil(which.since / DAY_S)
    found = _sum_days(store, which.project, first_day)
    if which.since % DAY_S:
        begun = Filter(project=which.project, since=which.since, until=first_day * DAY_S)
        for place, (n, seconds) in _count_events(store, begun).items():
            known = found.get(place, (0, 0.0))
            found[place] = (known[0] + n, known[1] + seconds)
    return found


def _sum_days(store: sqlite3.Connection, project: str, first_day: int) -> Counts:
    where, values = "day >= ?", [first_day, *[project] * (4 if project else 0)]
    if project:
        where = f"{where} AND {PROJECT_WITHIN}"
    rows = store.execute(
        f"SELECT kind, name, sum(n), total(seconds) FROM daily WHERE {where} GROUP BY kind, name",  # noqa: S608
        values,
    )
    return {(kind, name): (n, seconds) for kind, name, n, seconds in rows}


def _count_events(store: sqlite3.Connection, which: Filter) -> Counts:
    """The same counts from the events themselves."""
    where, values = which.where_clause()
    counts = DailyCounts()
    rows = store.execute(
        f"SELECT * FROM events WHERE id IN (SELECT id FROM event_rows WHERE {where})",  # noqa: S608  no user text
        values,
    )
    for row in rows:
        counts.add_event(row, parse_decisions(row["decisions"]))
        counts.add_move(store, row)
    return counts.total()


def read_weeks(store: sqlite3.Connection, which: Filter, now: float, weeks: int = WEEKS) -> list[dict[str, Any]]:
    """The figures of the last weeks, oldest first; the last one ends today."""
    found: list[dict[str, Any]] = []
    today = int(now // DAY_S)
    first = today - 7 * weeks + 1
    values: list[Any] = [first, first, today, daily.EVENT, daily.VERDICT, daily.SAVED]
    where = f"AND {PROJECT_WITHIN}" if which.project else ""
    rows = store.execute(
        "SELECT (day - ?) / 7 AS week, kind, name, sum(n) AS n, total(seconds) AS seconds FROM daily "  # noqa: S608
        f"WHERE day BETWEEN ? AND ? AND kind IN (?, ?, ?) {where} GROUP BY week, kind, name",
        [*values, *[which.project] * where.count("?")],
    ).fetchall()
    for week in range(weeks):
        figures = {"events": 0, "stopped": 0, "asked": 0, "moved": 0, "seconds_saved": 0.0}
        for row in rows:
            if row["week"] != week:
                continue
            words = row["name"].split(daily.SEPARATOR)
            if row["kind"] == daily.EVENT:
                figures["events"] += row["n"]
            elif row["kind"] == daily.SAVED and row["name"] == "moved":
                figures["moved"] += row["n"]
                figures["seconds_saved"] += round(row["seconds"], 1)
            elif words[2:] != ["shadow"] and words[1:2] in (["deny"], ["ask"]):
                figures["stopped" if words[1] == "deny" else "asked"] += row["n"]
        found.append({"from": format_iso((first + 7 * week) * DAY_S)[:10], **figures})
    return found


def _list_kind(counts: Counts, kind: str) -> list[tuple[str, int]]:
    return [(name, n) for (found, name), (n, _) in sorted(counts.items()) if found == kind]


def _group_verdicts(counts: Counts) -> dict[str, dict[str, int]]:
    """Hook → verdict → how often, in shadow mode too; the most frequent verdict first."""
    found: dict[str, dict[str, int]] = {}
    for name, n in sorted(_list_kind(counts, daily.VERDICT), key=lambda item: -item[1]):
        hook, verdict, *_ = [*name.split(daily.SEPARATOR), ""]
        verdicts = found.setdefault(hook, {})
        verdicts[verdict] = verdicts.get(verdict, 0) + n
    return dict(sorted(found.items()))


def _top_reasons(store: sqlite3.Connection, which: Filter, most: int = 10) -> list[dict[str, Any]]:
    """The most frequent reasons for denying, blocking or asking, among the latest decisions."""
    where, values = which.where_clause()
    if which == Filter(since=which.since):
        where, values = "event_id >= ?", [first_id(which.since) if which.since else ""]
    else:
        where = f"event_id IN (SELECT id FROM event_rows WHERE answer IS NOT NULL AND {where})"  # noqa: S608  no user text
    rows = store.execute(
        "SELECT hook, verdict, reason, count(*) AS n FROM (SELECT hook, verdict, reason FROM decisions "  # noqa: S608
        f"WHERE verdict IN ('deny', 'ask', 'block') AND {where} ORDER BY event_id DESC LIMIT {MAX_DECISIONS}) "
        f"GROUP BY hook, verdict, reason ORDER BY n DESC, hook, reason LIMIT {most}",
        values,
    )
    return [{name: row[name] for name in ("hook", "verdict", "reason", "n")} for row in rows]


def journal_health(store: sqlite3.Connection, state: str) -> dict[str, int]:
    """Bytes not ingested yet, lines that are no records, records that could not be written, hook process problems."""
    bad = store.execute("SELECT coalesce(sum(bad), 0) FROM segments").fetchone()[0]
    try:
        lost = os.path.getsize(f"{state}/journal/{FAILURES_FILE}")
    except OSError:
        lost = 0
    problems = store.execute("SELECT count(*) FROM events WHERE event IS NULL").fetchone()[0]
    return {"backlog": backlog_bytes(store, state), "bad_lines": bad, "unwritten": lost, "problems": problems}


def _slowest_commands(state: str, counts: Counts, latest: list[sqlite3.Row], most: int = 20) -> list[dict[str, Any]]:
    """The commands with the largest total duration, with the spread of their latest durations."""
    runs: dict[str, list[float]] = {}
    places: dict[str, str] = {}
    for row in latest:
        ended = row["event"] in ("PostToolUse", "PostToolUseFailure") and row["outcome"] != "background"
        if ended and row["key"] and row["duration_ms"] is not None:
            runs.setdefault(row["key"], []).append(row["duration_ms"] / 1000)
            places.setdefault(row["key"], row["project"])
    totals = sorted(
        ((seconds, name, n) for (kind, name), (n, seconds) in counts.items() if kind == daily.COMMAND), reverse=True
    )
    found = []
    learned: dict[str, Any] = {}
    for seconds, key, n in totals[:most]:
        taken = sorted(runs.get(key, ()))
        project = places.get(key) or ""
        if project not in learned:
            learned[project] = durations_write.read_durations(state, project)
        known = learned[project].get(key)
        found.append(
            {
                "key": key,
                "n": n,
                "total_s": round(seconds, 1),
                "median_s": round(taken[len(taken) // 2], 3) if taken else None,
                "p90_s": round(taken[math.ceil(len(taken) * 0.9) - 1], 3) if taken else None,
                "p_long": known[4 + durations_read.THRESHOLDS.index(60)] if known else None,
                "last_s": [round(each, 3) for each in runs.get(key, [])[:12][::-1]],
            }
        )
    return found


def _hook_latency(rows: list[sqlite3.Row]) -> dict[str, dict[str, int | None]]:
    spent: dict[str, list[int]] = {}
    for row in rows:
        for decision in parse_decisions(row["decisions"]):
            if isinstance(decision.get("us"), int):
                spent.setdefault(str(decision.get("hook")), []).append(decision["us"])
    return {hook: {"calls": len(times), **compute_percentiles(times)} for hook, times in sorted(spent.items())}


def compute_percentiles(values: list[int]) -> dict[str, int | None]:
    ordered = sorted(values)
    return {
        name: ordered[min(len(ordered) - 1, math.ceil(len(ordered) * share) - 1)] if ordered else None
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    }
