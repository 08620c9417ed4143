"""Verify the hooks that are registered here, and compare them with the last snapshot.

SettingsContext → [this] → verify.verify_hooks, verify.snapshots → Report → views.verify_view
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from hookwright.cli.config_context import environment_values
from hookwright.cli.hook_snapshot import snapshot_rows, update_snapshot
from hookwright.cli.settings_context import MANAGED, SettingsContext
from hookwright.config.compiler import HookSpec, ResolvedOptions
from hookwright.errors import UserError
from hookwright.proc.safe_read import read_text
from hookwright.protocol import client_versions
from hookwright.runtime import launcher, registration
from hookwright.runtime.entry_match import runs_hookwright
from hookwright.runtime.registration import InstallChoice
from hookwright.settings.backup import list_changed_files
from hookwright.settings.change import Change, plan_install
from hookwright.settings.find import MAX_BYTES, Source
from hookwright.settings.load import LoadedHooks, load_sources
from hookwright.settings.mods import find_mods
from hookwright.verify.check_journal import check_journal
from hookwright.verify.check_ours import check_policy
from hookwright.verify.report import Report
from hookwright.verify.snapshots import SnapshotStore
from hookwright.verify.verify_context import VerifyContext
from hookwright.verify.verify_hooks import verify_hooks


def report_after_change(context: SettingsContext, changed: list[str], *, prove: bool = True) -> Report:
    """Verify after a change of ours, and save a snapshot so that our change is not reported as news."""
    sources = context.list_sources()
    loaded = load_sources(sources)
    _update_launcher(context, loaded)
    report = verify_hooks(loaded, sources, build_verify_context(context, loaded, sources)) if prove else Report()
    report.changed = changed
    SnapshotStore(context.state, context.project).save_rows(snapshot_rows(context, loaded))
    return report


def _update_launcher(context: SettingsContext, loaded: LoadedHooks) -> None:
    """Keep the launcher as long as an entry of ours is in force here, or in a file that we changed elsewhere."""
    ours = [registered for registered in loaded.entries if registered.source.scope != MANAGED]
    if any(runs_hookwright(registered.entry.handler) for registered in ours):
        launcher.install_launcher()  # `undo` may have brought entries back
    elif not any(_mentions_launcher(path) for path in list_changed_files(context.state)):
        launcher.remove_launcher()


def _mentions_launcher(path: str) -> bool:
    try:
        text = read_text(path, MAX_BYTES, errors="replace")
    except OSError:
        return False
    return json.dumps(launcher.launcher_path(), ensure_ascii=False)[1:-1] in text


def verify_all(
    context: SettingsContext, *, everything: bool, max_wait_s: float, expected_policy: str | None = None
) -> Report:
    """Verify every registered hook, and replace the snapshot. `expected_policy`: the revision that must be in force."""
    sources = context.list_sources()
    loaded = load_sources(sources)
    built = build_verify_context(context, loaded, sources, everything=everything, max_wait_s=max_wait_s)
    report = verify_hooks(loaded, sources, built)
    policy = context.config.load_policy()
    report.policy = policy.revision
    if expected_policy is not None:
        report.about_ours += check_policy(policy, expected_policy)
    report.about_ours += context.inspect_environment(sources).findings
    report.about_ours += check_journal(context.state)
    report.changed = update_snapshot(context, loaded)
    return report


def build_verify_context(
    context: SettingsContext,
    loaded: LoadedHooks,
    sources: Sequence[Source],
    *,
    everything: bool = False,
    max_wait_s: float = 30.0,
) -> VerifyContext:
    hooks, resolved = context.resolve_hooks()
    plans: list[tuple[str, Change | UserError]] = []
    enabled: dict[str, None] = {}
    for scope in context.list_scopes():
        ours = context.our_handlers_in(scope)
        if not ours:
            continue
        hooks, resolved = context.resolve_hooks(scope)
        choice = registration.read_choice(ours)
        try:
            on = registration.filter_enabled(hooks, resolved, choice.only)
            enabled.update(dict.fromkeys(hook.name for hook in on))
            plan = _plan_scope(context, scope, on, resolved, choice)
            if plan.changed:  # what a hook needed that was turned off since may stay registered
                was_on = [hook for hook in hooks if hook in on or _is_on_by_default(hook, choice)]
                former = _plan_scope(context, scope, was_on, resolved, choice)
                plan = plan if former.changed else former
            plans.append((scope, plan))
        except UserError as error:
            plans.append((scope, error))
    if not plans:
        enabled.update(dict.fromkeys(hook.name for hook in registration.filter_enabled(hooks, resolved)))
    return VerifyContext(
        context.project,
        context.environment,
        hooks=[hook.name for hook in hooks],
        enabled=list(enabled),
        provable=list_provable_hooks(context),
        needs=hooks_by_event(context),
        argv=launcher.build_argv(),
        plans=plans,
        problems=context.resolve_hooks()[1].problems,
        start_third_party=everything,
        max_wait_s=max_wait_s,
        client=context.client,
        mods=find_mods(context.places, sources, loaded),
    )


def _plan_scope(
    context: SettingsContext, scope: str, hooks: list[HookSpec], resolved: ResolvedOptions, choice: InstallChoice
) -> Change:
    wanted = registration.build_entries(hooks, resolved, choice, launcher.build_argv(), context.client.oldest)
    return plan_install(context.places.settings_file(scope), wanted, registration.is_ours, context.state)


def _is_on_by_default(hook: HookSpec, choice: InstallChoice) -> bool:
    return (not choice.only or hook.name in choice.only) and hook.options["mode"].default != "off"


def list_provable_hooks(context: SettingsContext) -> list[str]:
    """Hooks whose configuration gives the answers that the proofs expect: mode on, action force."""
    hooks, resolved = context.resolve_hooks()
    policy = context.config.load_policy()
    found = []
    for hook in hooks:
        values = {name: value.value for name, value in resolved.values[hook.name].items()}
        values.update({name: value for _, name, value in environment_values(hook, policy)})
        if values["mode"] == "on" and values.get("action", "force") == "force":
            found.append(hook.name)
    return found


def hooks_by_event(context: SettingsContext) -> dict[str, list[str]]:
    """Event → hooks that are enabled in this project; of the events that the client knows."""
    hooks, resolved = context.resolve_hooks()
    found: dict[str, list[str]] = {}
    for hook in registration.filter_enabled(hooks, resolved):
        for event in hook.on:
            if client_versions.knows_event(context.client.oldest, event):
                found.setdefault(event, []).append(hook.name)
    return found
