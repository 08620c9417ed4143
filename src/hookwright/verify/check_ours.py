"""Check our own entries: are they current and complete, does the registered command start, does it answer correctly.

verify_hooks → [check_own_entry, plan_findings, unregistered_events, duplicate_entries] → findings
Starts only what is exactly our entry: one that only resembles it may have come with a cloned project.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from typing import Any

from hookwright.config.policy import Policy, matches_revision
from hookwright.errors import UserError
from hookwright.runtime import launcher, managed_launcher, registration
from hookwright.runtime.entry_match import (
    INLINE_ARGS,
    PLUGIN_MARK,
    PROGRAM,
    is_inline_launcher,
    is_launcher,
    runs_hookwright,
    split_plain_command,
)
from hookwright.runtime.plugin_launcher import text_for
from hookwright.settings.change import Change
from hookwright.settings.client_validation import Entry
from hookwright.settings.findings import Finding
from hookwright.settings.handler_command import Invocation
from hookwright.settings.load import LoadedHooks, RegisteredHandler
from hookwright.verify.proofs import ProofSandbox, classify_answer, prove_entry
from hookwright.verify.report import HandlerReport
from hookwright.verify.sample_payloads import harmless_payloads
from hookwright.verify.verify_context import VerifyContext


# --- one entry
def check_own_entry(
    row: HandlerReport, invocation: Invocation | None, context: VerifyContext, sandbox: ProofSandbox
) -> None:
    """Start the entry on its own event, then prove that its hooks work."""
    handler, where = row.registered.entry.handler, row.registered.entry.where
    if invocation is None:
        row.why_not = "not started: Claude Code asks a model"
        return
    missing_from = find_missing_package(handler)
    if missing_from:
        what = f"the hookwright package is missing from {missing_from}; its hooks are off and tools run unchecked"
        row.findings.append(Finding("package-gone", what, where, "hookwright install"))
    managed = is_managed(row)
    if managed and managed_launcher.find_writable_code(launcher.read_launcher(str(handler["command"]))):
        row.why_not = "not started: others than root could have changed it"
        return
    if not managed and not is_current(handler, row.event, context.argv):
        row.why_not = "not started: it is not what this hookwright registers"
        if row.registered.source.scope not in ("user", "project", "local"):  # plan_findings reports these
            what = "registered by another version or installation of hookwright"
            row.findings.append(Finding("entry-outdated", what, where, "bring it up to date"))
        return
    carried = find_carried_package(row.registered.source.root) if is_plugin(handler) else ""
    if is_plugin(handler) and not carried and not plugin_can_start(context.environment):
        what = "the plugin finds no installed hookwright; its hooks do nothing"
        row.findings.append(Finding("plugin-alone", what, where, "hookwright hook --print-argv"))
        return
    payload = harmless_payloads(row.event, row.registered.entry.matcher, context.project)[0]
    sandbox.plugin_root = carried
    ended = sandbox.start_entry(invocation.argv, payload, {})
    row.started, row.exit_code, row.ms = ended.started, ended.exit_code, ended.ms
    answer, text = classify_answer(ended)
    if answer not in ("silence", "notice"):
        what = f"hookwright's own command failed: {text}"
        row.findings.append(Finding("door-broken", what, where, "hookwright install"))
        return
    if row.event != registration.GUARDED:
        return
    row.proofs = prove_entry(invocation.argv, handler, context.provable, sandbox)
    for proof in row.proofs:
        if not proof.ok:
            what = f'"{proof.command}" should give a {proof.name}, but gave: {proof.answer_text or "silence"}'
            row.findings.append(Finding("proof-failed", what, where, "hookwright explain " + repr(proof.command)))
    if row.proofs:
        row.ms = min(proof.ended.ms for proof in row.proofs)


def find_missing_package(handler: Mapping[str, Any]) -> str:
    """The directory that our package is missing from; "" if it is there, or the entry names none."""
    command, args, root = str(handler.get("command")), handler.get("args"), ""
    words = [command] if isinstance(args, list) else split_plain_command(command)
    if words and is_launcher(words[0]):
        root = launcher.find_package(launcher.read_launcher(words[0]))
    elif isinstance(args, list) and is_inline_launcher(args):
        root = str(dict(enumerate(args)).get(args.index("-c") + INLINE_ARGS - 2, ""))
    return "" if not root or os.path.exists(f"{root}/hookwright/__init__.py") else root


def is_current(handler: Mapping[str, Any], event: str, argv: Sequence[str]) -> bool:
    """True if the entry is exactly what this hookwright registers.

    What only looks like ours may come with a cloned project, and is not started.
    """
    if is_plugin(handler):
        return bool(handler["command"] == text_for(event))
    command, args = str(handler.get("command")), handler.get("args")
    words = [command, *args] if isinstance(args, list) else split_plain_command(command)
    return words[: len(argv)] == list(argv)


def is_plugin(handler: Mapping[str, Any]) -> bool:
    return str(handler.get("command")).startswith(PLUGIN_MARK)


def find_carried_package(plugin_root: str) -> str:
    """The plugin's directory if the code that it carries is this very package: another copy is not started."""
    lib = os.path.join(plugin_root, "lib") if plugin_root else ""
    return plugin_root if lib and os.path.realpath(lib) == os.path.realpath(launcher.package_root()) else ""


def plugin_can_start(environment: Mapping[str, str]) -> bool:
    """True if the plugin finds us, by the launcher or by the command on PATH."""
    home = environment.get("HOME", "")
    path = f"{environment.get('PATH', os.defpath)}:{home}/.local/bin"
    return os.access(launcher.launcher_path(), os.X_OK) or shutil.which(PROGRAM, path=path) is not None


