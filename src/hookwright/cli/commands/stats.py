"""hookwright stats: decisions, slow commands, time saved in the background, cost and failures of hooks."""

from __future__ import annotations

import time

import click

from hookwright.cli.arguments import json_option, project_option, session_option, since_option
from hookwright.cli.ledger_context import open_ledger, require_state_dir
from hookwright.cli.output import print_json
from hookwright.cli.views.stats_view import show_stats
from hookwright.store.filter import Filter
from hookwright.store.stats import compute_stats


@click.command("stats", epilog="Example:  hookwright stats --since 7d")
@since_option
@project_option
@session_option
@json_option
def command(*, since: float, project: str, session: str, as_json: bool) -> int:
    """Show figures of the past: how often each hook decided what, which commands are slow, what the hooks cost."""
    store = open_ledger()
    which = Filter(project=project, session=session, since=since)
    found = compute_stats(store, require_state_dir(), which, time.time())
    if as_json:
        print_json(found)
    else:
        show_stats(found)
    return 0
