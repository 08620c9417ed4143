"""hookwright gain: what hookwright was good for, as figures that can be checked."""

from __future__ import annotations

from typing import Any

import click

from hookwright.cli.arguments import json_option, parse_since, project_option, session_option
from hookwright.cli.ledger_context import open_ledger
from hookwright.cli.output import bold, dim, print_json, print_line
from hookwright.cli.text import count, format_moment, format_seconds
from hookwright.store.filter import Filter
from hookwright.store.gain import FIGURES, read_gain
from hookwright.store.queries import format_iso

# Figure → what it says of one, of several.
WORDS = {
    "moved": ("command moved to the background", "commands moved to the background"),
    "stopped": ("call stopped", "calls stopped"),
    "asked": ("call that you were asked about", "calls that you were asked about"),
    "questions_answered": ("question answered by your preferences", "questions answered by your preferences"),
    "prompts_spared": ("permission prompt spared", "permission prompts spared"),
    "subagents_capped": ("subagent call limited", "subagent calls limited"),
}


@click.command("gain", epilog="Example:  hookwright gain --since 30d")
@click.option(
    "--since", callback=parse_since, default="7d", show_default=True, metavar="TIME", help="Only since then: 24h, 7d."
)
@project_option
@session_option
@click.option("--ids", is_flag=True, help="Show the events behind each figure (`hookwright why ID` explains one).")
@click.option("--badge", is_flag=True, help="Print one short line for a badge or a commit message.")
@json_option
def command(*, since: float, project: str, session: str, ids: bool, badge: bool, as_json: bool) -> int:
    """Show what hookwright was good for: time not waited, calls stopped and asked about, questions answered.

    Time is counted for commands that were moved to the background and whose end is known: at most the 120 seconds after
    which Claude Code would have moved them itself, less the launch, less 5 seconds for each turn that taking the result
    and looking for it needed. docs/recompute_gain.py computes the same figures from `hookwright log --json`.
    """
    found = read_gain(open_ledger(), Filter(since=since, project=project, session=session))
    figures = {"since": format_iso(since) if since else None, **found.as_json()}
    if as_json:
        print_json(figures)
    elif badge:
        print_line(format_badge(figures), wrap=False)
    else:
        _show_gain(figures, since, show_ids=ids)
    return 0


def format_badge(figures: dict[str, Any]) -> str:
    parts = [f"{format_saved(figures['seconds_saved'])} not waited"] if figures["moved"] else []
    parts += [
        f"{figures[name]:,} {word}" for name, word in (("stopped", "stopped"), ("asked", "asked")) if figures[name]
    ]
    return f"hookwright: {', '.join(parts) or 'nothing to report'}"


def format_saved(seconds: float) -> str:
    return f"-{format_seconds(-seconds)}" if seconds < 0 else format_seconds(seconds)


def _show_gain(figures: dict[str, Any], since: float, *, show_ids: bool) -> None:
    began = f"since {format_moment(since)}" if since else "so far"
    print_line(bold(format_saved(figures["seconds_saved"])), f" not waited {began} ", dim(_name_basis(figures)))
    for name in FIGURES:
        if figures[name]:
            print_line(f"  {count(figures[name], *WORDS[name])}")
    if not any(figures[name] for name in FIGURES):
        print_line("  nothing was moved, stopped or asked about yet")
    if show_ids:
        for name, found in figures["ids"].items():
            for event in found:
                print_line(f"{event}  {name}", wrap=False)


def _name_basis(figures: dict[str, Any]) -> str:
    known = len(figures["ids"]["seconds_saved"])
    return f"({known:,} of {count(figures['moved'], 'moved command')} with a known end)" if figures["moved"] else ""
