"""hookwright learn: learn durations and questions from Claude Code's transcripts."""

from __future__ import annotations

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.learning import learn_durations
from hookwright.cli.ledger_context import open_ledger, require_state_dir
from hookwright.cli.output import print_json
from hookwright.cli.views.learn_view import show_durations, show_result


@click.command("learn", epilog="Example:  hookwright learn --dry-run")
@click.option("--dry-run", is_flag=True, help="Read and count, store nothing.")
@click.option("--from", "folder", metavar="DIR", help="Claude Code's directory, or its projects. [default: ~/.claude]")
@json_option
def command(*, dry_run: bool, folder: str | None, as_json: bool) -> int:
    """Learn how long your commands take from the transcripts that Claude Code keeps on this machine.

    Reads only what is new since the last time. Nothing leaves the machine, and nothing is written to Claude Code's
    directories.
    """
    found = learn_durations(folder, dry_run=dry_run)
    if as_json:
        print_json(found.as_json())
    else:
        show_result(found, dry_run=dry_run)
        if not dry_run:
            show_durations(open_ledger(), require_state_dir())
    return 0
