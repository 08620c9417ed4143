"""hookwright uninstall: takes our entries out again; a file that we only added to is as it was before us."""

from __future__ import annotations

import click

from hookwright.cli import proving
from hookwright.cli.output import as_json, console, print_json
from hookwright.cli.registered import SCOPES, Here, ask, dry_run_option, row_of, show_diff, tilde, write, yes_option
from hookwright.door import registration
from hookwright.settings.change import plan_uninstall


@click.command("uninstall", epilog="Example:  hookwright uninstall --scope project")
@click.option("--scope", type=click.Choice(SCOPES), help="Only this file; without it, every file where we are.")
@dry_run_option
@yes_option
@as_json
def command(*, scope: str | None, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Take hookwright out of Claude Code's settings.

    Everybody else's entries stay, byte for byte. Your configuration and the ledger stay as well.
    """
    here = Here()
    scopes = [scope] if scope else here.scopes()
    plans = [plan_uninstall(here.places.settings_file(name), registration.is_ours, here.state) for name in scopes]
    changes = [change for change in plans if change.changed]
    if not as_json:
        for change in changes:
            show_diff(change)
    if dry_run:
        rows = [row_of(change) for change in changes]
    else:
        before = proving.look(here)
        if changes:
            places = " and ".join(tilde(change.path) for change in changes)
            ask(f"Take these entries out of {places}?", "hookwright uninstall", yes=yes)
        rows = write(changes, here.state)
        proving.after_change(here, before, prove=False)
    if as_json:
        print_json({"files": rows, "verify": None})
        return 0
    out = console()
    for row in rows:
        out.print(f"[green]✓[/] {tilde(row['path'])}{' would change' if dry_run else ''}")
    if not rows:
        out.print("hookwright is in none of these files; nothing was changed:")
        for change in plans:
            out.print(f"  {tilde(change.path)}", style="dim", markup=False)
    return 0
