"""Learn from Claude Code's transcripts: durations, ends of background commands, questions, cost of hooks.

transcripts → [learn] → tables samples, questions, hook_runs, events → duration_samples → estimate
Each entry is read once: the offset of a file is committed together with what was found in it. Commands are masked
before they are stored, inputs of other tools are not stored, and nothing leaves the machine.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hookwright.store import duration_samples, transcripts
from hookwright.store.duration_samples import SampleWriter
from hookwright.store.event_rows import event_row, insert_events
from hookwright.store.journal import first_id
from hookwright.store.redact import mask_and_cut
from hookwright.store.redact_record import mask_together
from hookwright.store.transcripts import AskedQuestion, HookRun, TaskEnd, ToolCall, TranscriptReader

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

OLD_CLIENT_WEIGHT = 0.7  # older clients did not record whether the user was asked first
PARALLEL_WEIGHT = 0.5  # calls of one message may have waited for each other
PROMPTED_WEIGHT = 0.5  # an upper bound says little
PROMPTED_S = 3.0  # a tool that takes no time took so long: a person was asked first
PROMPTED_SHARE = 0.1  # of such tools' calls; rarely one is slow by itself
INSTANT_TOOLS = frozenset(("Edit", "Write", "MultiEdit", "NotebookEdit"))
TAIL_DAYS = 7  # how far back the end of a background command is looked for
MAX_COMMAND = 4096  # characters stored of a command
MAX_HOOK_COMMAND = 500


@dataclass
class LearnResult:
    """What was found in the transcripts."""

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
    now: float | None = None,
) -> LearnResult:
    """Read what is new in these transcripts. A dry run stores nothing."""
    now = time.time() if now is None else now
    found = LearnResult()
    store.execute("DELETE FROM transcripts WHERE length(head) != ?", (transcripts.DIGEST_BYTES,))  # heads as plain text
    known = {row["path"]: row for row in store.execute("SELECT * FROM transcripts")}
    total = sum(_file_size(path) for path in paths)
    done = 0

    def report_bytes(count: int) -> None:
        nonlocal done
        done += count
        if progress:
            progress("reading transcripts", done, total)

    for path in paths:
        try:
            head = transcripts.read_head(path)
            row = known.get(path)
            same = row is not None and transcripts.matches_head(head, row["head"]) and row["offset"] <= _file_size(path)
            reader = (
                TranscriptReader.resume_at(path, row["offset"], row["carry"])
                if same and row is not None
                else TranscriptReader(path)
            )
            done += reader.offset
            store.execute("BEGIN IMMEDIATE")
            samples = SampleWriter(store, now)
            _store_entries(samples, reader, found, report_bytes)
            samples.save()
            values = (path, transcripts.digest_head(head), reader.offset, reader.dump_state())
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


def learn_background_ends(store: sqlite3.Connection, now: float | None = None) -> LearnResult:
    """Find the ends of background commands whose launch is in the ledger; reads the transcripts of these only."""
    now = time.time() if now is None else now
    rows = store.execute(
        "SELECT DISTINCT extra FROM events launch WHERE id >= ? AND outcome = 'background' "
        "AND extra LIKE '%transcript%' AND NOT EXISTS "
        "(SELECT 1 FROM events ended WHERE ended.session_id IS launch.session_id "
        "AND ended.task_id = launch.task_id AND ended.event IN ('UserPromptSubmit', 'BackgroundEnd'))",
        (first_id(now - TAIL_DAYS * 86400),),
    ).fetchall()
    paths = {path for row in rows if isinstance(path := json.loads(row["extra"]).get("transcript"), str)}
    return learn(store, sorted(path for path in paths if os.path.isfile(path)), now=now) if paths else LearnResult()


def _store_entries(
    samples: SampleWriter, reader: TranscriptReader, found: LearnResult, report: Callable[[int], object]
) -> None:
    prompts = PromptSigns()
    calls = []
    for entry in reader.read_entries(report):
        if isinstance(entry, ToolCall):
            found.calls += 1
            prompts.add_call(entry)
            if entry.tool == "Bash":
                calls.append(entry)
        elif isinstance(entry, TaskEnd):
            found.background_ends += _store_task_end(samples, entry)
        elif isinstance(entry, AskedQuestion):
            found.questions += _insert_question(samples.store, entry)
        else:
            found.hooks += _insert_hook_run(samples.store, entry)
    for call in calls:
        found.durations += _store_call(samples, call, prompted=prompts.were_seen)


@dataclass
class PromptSigns:
    """Whether a person was asked before calls of a session, where the client does not say so.

    Older clients record no permission decision, so the time of a call may include the waiting for a person. Tools that
    take no time by themselves tell: if edits often took seconds, somebody was asked first.
    """

    calls: int = 0
    slow: int = 0

    def add_call(self, call: ToolCall) -> None:
        if call.tool in INSTANT_TOOLS and call.seconds is not None and not call.refused and not call.permission_known:
            self.calls += 1
            self.slow += call.seconds >= PROMPTED_S

    @property
    def were_seen(self) -> bool:
        return self.slow >= 2 and self.slow >= PROMPTED_SHARE * self.calls


def _store_call(samples: SampleWriter, call: ToolCall, *, prompted: bool = False) -> int:
    """Store a sample if this was a Bash command that ran and its time is known."""
    sample = build_sample(call, prompted=prompted)
    if sample is None:
        return 0
    seconds, kind, weight = sample
    return _store_sample(samples, call, seconds, kind, weight)


def build_sample(call: ToolCall, *, prompted: bool = False) -> tuple[float, str, float] | None:
    """Seconds, kind (exact, least or most) and weight; None for a call that says nothing about durations.

    `prompted`: a person was asked before calls of this session, and which ones is not known: then the time of a call is
    an upper bound only.
    """
    command = call.input.get("command")
    if call.tool != "Bash" or call.refused or call.seconds is None or not isinstance(command, str) or call.asked:
        return None
    weight = PARALLEL_WEIGHT if not call.alone else 1.0
    if call.outcome == "timed_out":
        return call.seconds, "least", weight
    if call.outcome == "interrupted":
        return call.seconds, "least", duration_samples.CANCELLED_WEIGHT
    if call.outcome == "background":
        launched = bool(call.input.get("run_in_background")) or call.seconds < 10
        return None if launched else (call.seconds, "least", weight)
    if call.outcome == "failed":
        weight *= duration_samples.FAILED_WEIGHT
    if prompted and not call.permission_known and call.seconds >= PROMPTED_S:
        return call.seconds, "most", weight * PROMPTED_WEIGHT
    return call.seconds, "exact", weight


def _store_task_end(samples: SampleWriter, end: TaskEnd) -> int:
    call = end.launched
    if call is None or call.tool != "Bash" or end.seconds is None or end.seconds < 0:
        return 0
    kind = "exact" if end.outcome in ("ok", "failed") else "least"
    _store_sample(samples, call, end.seconds, kind, 1.0 if end.outcome == "ok" else duration_samples.FAILED_WEIGHT)
    _insert_task_end(samples.store, call, end)
    return 1


def _insert_task_end(store: sqlite3.Connection, call: ToolCall, end: TaskEnd) -> None:
    """Add a BackgroundEnd event where no hook saw the end: the prompt hooks were off, the session was cut."""
    launch = store.execute(
        "SELECT * FROM events WHERE session_id = ? AND task_id = ? AND event = 'PostToolUse'", (call.session, end.task)
    ).fetchone()
    known = store.execute(
        "SELECT 1 FROM events WHERE session_id = ? AND task_id = ? AND event IN ('UserPromptSubmit', 'BackgroundEnd')",
        (call.session, end.task),
    ).fetchone()
    if launch is None or known is not None:
        return
    name = hashlib.sha256(f"{call.session}/{end.task}".encode()).hexdigest()[:20]
    copied = ("session_id", "tool_use_id", "agent_id", "project", "tool", "command", "task_id", "agent")
    record = {
        "id": first_id(end.time) + name,
        "time": end.time,
        "event": "BackgroundEnd",
        "outcome": end.outcome,
        "exit_code": end.exit_code,
        "duration_ms": round((end.seconds or 0) * 1000),
        **{column: launch[column] for column in copied},
    }
    insert_events(store, [event_row(record)])


def _store_sample(samples: SampleWriter, call: ToolCall, seconds: float, kind: str, weight: float) -> int:
    command = mask_and_cut(call.input["command"], MAX_COMMAND)[0]
    if not call.version:
        weight *= OLD_CLIENT_WEIGHT
    return samples.add(
        call.session,
        call.id,
        time=call.time,
        project=call.project or call.cwd,
        command=command,
        seconds=seconds,
        kind=kind,
        weight=weight,
        source="transcript",
    )


def _insert_question(store: sqlite3.Connection, question: AskedQuestion) -> int:
    call = question.call
    header, text, answer, *options = mask_together(
        [question.header, question.question, question.answer or "", *question.options]
    )
    values: tuple[Any, ...] = (
        f"{call.session}/{call.id}/{question.number}",
        call.time,
        call.session,
        call.project,
        call.tool,
        header,
        text,
        json.dumps(options, ensure_ascii=False),
        answer if question.answer is not None else None,
        call.seconds,
    )
    return store.execute("INSERT OR IGNORE INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values).rowcount


def _insert_hook_run(store: sqlite3.Connection, run: HookRun) -> int:
    if not run.id:
        return 0
    values = (
        run.id,
        run.time,
        run.session,
        run.event,
        run.name,
        mask_and_cut(run.command, MAX_HOOK_COMMAND)[0],
        run.ms,
        run.exit_code,
    )
    return store.execute("INSERT OR IGNORE INTO hook_runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values).rowcount


def _file_size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
