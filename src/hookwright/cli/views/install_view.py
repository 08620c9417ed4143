"""How `hookwright install` says what it is about to write, and what it has written."""

from __future__ import annotations

from collections.abc import Sequence

from hookwright.cli.output import NOTE, OK, dim, print_line
from hookwright.cli.text import count, shorten_home
from hookwright.runtime.registration import InstallChoice
from hookwright.settings.change import Change

ALL, NONE = "all", "none"  # values of --only and --with
LABEL = 10  # columns before a value
VERBS = (("add", "Adds hookwright to"), ("replace", "Updates hookwright on"), ("remove", "Removes hookwright from"))


def show_plan(change: Change, on: Sequence[str], off: Sequence[str], launcher: str) -> None:
    """The change as a person reads it: which file, which events, which hooks, what is run, and what stays."""
    assert change.edit is not None
    _show_row("file", shorten_home(change.path), "new" if change.before is None else "")
    for action, verb in VERBS:
        events = list(dict.fromkeys(step.event for step in change.edit.steps if step.action == action))
        if events:
            _show_row("events", f"{verb} {count(len(events), 'event')}: {', '.join(events)}")
    _show_row("hooks", ", ".join(on), f"off: {', '.join(off)}" if off else "")
    _show_row("runs", shorten_home(launcher), "one small file that you can read")
    print_line(f"{'':{LABEL}}Nothing else in the file changes.")


def _show_row(label: str, value: str, note: str = "") -> None:
    print_line(dim(f"{label:{LABEL}}"), value, dim(f"  ({note})" if note else ""), hang=LABEL)


def show_launcher(path: str) -> None:
    print_line(OK, f" {shorten_home(path)}  ", dim("(the launcher)"))


def show_package(folder: str, why: str) -> None:
    print_line(OK, f" {shorten_home(folder)}  ", dim(f"(a copy of the package, which is {why})"), hang=2)


def show_written(change: Change, backup: str | None) -> None:
    path = shorten_home(change.path)
    if not change.changed:
        print_line(OK, f" {path} is up to date; nothing was changed.")
    else:
        has_backup = backup and change.before is not None
        print_line(OK, f" {path}", dim(f"  (backup: {shorten_home(backup or '')})" if has_backup else ""), hang=2)


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


def show_next(command: str, hints: Sequence[str]) -> None:
    """What to try next, as it can be typed; `hints`: how to have the command at hand, perhaps with a line to paste."""
    for hint in hints:
        told, _, line = hint.partition("\n")
        print_line(NOTE, f" {told}", hang=2)
        if line:
            print_line(f"    {line}", wrap=False)
    more = f" · {command} explain 'git push --force' · {command} undo" if "/" not in command else ""
    print_line(dim(f"Next: {command} status{more}"), hang=6)