# --- all our entries
def list_registered_events(loaded: LoadedHooks) -> set[str]:
    """The events that settings files register for us; there our plugin does nothing."""
    entries = [registered.entry for registered in loaded.entries if registered.source.scope != "plugin"]
    return {entry.event for entry in entries if runs_hookwright(entry.handler)}


def may_rewrite(registered_events: set[str], entry: Entry) -> bool:
    """Can this entry be one of ours that returns updatedInput?"""
    is_idle_plugin = is_plugin(entry.handler) and entry.event in registered_events
    return runs_hookwright(entry.handler) and not is_idle_plugin


# What a step that `install` would take means for today.
STEP_FINDINGS = {
    "add": ("event-unregistered", "enabled hooks listen to it, but it is not registered"),
    "remove": ("entry-superfluous", "our entry is not needed any more in this form"),
    "replace": ("entry-outdated", "our entry is not what this hookwright registers: "),
}


def plan_findings(scope: str, plan: Change | UserError) -> list[Finding]:
    """Everything that `install` would change now is wrong today."""
    if isinstance(plan, UserError):
        return []  # the file itself has a finding
    install = "hookwright install" + (f" --scope {scope}" if scope != "user" else "")
    grouped: dict[tuple[str, str], list[str]] = {}
    steps = plan.edit.steps if plan.edit else ()
    moved = {step.event for step in steps if step.action == "add"} & {
        step.event for step in steps if step.action == "remove"
    }
    for step in steps:
        what = STEP_FINDINGS[step.action]
        if step.event in moved:
            what = ("entry-outdated", "our entry is registered for other tools than this hookwright listens to")
        elif step.action == "replace":
            what = (what[0], what[1] + _describe_update(step.former, step.handler))
        grouped.setdefault(what, []).append(step.event)
    return [
        Finding(code, f"{', '.join(dict.fromkeys(events))}: {what}", plan.path, install)
        for (code, what), events in grouped.items()
    ]


def _describe_update(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> str:
    if old is None or old.get("command") != new.get("command"):
        return "another interpreter, or an earlier form"
    if old.get("args") != new.get("args"):
        return "another place of the package, or an earlier form"
    return "its options have changed"


def unregistered_events(
    rows: Sequence[HandlerReport], known: Sequence[Finding], context: VerifyContext
) -> list[Finding]:
    """Events that only this project's configuration needs. Not reported if the user installed selected hooks only."""
    ours = [row.registered for row in rows if runs_hookwright(row.registered.entry.handler)]
    complete = [registered for registered in ours if not registration.hook_names(registered.entry.handler)]
    registered_events = {registered.entry.event for registered in ours}
    mentioned = " ".join(finding.what for finding in known)
    missing = [event for event in context.needs if event not in registered_events and event not in mentioned]
    hooks = dict.fromkeys(hook for event in missing for hook in context.needs[event])
    if not missing or not complete:
        return []
    what = f"{', '.join(missing)}: {', '.join(hooks)} is on in this project and listens to it, but it is not registered"
    return [Finding("event-unregistered", what, complete[0].source.path, "hookwright install --scope local")]


def duplicate_entries(rows: Sequence[HandlerReport]) -> list[Finding]:
    """Our entries for one event in several files: the client runs identical ones once, different ones act twice."""
    ours = [row.registered for row in rows if runs_hookwright(row.registered.entry.handler)]
    shared: dict[tuple[str, str, bool], list[RegisteredHandler]] = {}
    for place, two in enumerate(ours):
        for one in ours[:place]:
            if one.entry.event != two.entry.event or one.source.path == two.source.path:
                continue
            if "plugin" in (one.source.scope, two.source.scope):
                continue  # the plugin does nothing where settings register us
            same = all(one.entry.handler.get(key) == two.entry.handler.get(key) for key in ("command", "args"))
            shared.setdefault((one.source.path, two.source.path, same), []).append(one)
    found = []
    for (_, other, same), entries in shared.items():
        effect = "the client runs equal entries once" if same else "both act on the same event"
        events = ", ".join(dict.fromkeys(one.entry.event for one in entries))
        what = f"hookwright is also registered in {other}, on {events}; {effect}"
        fix = f"hookwright uninstall --scope {entries[0].source.scope}"
        found.append(Finding("ours-elsewhere" if same else "ours-twice", what, entries[0].entry.where, fix))
    return found


# --- for everybody on this machine
def is_managed(row: HandlerReport) -> bool:
    """True for an entry that `install --scope managed` wrote."""
    registered = row.registered
    path = managed_launcher.managed_launcher_path()
    return registered.source.scope == "managed" and registered.entry.handler.get("command") == path


def check_managed_code(rows: Sequence[HandlerReport]) -> list[Finding]:
    """Could a user change what is registered for everybody, or not run it? Once for all entries."""
    managed = [row for row in rows if is_managed(row)]
    if not managed:
        return []
    text = launcher.read_launcher(managed_launcher.managed_launcher_path())
    where = managed[0].registered.entry.where
    fix = "install hookwright where root owns everything, such as /opt, and run its `install --scope managed`"
    return [
        *(Finding("package-writable", why, where, fix) for why in managed_launcher.find_writable_code(text)),
        *(Finding("package-unreadable", why, where, fix) for why in managed_launcher.find_unreadable_code(text)),
    ]


# --- the administrator's policy
def check_policy(policy: Policy, expected: str) -> list[Finding]:
    """Is this revision of the policy in force?"""
    if matches_revision(policy, expected):
        return []
    found = f"{policy.revision} is in force" if policy.revision else "no policy is in force"
    what = f"policy {expected} is expected, but {found}"
    return [Finding("policy-differs", what, policy.source, "hookwright policy check")]
