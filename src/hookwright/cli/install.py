"""hookwright install: shows what would change in which file, asks, writes, and proves that it works."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from hookwright.cli import proving
from hookwright.cli.output import as_json, console, print_json
from hookwright.cli.registered import (
    SCOPES,
    Here,
    ask,
    dry_run_option,
    names_of,
    row_of,
    show_diff,
    tilde,
    write,
    yes_option,
)
from hookwright.door import bundle, launcher, plugin, registration
from hookwright.door.registration import Choice
from hookwright.recipes import RECIPES
from hookwright.settings.change import Change, plan_install
from hookwright.settings.write import ChangedMeanwhileError

ALL, NONE = "all", "none"


@click.command("install", epilog="Example:  hookwright install --scope project --dry-run")
@click.option("--scope", type=click.Choice(SCOPES), default="user", show_default=True, help="Whose settings.")
@click.option("--only", multiple=True, metavar="HOOK", help=f"Only this hook, or these. `--only {ALL}`: every hook.")
@click.option(
    "--with",
    "recipes",
    multiple=True,
    type=click.Choice([*RECIPES, NONE]),
    help="Also a judge that Claude Code itself runs; it asks a model, which costs tokens.",
)
@click.option(
    "--strict/--no-strict",
    default=None,
    help="If the guard cannot be asked, the call is blocked instead of let through.",
)
@click.argument("more", nargs=-1, metavar="")
@dry_run_option
@yes_option
@as_json
def command(
    *,
    more: tuple[str, ...],
    scope: str,
    only: tuple[str, ...],
    recipes: tuple[str, ...],
    strict: bool | None,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Put hookwright into Claude Code's settings.

    Shows the diff, asks, writes, then proves it. Run again, it changes nothing, or brings former entries up to date;
    what you chose before (--only, --with, --strict) stays until you choose anew. `hookwright undo` takes it back.
    """
    if more and not only:
        raise click.UsageError(f"Got unexpected extra arguments ({' '.join(more)})")
    here = Here()
    choice = _choice(here, scope, only + more, recipes, strict)
    change = _plan(here, scope, choice)
    if not as_json:
        show_diff(change)
    if dry_run:
        if as_json:
            print_json({"files": [row_of(change)], "verify": None})
        elif not change.changed:
            print(f"{tilde(change.path)} would stay as it is.")
        return 0
    before = proving.look(here)
    if change.changed:
        if not as_json:
            _summary(change)
        ask(f"Write this to {tilde(change.path)}?", "hookwright install", yes=yes)
    [row], change = _write(here, scope, choice, change, yes=yes)
    plugin.leave(launcher.argv(), bundle.package_root(), here.state)
    report = proving.after_change(here, before)
    if as_json:
        print_json({"files": [row], "verify": report.as_json()})
    else:
        _receipt(change, row, choice)
        proving.show_ours(report)
    return 0 if report.ours_work else 1


def _choice(here: Here, scope: str, only: tuple[str, ...], recipes: tuple[str, ...], strict: bool | None) -> Choice:
    """What is asked for; what is not mentioned stays as it was installed before."""
    choice = registration.choice_of(here.ours_in(scope))
    hooks, _ = here.hooks(scope)
    known = [hook.name for hook in hooks]
    choice = dataclasses.replace(choice, only=tuple(name for name in choice.only if name in known))
    if only:
        names = () if ALL in only else names_of(hooks, only)
        choice = dataclasses.replace(choice, only=names)
    if recipes:
        choice = dataclasses.replace(choice, recipes=tuple(name for name in dict.fromkeys(recipes) if name != NONE))
    if strict is not None:
        choice = dataclasses.replace(choice, strict=strict)
    return choice


def _plan(here: Here, scope: str, choice: Choice) -> Change:
    hooks, resolved = here.hooks(scope)
    on = registration.enabled(hooks, resolved, choice.only)
    wanted = registration.wanted(on, resolved, choice, launcher.argv())
    return plan_install(here.places.settings_file(scope), wanted, registration.is_ours, here.state)


def _write(here: Here, scope: str, choice: Choice, change: Change, *, yes: bool) -> tuple[list[dict[str, Any]], Change]:
    """Write what was shown. Only who asked for no questions gets a second try on a file that changed meanwhile."""
    try:
        return write([change], here.state), change
    except ChangedMeanwhileError:
        if not yes:
            raise
    change = _plan(here, scope, choice)
    return write([change], here.state), change


def _summary(change: Change) -> None:
    """The diff in a sentence."""
    assert change.edit is not None
    words = []
    for deed, said in (("add", "added on"), ("replace", "brought up to date on"), ("remove", "removed from")):
        events = dict.fromkeys(step.event for step in change.edit.steps if step.deed == deed)
        if events:
            words.append(f"{said} {', '.join(events)}")
    console().print(f"Entries of hookwright are {'; '.join(words)}. Every other byte stays.", soft_wrap=True)


def _receipt(change: Change, row: dict[str, Any], choice: Choice) -> None:
    out = console()
    if not change.changed:
        out.print(f"[green]✓[/] {tilde(change.path)} already has everything; nothing was changed.")
    else:
        kept = f"  [dim](former file: {tilde(row['backup'])})[/]" if row["backup"] and change.before is not None else ""
        out.print(f"[green]✓[/] {tilde(change.path)}{kept}")
    chosen = []
    if choice.only:
        chosen.append(f"only {', '.join(choice.only)} (every hook: --only {ALL})")
    if choice.recipes:
        chosen.append(f"with {', '.join(choice.recipes)} (without: --with {NONE})")
    if choice.strict:
        chosen.append("strict (no longer: --no-strict)")
    if chosen:
        out.print(f"  {'; '.join(chosen)}", style="dim", markup=False)
