"""Install for everybody on this machine, and the exact inverse: the client's managed drop-in and root's launcher.

install, uninstall --scope managed → [this] → settings.change, runtime.managed_launcher
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence

from hookwright.cli.settings_context import MANAGED, SettingsContext
from hookwright.cli.verify_settings import build_verify_context, report_after_change
from hookwright.config.compiler import HookSpec
from hookwright.errors import UserError
from hookwright.runtime import launcher, managed_launcher, registration
from hookwright.runtime.registration import InstallChoice
from hookwright.settings.change import Change, apply, plan_install, plan_uninstall
from hookwright.settings.json_document import read_document
from hookwright.settings.load import load_sources
from hookwright.verify.report import Report
from hookwright.verify.verify_hooks import verify_hooks


def require_root(context: SettingsContext, scope: str | None, command: str, *, dry_run: bool) -> None:
    """Managed settings are root's; anybody may look at what would be written."""
    if scope == MANAGED and not dry_run and os.geteuid() != 0:
        path = context.places.settings_file(scope)
        fix = f"sudo {command} --scope managed; with --dry-run it shows what would be written"
        raise UserError("managed settings belong to the whole machine: only root may write them", where=path, fix=fix)


def plan_managed_install(context: SettingsContext, choice: InstallChoice) -> Change:
    hooks, resolved = context.resolve_hooks(MANAGED)
    on = select_hooks(hooks, choice.only)
    argv = [managed_launcher.managed_launcher_path()]
    wanted = registration.build_entries(on, resolved, choice, argv, context.client.oldest)
    return plan_install(context.places.settings_file(MANAGED), wanted, registration.is_ours, context.state)


def select_hooks(hooks: Sequence[HookSpec], only: Sequence[str]) -> list[HookSpec]:
    """Whatever their mode: each user may turn a hook on, and finds it registered."""
    return [hook for hook in hooks if not only or hook.name in only]


def plan_uninstalls(context: SettingsContext, scopes: Sequence[str]) -> list[Change]:
    """Remove our entries from these files. The drop-in is a file of ours: it goes with the last of them."""
    changes = []
    for scope in scopes:
        change = plan_uninstall(context.places.settings_file(scope), registration.is_ours, context.state)
        is_empty = change.after is not None and read_document(change.after, change.path).data == {}
        changes.append(dataclasses.replace(change, after=None) if scope == MANAGED and is_empty else change)
    return changes


def write_managed(change: Change, state: str) -> str | None:
    """Apply an install; returns the path of the backup. Every user's client has to read the file."""
    backup = apply(change, state)
    os.chmod(change.target, 0o644)
    return backup


def install_launcher(scope: str, settings_file: str) -> tuple[bool, str]:
    """Write the launcher that this scope registers; whether it was written, and its path."""
    if scope == MANAGED:
        written = managed_launcher.install_managed_launcher(settings_file)
        return written, managed_launcher.managed_launcher_path()
    return launcher.install_launcher(), launcher.launcher_path()


def report_after_install(context: SettingsContext, scope: str, before: list[str]) -> Report:
    """Verify what is registered; for everybody without touching the launcher of the user who installs."""
    if scope != MANAGED:
        return report_after_change(context, before)
    sources = context.list_sources()
    loaded = load_sources(sources)
    return verify_hooks(loaded, sources, build_verify_context(context, loaded, sources))
