"""hookwright statusline: what hookwright did in this session, as one line for Claude Code's status line."""

from __future__ import annotations

import click

from hookwright.cli.statusline import run_statusline


@click.command("statusline", epilog='Example:  {"statusLine": {"type": "command", "command": "hookwright statusline"}}')
def command() -> int:
    """Print a segment for Claude Code's status line: calls stopped, commands moved, time not waited, what still runs.

    Reads the JSON that Claude Code gives to a status line on stdin. docs/hooks/summary.md shows how to put it beside a
    status line that you have already.
    """
    return run_statusline()
