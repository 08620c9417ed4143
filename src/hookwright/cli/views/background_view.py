"""How `hookwright background` shows the commands that run."""

from __future__ import annotations

from typing import Any

from hookwright.cli.output import Styled, print_line, print_table
from hookwright.cli.text import count, escape_line, format_seconds, shorten_home

_STYLES = {"overdue": "yellow", "orphan": "red", "silent": "yellow"}


def show_tasks(tasks: list[dict[str, Any]]) -> None:
    if not tasks:
        print_line("No background command runs.")
        return
    rows = []
    for task in tasks:
        word = _describe_state(task)
        left = format_seconds(task["remaining_s"]) if task["remaining_s"] is not None else "-"
        rows.append(
            (
                task["id"],
                Styled(word, _STYLES.get(word, "")),
                format_seconds(task["seconds"]),
                left,
                ", ".join(map(str, task["ports"])) or "-",
                shorten_home(task["project"] or ""),
                escape_line(task["command"], 80),
            )
        )
    print_table(("id", "state", "since", "left", "port", "project", "command"), rows, right=("since", "left"))
    left_over = [task for task in tasks if task["state"] == "orphan"]
    if left_over:
        print_line()
        print_line(
            f"{count(len(left_over), 'command')} of ended sessions still run"
            f"{'s' if len(left_over) == 1 else ''}. To end one: hookwright background end {left_over[0]['id']}"
        )


def _describe_state(task: dict[str, Any]) -> str:
    if task["state"] == "running" and task["overdue"]:
        return "overdue"
    return str(task["state"])
