"""How `hookwright replay` shows what one or two configurations decide on past calls."""

from __future__ import annotations

from typing import Any

from hookwright import replay
from hookwright.cli.output import print_line
from hookwright.cli.text import count, escape_line

MAX_ROWS = 15


def show_replay(found: replay.ReplayResult) -> None:
    print_line(f"{count(found.calls, 'past call')}.")
    _show_counts("the current configuration" if found.proposed else "this configuration", found.counts)
    if found.proposed is not None:
        _show_counts("the proposed one", found.proposed)
        changes = found.as_json()["changes"]
        print_line()
        kinds = count(len(found.changes), "kind of call is", "kinds of calls are")
        print_line(f"{kinds} decided differently." if changes else "No call is decided differently.")
        for change in changes[:MAX_ROWS]:
            times = count(change["n"], "time")
            print_line(f"  {change['before']} → {change['after']}  {times}  {escape_line(change['command'], 90)}")
    suspicious = found.top_suspicions()
    if suspicious:
        print_line()
        print_line("Check these first:")
        for one in suspicious[:MAX_ROWS]:
            times = "time " if one.n == 1 else "times"
            print_line(f"  {one.verdict:6} {one.n:4} {times}  {escape_line(one.command, 80)}")
            print_line(f"{'':20}{one.because}")


def _show_counts(configuration: str, counts: dict[str, dict[str, Any]]) -> None:
    labels = {
        "moved to the background": counts["background"]["force"],
        "given a note that they may take long": counts["background"]["suggest"],
        "denied": counts["guard"]["deny"],
        "asked about": counts["guard"]["ask"],
        "questions answered": counts["questions"]["answered"],
    }
    print_line(f"With {configuration}:")
    for text, number in labels.items():
        print_line(f"  {number:6,} {text}")
