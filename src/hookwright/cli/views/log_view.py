"""How `hookwright log` shows one recorded event."""

from __future__ import annotations

from typing import Any

from hookwright.cli.output import Styled, dim, print_line
from hookwright.cli.text import escape_line, format_local_time, format_seconds, shorten_home

MOST = 400  # characters of a command or of the decisions on it
COLOURS = {"deny": "red", "block": "red", "ask": "yellow", "rewrite": "cyan"}


def show_record(record: dict[str, Any]) -> None:
    """One event: time, what it is about, how it ended, its id; below it what the hooks decided."""
    ended = f"  [{record['outcome']}{_format_exit_code(record)}]" if record["outcome"] else ""
    took = f"  {format_seconds(record['duration_ms'] / 1000)}" if record["duration_ms"] is not None else ""
    when = format_local_time(record["time"])
    event = record["event"] or "problem"
    line = f"  {event:12} {escape_line(_describe_subject(record), MOST)}{ended}{took}  "
    print_line(dim(when), line, dim(record["id"][:16]))
    for row in record["decisions"]:
        words = _format_decision(row)
        if words:
            print_line("    ", Styled(escape_line(words, MOST), COLOURS.get(row["verdict"] or "", "")), hang=6)


def _describe_subject(record: dict[str, Any]) -> str:
    """The command, the tool with what it is about, or what went wrong."""
    if record["command"]:
        return str(record["command"])
    path = shorten_home(record["file"]) if record.get("file") and not record.get("judged") else ""
    return " ".join(word for word in (describe_tool(record), path) if word) or str(record.get("problem") or "")


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
