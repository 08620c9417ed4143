"""hookwright uninstall: remove our entries; a file that we only added to gets its former bytes back."""

from __future__ import annotations

import click

from hookwright.cli import managed_install, verify_settings
from hookwright.cli.arguments import dry_run_option, json_option, yes_option
from hookwright.cli.hook_snapshot import diff_snapshot
from hookwright.cli.output import OK, dim, print_json, print_line
from hookwright.cli.prompts import confirm_change
from hookwright.cli.require_person import require_person
from hookwright.cli.settings_context import MANAGED, SCOPES, SettingsContext
from hookwright.cli.text import shorten_home
from hookwright.cli.views.diff_view import change_as_json, show_diff
from hookwright.runtime import managed_launcher
from hookwright.settings.change import apply


@click.command("uninstall", epilog="Example:  hookwright uninstall --scope project")
@click.option(
    "--scope", type=click.Choice((*SCOPES, MANAGED)), help="Only this file. [default: every file with our entries]"
)
@dry_run_option
@yes_option
@json_option
def command(*, scope: str | None, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Remove hookwright from Claude Code's settings.

    All other entries stay, byte for byte. Your configuration and the ledger stay too.
    """
    if not dry_run:
        require_person("hookwright uninstall")
    context = SettingsContext()
    managed_install.require_root(context, scope, "hookwright uninstall", dry_run=dry_run)
    plans = managed_install.plan_uninstalls(context, [scope] if scope else context.list_scopes())
    changes = [change for change in plans if change.changed]
    if not as_json:
        for change in changes:
            show_diff(change)
    if dry_run:
        rows = [change_as_json(change) for change in changes]
    else:
        before = diff_snapshot(context)
        if changes:
            files = " and ".join(shorten_home(change.path) for change in changes)
            confirm_change(f"Remove these entries from {files}?", "hookwright uninstall", yes=yes)
        rows = [change_as_json(change, apply(change, context.state)) for change in changes]
        if scope == MANAGED:
            managed_launcher.remove_managed_launcher()
        verify_settings.report_after_change(context, before, prove=False)
    if as_json:
        print_json({"files": rows, "verify": None})
        return 0
    for row in rows:
        print_line(OK, f" {shorten_home(row['path'])}{' would change' if dry_run else ''}")
    if not rows:
        print_line("nothing was changed: hookwright is not registered in any of these files:")
        for change in plans:
            print_line(dim(f"  {shorten_home(change.path)}"))
    return 0
