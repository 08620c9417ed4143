"""How `hookwright install` says what it is about to write, and what it has written."""

from __future__ import annotations

from hookwright.cli.output import OK, dim, print_line
from hookwright.cli.text import shorten_home
from hookwright.runtime.registration import InstallChoice
from hookwright.settings.change import Change

ALL, NONE = "all", "none"  # values of --only and --with


def show_summary(change: Change) -> None:
    """The diff in one sentence."""
    assert change.edit is not None
    parts = []
    for action, verb in (("add", "added to"), ("replace", "updated on"), ("remove", "removed from")):
        events = dict.fromkeys(step.event for step in change.edit.steps if step.action == action)
        if events:
            parts.append(f"{verb} {', '.join(events)}")
    print_line(f"hookwright's entries are {'; '.join(parts)}. Nothing else in the file changes.")


def show_launcher(path: str) -> None:
    print_line(OK, f" {shorten_home(path)}  ", dim("(the launcher)"))


def show_written(change: Change, backup: str | None) -> None:
    path = shorten_home(change.path)
    if not change.changed:
        print_line(OK, f" {path} is up to date; nothing was changed.")
    else:
        has_backup = backup and change.before is not None
        print_line(OK, f" {path}", dim(f"  (backup: {shorten_home(backup or '')})" if has_backup else ""))


def show_choice(choice: InstallChoice) -> None:
    """The options that stay in force until they are given again."""
    chosen = []
    if choice.only:
        chosen.append(f"only {', '.join(choice.only)} (every hook: --only {ALL})")
    if choice.recipes:
        chosen.append(f"with {', '.join(choice.recipes)} (without: --with {NONE})")
    if choice.strict:
        chosen.append("strict (off: --no-strict)")
    if chosen:
        print_line(dim(f"  {'; '.join(chosen)}"))
