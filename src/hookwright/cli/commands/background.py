"""hookwright background: the background commands of all sessions, and an end for those that have none."""

from __future__ import annotations

import time

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.ledger_context import require_state_dir
from hookwright.cli.output import print_json, print_line
from hookwright.cli.views.background_view import show_tasks
from hookwright.errors import UserError
from hookwright.store import background_list


@click.group("background", invoke_without_command=True, epilog="Example:  hookwright background end b1x2y3z4w")
@json_option
@click.pass_context
def command(context: click.Context, *, as_json: bool) -> int:
    """Show background commands that run: since when, how much longer, which are overdue or left by ended sessions.

    `list --all` shows ended ones too. Nothing is ended unless you say so: `end ID` ends one, and only the processes
    that write to that command's own output file.
    """
    return _list(show_all=False, as_json=as_json) if context.invoked_subcommand is None else 0


@command.command("list")
@click.option("--all", "show_all", is_flag=True, help="Also those that have ended.")
@json_option
def list_command(*, show_all: bool, as_json: bool) -> int:
    """Show background commands that run; with --all also those that have ended."""
    return _list(show_all=show_all, as_json=as_json)


def _list(*, show_all: bool, as_json: bool) -> int:
    found = background_list.describe_tasks(require_state_dir(), time.time(), ended=show_all)
    if as_json:
        print_json({"tasks": found})
    else:
        show_tasks(found)
    return 0


@command.command("end")
@click.argument("task", metavar="ID")
@json_option
def end_command(*, task: str, as_json: bool) -> int:
    """End one background command: SIGTERM, after five seconds SIGKILL, for its process group alone."""
    state = require_state_dir()
    try:
        row = background_list.end_task(state, task, time.time())
    except background_list.CannotEnd as error:
        raise UserError(str(error), fix="hookwright background") from None
    if as_json:
        print_json({"ended": row})
    else:
        print_line(f"Ended {row['id']}: {row['command']}")
    return 0
