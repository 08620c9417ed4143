"""Gentle reminders, read from the journal: a server left running, tests that keep failing.

the session's last records → [reminders_of] → at most two lines
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from hookwright.protocol.json import NotJson, loads
from hookwright.shell.key import key_of
from hookwright.work.words import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

_TAIL_BYTES = 512 << 10
_LATELY_S = 600.0
_OFTEN = 2


def reminders_of(state: str | None, session: str, now: float) -> list[str]:
    records = list(_records(state, session, now)) if state else []
    return [line for line in (_server(records), _failing_tests(records, now)) if line]


def _server(records: list[dict[str, Any]]) -> str:
    """A server that was started in the background and of whose end nothing was heard."""
    running: dict[str, str] = {}
    for record in records:
        task = record.get("task_id")
        if record.get("outcome") == "background" and task and _intent(record) == "server":
            running[task] = str(record["command"])
        elif task and record.get("task_status"):
            running.pop(task, None)
    return f"Still running: {one_line('; '.join(running.values()), 120)}" if running else ""


def _failing_tests(records: list[dict[str, Any]], now: float) -> str:
    """Tests that failed several times lately and have not passed since."""
    failed: list[str] = []
    for record in records:
        if abs(now - record.get("time", 0)) > _LATELY_S or record.get("event") not in (
            "PostToolUse",
            "PostToolUseFailure",
        ):
            continue
        if _intent(record) == "test":
            if record.get("outcome") == "ok":
                failed = []
            elif record.get("outcome") == "failed":
                failed.append(str(record["command"]))
    if len(failed) < _OFTEN:
        return ""
    return f"The tests failed {len(failed)} times in a row: {one_line(failed[-1], 80)}"


def _intent(record: dict[str, Any]) -> str:
    command = record.get("command")
    return str(key_of(command).intent) if isinstance(command, str) else ""


def _records(state: str, session: str, now: float) -> Iterator[dict[str, Any]]:
    """This session's records at the end of today's journal."""
    folder = f"{state}/journal"
    day = time.strftime("%Y-%m-%d", time.gmtime(now))
    try:
        newest = max((name for name in os.listdir(folder) if name.startswith(day)), key=len, default="")
        with open(f"{folder}/{newest}", "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return
    for line in lines:
        if session not in line:
            continue
        try:
            record = loads(line)
        except NotJson:  # the first one may be cut
            continue
        if isinstance(record, dict) and record.get("session_id") == session:
            yield record
