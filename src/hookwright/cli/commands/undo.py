"""hookwright undo: revert the last change that hookwright made to a settings file or to your configuration."""

from __future__ import annotations

import click

from hookwright.cli import verify_settings
from hookwright.cli.arguments import dry_run_option, json_option, yes_option
from hookwright.cli.hook_snapshot import diff_snapshot
from hookwright.cli.output import OK, print_json, print_line
from hookwright.cli.prompts import confirm_or_show
from hookwright.cli.require_person import require_person
from hookwright.cli.settings_context import SCOPES, SettingsContext
from hookwright.cli.text import shorten_home
from hookwright.cli.views.diff_view import change_as_json, show_change, show_diff
from hookwright.config import config_edit
from hookwright.errors import UserError
from hookwright.settings.backup import Backups
from hookwright.settings.change import apply, plan_undo
from hookwright.settings.write import read_bytes, real_path


@click.command("undo", epilog="Example:  hookwright undo --dry-run")
@click.option("--scope", type=click.Choice(SCOPES), help="The last change of this file. [default: of all files]")
@dry_run_option
@yes_option
@json_option
def command(*, scope: str | None, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Revert the last change that hookwright made: install, uninstall, allow, on, off or shadow.

    Restores the exact bytes if nothing else changed since; otherwise it reverts our part only. Run it again to revert
    the change before.
    """
    if not dry_run:
        require_person("hookwright undo")
    context = SettingsContext()
    configuration = [] if scope else [path for path in (context.config.user, context.config.here) if path]
    settings = [context.places.settings_file(each) for each in ([scope] if scope else context.list_scopes())]
    path = _last_changed(context.state, settings + configuration)
    if path in configuration:
        change = config_edit.plan_config_undo(path, context.state)
    else:
        change = plan_undo(path, context.state)
    if not as_json:
        show_change(change)
    if dry_run:
        rows = [change_as_json(change)]
    else:
        before = diff_snapshot(context)
        if change.changed:
            question = f"Write this to {shorten_home(path)}?"
            confirm_or_show(question, "hookwright undo", lambda: show_diff(change), yes=yes)
        rows = [change_as_json(change, apply(change, context.state))]
        if path not in configuration:
            verify_settings.report_after_change(context, before, prove=False)
    if as_json:
        print_json({"files": rows, "verify": None})
    elif change.changed:
        assert change.undoes is not None
        removed = "" if change.after is not None else " (the file did not exist before, so it is removed)"
        done = f"{'would revert' if dry_run else 'reverted'} the last {change.undoes.action}"
        print_line(OK, f" {shorten_home(path)}: {done}{removed}")
    else:
        print_line(f"{shorten_home(path)} is already as it was before; nothing was changed.")
    return 0


def _last_changed(state: str, files: list[str]) -> str:
    """The file that we changed last."""
    found: list[tuple[str, str]] = []
    for path in files:
        target = real_path(path)
        record = Backups(state, target).find_latest(read_bytes(target))
        if record is not None:
            found.append((record.id, path))
    if not found:
        where = ", ".join(map(shorten_home, files))
        raise UserError("there is no change of hookwright to revert", where=where, fix="hookwright status")
    return max(found)[1]
