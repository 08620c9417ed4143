"""hookwright undo: the last change of ours taken back, in the file that it was made in."""

from __future__ import annotations

import click

from hookwright.cli import proving
from hookwright.cli.output import as_json, console, print_json
from hookwright.cli.registered import SCOPES, Here, ask, dry_run_option, row_of, show_diff, tilde, write, yes_option
from hookwright.errors import UserError
from hookwright.settings.backup import Backups
from hookwright.settings.change import plan_undo
from hookwright.settings.write import read_bytes, real_path


@click.command("undo", epilog="Example:  hookwright undo --dry-run")
@click.option("--scope", type=click.Choice(SCOPES), help="The last change of this file; without it, the last of all.")
@dry_run_option
@yes_option
@as_json
def command(*, scope: str | None, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Take back the last change that hookwright made to your settings.

    The exact bytes come back if nothing else changed since, otherwise just our part goes. Again: the change before.
    """
    here = Here()
    path = _last_changed(here, [scope] if scope else here.scopes())
    change = plan_undo(path, here.state)
    if not as_json:
        show_diff(change)
    if dry_run:
        rows = [row_of(change)]
    else:
        before = proving.look(here)
        if change.changed:
            ask(f"Write this to {tilde(path)}?", "hookwright undo", yes=yes)
        rows = write([change], here.state)
        proving.after_change(here, before, prove=False)
    if as_json:
        print_json({"files": rows, "verify": None})
    elif change.changed:
        assert change.undoes is not None
        gone = "" if change.after is not None else " (the file is gone again)"
        done = f"would take back the last {change.undoes.deed}" if dry_run else f"last {change.undoes.deed} taken back"
        console().print(f"[green]✓[/] {tilde(path)}: {done}{gone}")
    else:
        print(f"{tilde(path)} is already as it was.")
    return 0


def _last_changed(here: Here, scopes: list[str]) -> str:
    """Among these files, the one that we changed last."""
    found: list[tuple[str, str]] = []
    for scope in scopes:
        path = here.places.settings_file(scope)
        target = real_path(path)
        record = Backups(here.state, target).latest(read_bytes(target))
        if record is not None:
            found.append((record.id, path))
    if not found:
        where = ", ".join(tilde(here.places.settings_file(scope)) for scope in scopes)
        raise UserError("there is no change of ours to take back", where=where, fix="hookwright status")
    return max(found)[1]
