"""Learning from transcripts: durations, ends of background commands, questions, hooks' cost; each entry once.

transcripts → [this] → samples, questions, hook_runs, ends in the ledger → estimate → the door
How far each file is read is committed together with what was found in it. Commands are masked before they are
kept, inputs of other tools are not kept at all, and nothing leaves the machine.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hookwright.history import samples, transcripts
from hookwright.history.transcripts import Call, HookRun, Question, Reader, TaskEnd
from hookwright.state.journal import first_id
from hookwright.state.redact import mask

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

UNSURE_WEIGHT = 0.7  # a former client did not say whether a person was asked first
SIDE_BY_SIDE_WEIGHT = 0.5  # calls of one message may have waited for each other
TAIL_DAYS = 7


@dataclass
class Found:
    """What a reading of transcripts gave."""

    transcripts: int = 0
    calls: int = 0
    durations: int = 0
    background_ends: int = 0
    questions: int = 0
    hooks: int = 0
    skipped: int = 0

    def as_json(self) -> dict[str, int]:
        return dict(vars(self))


def learn(
    store: sqlite3.Connection,
    paths: list[str],
    *,
    dry_run: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
) -> Found:
    """Read what is new in these transcripts. A dry run reads it all and keeps nothing."""
    found = Found()
    known = {row["path"]: row for row in store.execute("SELECT * FROM transcripts")}
    total = sum(_size(path) for path in paths)
    done = 0

    def tell(count: int) -> None:
        nonlocal done
        done += count
        if progress:
            progress("reading transcripts", done, total)

    for path in paths:
        try:
            head = transcripts.head_of(path)
            row = known.get(path)
            same = row is not None and head.startswith(row["head"]) and row["offset"] <= _size(path)
            reader = Reader.resumed(path, row["offset"], row["carry"]) if same and row is not None else Reader(path)
            done += reader.offset
            store.execute("BEGIN IMMEDIATE")
            _read(store, reader, found, tell)
            values = (path, head, reader.offset, reader.carry())
            store.execute("INSERT OR REPLACE INTO transcripts VALUES (?, ?, ?, ?)", values)
            store.execute("ROLLBACK" if dry_run else "COMMIT")
            found.transcripts += 1
            found.skipped += reader.skipped
        except OSError:
            if store.in_transaction:
                store.execute("ROLLBACK")
            found.skipped += 1
        except BaseException:
            if store.in_transaction:
                store.execute("ROLLBACK")
            raise
    return found


def tail(store: sqlite3.Connection, now: float | None = None) -> Found:
    """Look for the ends of background commands whose launch is in the ledger, in their own transcripts only."""
    now = time.time() if now is None else now
    rows = store.execute(
        "SELECT DISTINCT extra FROM events launch WHERE id >= ? AND outcome = 'background' "
        "AND extra LIKE '%transcript%' AND NOT EXISTS "
        "(SELECT 1 FROM events ended WHERE ended.session_id IS launch.session_id "
        "AND ended.task_id = launch.task_id AND ended.event IN ('UserPromptSubmit', 'BackgroundEnd'))",
        (first_id(now - TAIL_DAYS * 86400),),
    ).fetchall()
    paths = {path for row in rows if isinstance(path := json.loads(row["extra"]).get("transcript"), str)}
    return learn(store, sorted(path for path in paths if os.path.isfile(path))) if paths else Found()


def _read(store: sqlite3.Connection, reader: Reader, found: Found, tell: Callable[[int], object]) -> None:
    for entry in reader.read(tell):
        if isinstance(entry, Call):
            found.calls += 1
            found.durations += _call(store, entry)
        elif isinstance(entry, TaskEnd):
            found.background_ends += _task_end(store, entry)
        elif isinstance(entry, Question):
            found.questions += _question(store, entry)
        else:
            found.hooks += _hook_run(store, entry)


def _call(store: sqlite3.Connection, call: Call) -> int:
    """A sample, if this was a command that ran and whose time is its own."""
    sample = sample_of(call)
    if sample is None:
        return 0
    seconds, kind, weight = sample
    return _put(store, call, seconds, kind, weight)


def sample_of(call: Call) -> tuple[float, str, float] | None:
    """Seconds, exact or a bound, and its weight; None for a call that says nothing about durations."""
    command = call.input.get("command")
    if call.tool != "Bash" or call.refused or call.seconds is None or not isinstance(command, str) or call.asked:
        return None
    weight = SIDE_BY_SIDE_WEIGHT if not call.alone else 1.0
    if call.outcome == "timed_out":
        return call.seconds, "least", weight
    if call.outcome == "interrupted":
        return call.seconds, "least", samples.CANCELLED_WEIGHT
    if call.outcome == "background":
        launched = bool(call.input.get("run_in_background")) or call.seconds < 10
        return None if launched else (call.seconds, "least", weight)
    if call.outcome == "failed":
        weight *= samples.FAILED_WEIGHT
    return call.seconds, "exact", weight


def _task_end(store: sqlite3.Connection, end: TaskEnd) -> int:
    call = end.launched
    if call is None or call.tool != "Bash" or end.seconds is None or end.seconds < 0:
        return 0
    kind = "exact" if end.outcome in ("ok", "failed") else "least"
    _put(store, call, end.seconds, kind, 1.0 if end.outcome == "ok" else samples.FAILED_WEIGHT)
    _tell_ledger(store, call, end)
    return 1


def _tell_ledger(store: sqlite3.Connection, call: Call, end: TaskEnd) -> None:
    """Where no hook saw the end (the prompt hooks were off, the session was cut): the ledger learns it here."""
    launch = store.execute(
        "SELECT * FROM events WHERE session_id = ? AND task_id = ? AND event = 'PostToolUse'", (call.session, end.task)
    ).fetchone()
    told = store.execute(
        "SELECT 1 FROM events WHERE session_id = ? AND task_id = ? AND event IN ('UserPromptSubmit', 'BackgroundEnd')",
        (call.session, end.task),
    ).fetchone()
    if launch is None or told is not None:
        return
    name = hashlib.sha256(f"{call.session}/{end.task}".encode()).hexdigest()[:20]
    copied = ("session_id", "tool_use_id", "agent_id", "project", "tool", "command", "key", "intent", "task_id")
    row = {
        "id": first_id(end.time) + name,
        "time": end.time,
        "event": "BackgroundEnd",
        "outcome": end.outcome,
        "exit_code": end.exit_code,
        "duration_ms": round((end.seconds or 0) * 1000),
        **{column: launch[column] for column in copied},
    }
    store.execute(
        f"INSERT OR IGNORE INTO events ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",  # noqa: S608
        tuple(row.values()),
    )


def _put(store: sqlite3.Connection, call: Call, seconds: float, kind: str, weight: float) -> int:
    command = mask(call.input["command"][:4608])[0][:4096]
    if not call.version:
        weight *= UNSURE_WEIGHT
    name = f"{call.session}/{call.id}"
    project = call.project or call.cwd
    return samples.put_sample(store, (name, call.time, project, command, round(seconds, 3), kind, weight, "transcript"))


def _question(store: sqlite3.Connection, question: Question) -> int:
    call = question.call
    values: tuple[Any, ...] = (
        f"{call.session}/{call.id}/{question.number}",
        call.time,
        call.session,
        call.project,
        call.tool,
        question.header,
        question.question,
        json.dumps(question.options, ensure_ascii=False),
        question.answer,
        call.seconds,
    )
    return store.execute("INSERT OR IGNORE INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values).rowcount


def _hook_run(store: sqlite3.Connection, run: HookRun) -> int:
    if not run.id:
        return 0
    values = (
        run.id,
        run.time,
        run.session,
        run.event,
        run.name,
        mask(run.command[:600])[0][:500],
        run.ms,
        run.exit_code,
    )
    return store.execute("INSERT OR IGNORE INTO hook_runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values).rowcount


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
