"""How a change of a settings file is shown: the diff on the screen, a row for --json."""

from __future__ import annotations

import sys
from typing import Any

from hookwright.cli.output import Styled, print_line, screen_width
from hookwright.cli.text import count, escape_line, shorten_home
from hookwright.settings.change import Change

SHORT = 40  # lines of a diff that is shown without being asked for


def show_change(change: Change) -> None:
    """The diff if it is short, else what it comes to; `d` at the prompt shows the rest."""
    if change.diff.count("\n") <= SHORT:
        show_diff(change)
        return
    events = list(dict.fromkeys(step.event for step in change.edit.steps)) if change.edit else []
    of_events = f" of {count(len(events), 'event')}: {', '.join(events)}" if events else ""
    goes = "the whole file goes, which hookwright made" if change.after is None else "nothing else in the file changes"
    print_line(f"{shorten_home(change.path)}: hookwright's entries{of_events}; {goes}", hang=2)


def show_diff(change: Change) -> None:
    """Print the diff. On a terminal: coloured, lines cut to its width."""
    is_terminal = sys.stdout.isatty()
    for line in change.diff.splitlines():
        style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "dim")
        if line.startswith(("+++", "---")):
            style = "bold"
        print_line(Styled(escape_line(line, screen_width() - 1 if is_terminal else 0), style), wrap=False)


def change_as_json(change: Change, backup: str | None = None, *, text: bool = False) -> dict[str, Any]:
    """The row of a change; with `text` also what the file would hold, for a tool that writes it elsewhere."""
    row = {"path": change.path, "changed": change.changed, "backup": backup, "diff": change.diff}
    return {**row, "text": None if change.after is None else change.after.decode("utf-8", "replace")} if text else row
