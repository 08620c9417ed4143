"""hookwright questions list, log: which questions were asked, how often, who answered them."""

from __future__ import annotations

import sys
import time
from typing import Any

import click

from hookwright.cli.arguments import json_option, since_option
from hookwright.cli.commands.questions.common import find_state_dir, open_preferences, read_questions
from hookwright.cli.output import print_json, print_line
from hookwright.cli.text import count
from hookwright.cli.views.questions_view import show_log, show_preferences, show_questions
from hookwright.hooks.questions import pending
from hookwright.hooks.questions.preferences import is_active
from hookwright.hooks.questions.suggestions import group_questions, shadow_stats


@click.command("list", epilog="Example:  hookwright questions list --since 7d")
@since_option
@click.option("--all", "every", is_flag=True, help="Also preferences of other projects.")
@json_option
def list_command(*, since: float, every: bool, as_json: bool) -> int:
    """Show which questions were asked, how often, how they were answered, and your preferences."""
    found = read_questions(since, transcripts=True)
    kept = open_preferences()
    decided = [_add_usage(preference) for preference in (kept.list_all() if every else kept.list_here())]
    seen = shadow_stats(found)
    asked = group_questions(found)
    if as_json:
        print_json({"questions": [kind.as_json() for kind in asked.values()], "preferences": decided, "shadow": seen})
        return 0
    if asked:
        show_questions(asked)
    else:
        print_line("No questions are recorded.")
    if decided:
        show_preferences(decided)
    if seen:
        questions = count(seen["questions"], "question")
        print_line(f"Shadow mode: {seen['would']} of {questions} would be answered, {seen['agreed']} as you did.")
    return 0


@click.command("log", epilog="Example:  hookwright questions log --since 1d --json")
@since_option
@click.option("-n", "most", type=click.IntRange(min=1), metavar="N", help="Only the last N.")
@json_option
def log_command(*, since: float, most: int | None, as_json: bool) -> int:
    """Show every answered question, oldest first. With --json, or in a pipe: one JSON object per line."""
    lines = [entry.format_line() for entry in read_questions(since) if entry.is_answered]
    lines = lines[-most:] if most else lines
    if as_json or not sys.stdout.isatty():
        for line in lines:
            print_json(line, one_line=True)
        return 0
    show_log(lines)
    return 0


def _add_usage(preference: dict[str, Any]) -> dict[str, Any]:
    used = pending.count_uses(find_state_dir(), str(preference.get("id")))
    live = is_active(preference, time.time(), lambda identity: pending.count_uses(find_state_dir(), identity))
    return {**preference, "used": used if preference.get("uses") else None, "live": live}
