"""How `hookwright log` shows one recorded event."""

from __future__ import annotations

from typing import Any

from hookwright.cli.output import print_line
from hookwright.cli.text import escape_line, format_local_time, format_seconds


def show_record(record: dict[str, Any]) -> None:
    """One event: time, what it is about, how it ended, its id; below it what the hooks decided."""
    words = "; ".join(filter(None, map(_format_decision, record["decisions"])))
    ended = f" [{record['outcome']}{_format_exit_code(record)}]" if record["outcome"] else ""
    took = f" {format_seconds(record['duration_ms'] / 1000)}" if record["duration_ms"] is not None else ""
    what = record["command"] or describe_tool(record) or record.get("problem") or ""
    when = format_local_time(record["time"])
    line = f"{when}  {record['event'] or 'problem':18} {escape_line(what, 80)}{ended}{took}  {record['id'][:16]}"
    print_line(line, wrap=False)
    if words:
        print_line(f"    {escape_line(words, 160)}")


def describe_tool(record: dict[str, Any]) -> str | None:
    """The tool, and what of its call the guard judged where it found something."""
    shown: str | None = record.get("judged") or record["tool"]
    return shown


def _format_decision(row: dict[str, Any]) -> str:
    """What one hook decided, or how it failed; "" if neither."""
    failed = f"{row['hook']}: failed ({row['failure']})" if row.get("failure") else ""
    if row["verdict"] in (None, "none"):
        return failed
    unsent = " [shadow: not sent]" if row["mode"] == "shadow" else ""
    return f"{failed + ', so ' if failed else ''}{row['hook']}: {row['verdict']}{unsent} ({row['reason']})"


def _format_exit_code(record: dict[str, Any]) -> str:
    return f" {record['exit_code']}" if record["exit_code"] else ""
