"""hookwright uninstall: remove our entries; a file that we only added to gets its former bytes back."""

from __future__ import annotations

from typing import Any

import click

from hookwright.cli import managed_install, verify_settings
from hookwright.cli.arguments import dry_run_option, json_option, yes_option
from hookwright.cli.hook_snapshot import diff_snapshot
from hookwright.cli.output import OK, dim, print_json, print_line
from hookwright.cli.prompts import confirm_or_show
from hookwright.cli.remove_all import Belonging, list_belongings, remove_belongings
from hookwright.cli.require_person import require_person
from hookwright.cli.settings_context import MANAGED, SCOPES, SettingsContext
from hookwright.cli.text import shorten_home
from hookwright.cli.views.diff_view import change_as_json, show_change, show_diff
from hookwright.cli.views.uninstall_view import show_belongings, show_removed
from hookwright.errors import UserError
from hookwright.runtime import managed_launcher, registration
from hookwright.settings.backup import list_changed_files
from hookwright.settings.change import Change, apply, plan_uninstall


@click.command("uninstall", epilog="Example:  hookwright uninstall --scope project")
@click.option(
    "--scope", type=click.Choice((*SCOPES, MANAGED)), help="Only this file. [default: every file with our entries]"
)
@click.option("--all", "everything", is_flag=True, help="Also remove launcher, environment, cache, journal and ledger.")
@dry_run_option
@yes_option
@json_option
def command(*, scope: str | None, everything: bool, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Remove hookwright from Claude Code's settings.

    All other entries stay, byte for byte. Your configuration and the ledger stay too; with --all only what you wrote
    yourself stays: the configuration.
    """
    if everything and scope:
        raise click.UsageError("--all removes it everywhere; it does not go with --scope")
    if not dry_run:
        require_person("hookwright uninstall")
    context = SettingsContext()
    managed_install.require_root(context, scope, "hookwright uninstall", dry_run=dry_run)
    plans = managed_install.plan_uninstalls(context, [scope] if scope else context.list_scopes())
    if everything:
        plans += _plan_elsewhere(context, [change.target for change in plans])
    changes = [change for change in plans if change.changed]
    belongings = list_belongings() if everything else []
    if not as_json:
        for change in changes:
            show_change(change)
        show_belongings(belongings)
    if dry_run:
        rows = [change_as_json(change) for change in changes]
    else:
        if changes or belongings:
            question = _format_question(changes, belongings)
            confirm_or_show(question, "hookwright uninstall", lambda: _show_diffs(changes), yes=yes)
        rows = _write_changes(context, scope, changes, everything=everything)
    failed = remove_belongings(belongings) if not dry_run else []
    if as_json:
        removed = [{"path": each.path, "what": each.what} for each in belongings]
        print_json({"files": rows, "verify": None, **({"removed": removed} if everything else {})})
    else:
        _show_result(rows, plans, dry_run=dry_run, everything=everything)
        if everything:
            show_removed(belongings, failed, dry_run=dry_run)
    return 1 if failed else 0


def _show_diffs(changes: list[Change]) -> None:
    for change in changes:
        show_diff(change)


def _show_result(rows: list[dict[str, Any]], plans: list[Change], *, dry_run: bool, everything: bool) -> None:
    for row in rows:
        print_line(OK, f" {shorten_home(row['path'])}{' would change' if dry_run else ''}")
    if not rows and not everything:
        print_line("nothing was changed: hookwright is not registered in any of these files:")
        for change in plans:
            print_line(dim(f"  {shorten_home(change.path)}"))


def _write_changes(
    context: SettingsContext, scope: str | None, changes: list[Change], *, everything: bool
) -> list[dict[str, Any]]:
    before = diff_snapshot(context)
    rows = [change_as_json(change, apply(change, context.state)) for change in changes]
    if scope == MANAGED:
        managed_launcher.remove_managed_launcher()
    if not everything:  # else state and launcher go as a whole
        verify_settings.report_after_change(context, before, prove=False)
    return rows


def _plan_elsewhere(context: SettingsContext, known: list[str]) -> list[Change]:
    """Our entries in settings files of other projects, as far back as we know where we wrote."""
    found = []
    for path in list_changed_files(context.state):
        if path not in known and path.endswith(".json"):
            try:
                found.append(plan_uninstall(path, registration.is_ours, context.state))
            except UserError:
                continue  # a file that is broken by now starts no hook
    return found


def _format_question(changes: list[Change], belongings: list[Belonging]) -> str:
    files = " and ".join(shorten_home(change.path) for change in changes)
    if not belongings:
        return f"Remove these entries from {files}?"
    return f"Remove {'these entries and ' if changes else ''}everything that is listed?"
