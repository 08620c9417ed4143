"""Reminders from the journal: a server that was left running, tests that keep failing.

the session's last records → [find_reminders] → at most two lines
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from hookwright.hooks.clean_text import one_line
from hookwright.proc.safe_read import read_tail
from hookwright.protocol.json import NotJson, loads
from hookwright.shell.command_key import key_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_TAIL_BYTES = 512 << 10
_RECENT_S = 600.0
_MIN_FAILURES = 2


def find_reminders(state: str | None, session: str, now: float) -> list[str]:
    records = list(_read_records(state, session, now)) if state else []
    return [line for line in (_running_servers(records), _failing_tests(records, now)) if line]


def _running_servers(records: list[dict[str, Any]]) -> str:
    """Servers that were started in the background and whose end was not recorded."""
    running: dict[str, str] = {}
    for record in records:
        task = record.get("task_id")
        if record.get("outcome") == "background" and task and _intent_of(record) == "server":
            running[task] = str(record["command"])
        elif task and record.get("task_status"):
            running.pop(task, None)
    return f"Still running: {one_line('; '.join(running.values()), 120)}" if running else ""


def _failing_tests(records: list[dict[str, Any]], now: float) -> str:
    """Tests that failed several times recently and have not passed since."""
    failed: list[str] = []
    for record in records:
        if abs(now - record.get("time", 0)) > _RECENT_S or record.get("event") not in (
            "PostToolUse",
            "PostToolUseFailure",
        ):
            continue
        if _intent_of(record) == "test":
            if record.get("outcome") == "ok":
                failed = []
            elif record.get("outcome") == "failed":
                failed.append(str(record["command"]))
    if len(failed) < _MIN_FAILURES:
        return ""
    return f"The tests failed {len(failed)} times in a row: {one_line(failed[-1], 80)}"


def _intent_of(record: dict[str, Any]) -> str:
    command = record.get("command")
    return str(key_of(command).intent) if isinstance(command, str) else ""


def _read_records(state: str, session: str, now: float) -> Iterator[dict[str, Any]]:
    """This session's records at the end of today's journal."""
    folder = f"{state}/journal"
    day = time.strftime("%Y-%m-%d", time.gmtime(now))
    try:
        newest = max((name for name in os.listdir(folder) if name.startswith(day)), key=len, default="")
        lines = read_tail(f"{folder}/{newest}", _TAIL_BYTES)[0].decode("utf-8", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        if session not in line:
            continue
        try:
            record = loads(line)
        except NotJson:  # the first line may be incomplete
            continue
        if isinstance(record, dict) and record.get("session_id") == session:
            yield record
