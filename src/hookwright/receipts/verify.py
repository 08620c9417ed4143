"""Verification: every registered handler looked at, started where that is harmless or asked for, and judged.

effective settings → [verify] → a row a handler, findings, a fingerprint
Nothing is written here; strangers' hooks are started only when the caller says so, since they may have effects.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from hookwright.door import registration
from hookwright.door.entry import starts_the_door
from hookwright.engine import select
from hookwright.engine.process import start_now
from hookwright.errors import UserError
from hookwright.receipts import ours, strangers, web
from hookwright.receipts.ours import Stage
from hookwright.receipts.payloads import harmless
from hookwright.receipts.report import Report, Row
from hookwright.receipts.strangers import Session
from hookwright.settings.change import Change
from hookwright.settings.check import Checkup, check, check_entry
from hookwright.settings.find import Source
from hookwright.settings.findings import Finding
from hookwright.settings.fingerprint import fingerprint, snapshot
from hookwright.settings.load import Loaded, Registered, read_source
from hookwright.settings.rules import Entry, Kind

PROBE_S = 5.0
# Whose `env` may reach what is started without --all: a cloned project's could load anything into it (LD_PRELOAD).
OWN_SCOPES = ("managed", "flag", "user")
SYSTEM = ("/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")
# Said before anything is started, and better than by the start that then fails.
FORESEEN = frozenset(
    (
        "command-empty",
        "exec-form-with-shell-text",
        "program-is-folder",
        "program-missing",
        "run-bit-missing",
        "script-missing",
        "shebang-broken",
    )
)


@dataclass(frozen=True)
class Around:
    """Where the verification happens, and what hookwright would have there."""

    project: str
    environment: Mapping[str, str]
    state: str
    hooks: Sequence[str]  # every hook there is
    enabled: Sequence[str]  # those that are registered or would be
    provable: Sequence[str]  # those that answer as our proofs expect, by the configuration in force
    needs: Mapping[str, Sequence[str]]  # event → hooks that are on in this project and listen to it
    argv: Sequence[str]  # what this hookwright registers
    plans: Sequence[tuple[str, Change | UserError]]  # scope → what `install` would do to the file that we are in
    problems: Sequence[UserError] = ()  # of hookwright's own configuration
    everything: bool = False  # start strangers' hooks too
    patience_s: float = 30.0


def verify(loaded: Loaded, sources: Sequence[Source], around: Around) -> Report:
    """Look at every handler that counts."""
    settings = _settings(sources)
    trusted = settings if around.everything else _settings([s for s in sources if s.scope in OWN_SCOPES])
    environment = {**around.environment, **select.environment(trusted)}
    session = Session(around.project, environment, around.patience_s)
    checkup = Checkup(
        around.project,
        environment,
        rewrites=partial(_may_rewrite, _in_settings(loaded)),
        probe=partial(_probe, session, around.everything),
    )
    report = Report(on=list(around.enabled), off=[name for name in around.hooks if name not in around.enabled])
    single: set[Finding] = set()
    with Stage(environment, around.hooks, around.state) as stage:
        for registered in loaded.entries:
            row = _row(registered)
            report.rows.append(row)
            row.program = _program(registered, checkup)
            row.findings += check_entry(registered, checkup)
            single.update(row.findings)
            if row.ours:
                _look_at_ours(row, checkup, around, stage)
            elif registered.entry.handler["type"] == "command":
                _look_at_command(row, session, everything=around.everything)
            elif registered.entry.handler["type"] == "http":
                web.look(row, session, select.lists(settings, "allowedHttpHookUrls"), send=around.everything)
            else:
                row.why_not = "it needs a server or a model"
    report.findings += [finding for finding in check(loaded, checkup) if finding not in single]
    report.about_ours += [finding for scope, plan in around.plans for finding in planned(scope, plan)]
    report.about_ours += unheard(report, around)
    report.about_ours += twins(report.ours)
    report.about_ours += [Finding("configuration", error.what, error.where, error.fix) for error in around.problems]
    report.fingerprint = fingerprint(snapshot(loaded.entries, around.project, around.environment))
    return report


def _settings(sources: Sequence[Source]) -> list[Mapping[str, Any]]:
    """The settings files that the client reads, strongest first."""
    read = [read_source(source) for source in sources if source.kind is Kind.SETTINGS]
    return [file.data for file in read if isinstance(file.data, dict) and not file.inspection.skipped]


def _row(registered: Registered) -> Row:
    handler = registered.entry.handler
    mine = registration.is_ours(handler)
    return Row(registered, _runs(handler, ours=mine), mine)


def _runs(handler: Mapping[str, Any], *, ours: bool) -> str:
    """A handler in one line."""
    kind = handler["type"]
    if ours and kind == "command":
        only = registration.names_in(handler)
        return "hookwright" + (f" ({', '.join(only)})" if only else "")
    if kind == "command":
        args = handler.get("args")
        return " ".join([handler["command"], *(args if isinstance(args, list) else ())])
    if kind == "mcp_tool":
        return f"{handler['server']}/{handler['tool']}"
    return str(handler.get("url") or handler.get("prompt"))


def _program(registered: Registered, checkup: Checkup) -> str:
    started = checkup.invocation(registered)
    return (started.script or started.program or "") if started else ""


def _in_settings(loaded: Loaded) -> set[str]:
    """The events on which our plugin stands aside."""
    entries = [registered.entry for registered in loaded.entries if registered.source.scope != "plugin"]
    return {entry.event for entry in entries if starts_the_door(entry.handler)}


def _may_rewrite(aside: set[str], entry: Entry) -> bool:
    return starts_the_door(entry.handler) and not (ours.is_plugin(entry.handler) and entry.event in aside)


def _probe(session: Session, everything: bool, argv: Sequence[str]) -> bytes:
    """What a shell prints by itself. A shell that a project brings along is a stranger's program."""
    found = shutil.which(argv[0], path=session.environment.get("PATH", os.defpath))
    if not everything and (found is None or os.path.dirname(os.path.abspath(found)) not in SYSTEM):
        return b""
    return start_now(argv, b"", env=session.environment, cwd=session.project, timeout_s=PROBE_S).stdout


# --- others'
def _look_at_command(row: Row, session: Session, *, everything: bool) -> None:
    if not everything:
        row.why_not = "not started: it may have effects (--all starts it)"
        return
    trial = strangers.tried(row.registered, session)
    last = trial.ends[-1]
    row.started, row.exit_code, row.ms = last.started, last.exit_code, max(ended.ms for ended in trial.ends)
    row.says = strangers.says(trial.readings)
    foreseen = any(finding.code in FORESEEN for finding in row.findings)
    row.findings += [
        finding
        for finding in strangers.findings(trial, session)
        if not (foreseen and finding.code in ("not-started", "exit-code"))
    ]


# --- ours
def _look_at_ours(row: Row, checkup: Checkup, around: Around, stage: Stage) -> None:
    """Start it on its own event, and prove what it is there for."""
    handler, where = row.registered.entry.handler, row.registered.entry.where
    invocation = checkup.invocation(row.registered)
    if invocation is None:
        row.why_not = "Claude Code asks a model itself"
        return
    gone = ours.package_gone(handler)
    if gone:
        what = f"the package is gone from {gone}; its hooks are off and tools go on"
        row.findings.append(Finding("package-gone", what, where, "hookwright install"))
    if not ours.is_current(handler, row.event, around.argv):
        row.why_not = "not started: it is not what this hookwright registers"
        if row.registered.source.scope not in ("user", "project", "local"):  # of these the plan speaks
            row.findings.append(
                Finding("entry-outdated", "an entry of another hookwright", where, "bring it up to date")
            )
        return
    if ours.is_plugin(handler) and not ours.way_in(around.state, around.environment):
        what = "the plugin finds no installed hookwright; its hooks do nothing"
        row.findings.append(Finding("plugin-alone", what, where, "hookwright hook --print-argv"))
        return
    ended = stage.start(invocation.argv, harmless(row.event, row.registered.entry.matcher, around.project)[0], {})
    row.started, row.exit_code, row.ms = ended.started, ended.exit_code, ended.ms
    word, said = ours.told(ended)
    if word not in ("silence", "notice"):
        what = f"hookwright's own command failed: {said}"
        row.findings.append(Finding("door-broken", what, where, "hookwright install"))
        return
    if row.event != registration.GUARDED:
        return
    row.proofs = ours.prove(invocation.argv, handler, around.provable, stage)
    for proof in row.proofs:
        if not proof.ok:
            what = f'"{proof.command}" should have met a {proof.name}, and met: {proof.said or "silence"}'
            row.findings.append(Finding("proof-failed", what, where, "hookwright explain " + repr(proof.command)))
    if row.proofs:
        row.ms = min(proof.ended.ms for proof in row.proofs)


def planned(scope: str, plan: Change | UserError) -> list[Finding]:
    """What `install` would change now, said as what is wrong today."""
    if isinstance(plan, UserError):
        return []  # the file itself is found to be wrong
    install = "hookwright install" + (f" --scope {scope}" if scope != "user" else "")
    said: dict[tuple[str, str], list[str]] = {}
    for step in plan.edit.steps if plan.edit else ():
        what = DEEDS[step.deed]
        if step.deed == "replace":
            what = (what[0], what[1] + _difference(step.former, step.handler))
        said.setdefault(what, []).append(step.event)
    return [
        Finding(code, f"{', '.join(dict.fromkeys(events))}: {what}", plan.path, install)
        for (code, what), events in said.items()
    ]


# What a step of `install` says about today.
DEEDS = {
    "add": ("event-unregistered", "hooks that are on listen to it, and it is not registered"),
    "remove": ("entry-superfluous", "an entry of ours that no hook needs in this form any more"),
    "replace": ("entry-outdated", "our entry is not what this hookwright registers: "),
}


def _difference(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> str:
    """What kind of change brings an entry up to date."""
    if old is None or old.get("command") != new.get("command"):
        return "another interpreter, or an earlier form"
    if old.get("args") != new.get("args"):
        return "another place of the package, or an earlier form"
    return "its options are others now"


def unheard(report: Report, around: Around) -> list[Finding]:
    """Events that only this project's configuration asks for. Who installed some hooks only has chosen so."""
    doors = [row.registered for row in report.ours if starts_the_door(row.registered.entry.handler)]
    whole = [door for door in doors if not registration.names_in(door.entry.handler)]
    heard = {door.entry.event for door in doors}
    said = " ".join(finding.what for finding in report.about_ours)
    missing = [event for event in around.needs if event not in heard and event not in said] if whole else []
    hooks = dict.fromkeys(hook for event in missing for hook in around.needs[event])
    if not missing:
        return []
    what = f"{', '.join(missing)}: {', '.join(hooks)} is on in this project and listens to it, and it is not registered"
    return [Finding("event-unregistered", what, whole[0].source.path, "hookwright install --scope local")]


def twins(rows: Sequence[Row]) -> list[Finding]:
    """Entries of ours for one event in several files: equal ones run once, others would act twice."""
    doors = [row.registered for row in rows if starts_the_door(row.registered.entry.handler)]
    shared: dict[tuple[str, str, bool], list[Registered]] = {}
    for place, two in enumerate(doors):
        for one in doors[:place]:
            if one.entry.event != two.entry.event or one.source.path == two.source.path:
                continue
            if "plugin" in (one.source.scope, two.source.scope):
                continue  # the plugin stands aside by itself
            same = all(one.entry.handler.get(key) == two.entry.handler.get(key) for key in ("command", "args"))
            shared.setdefault((one.source.path, two.source.path, same), []).append(one)
    found = []
    for (_, other, same), entries in shared.items():
        effect = "the client runs equal entries once" if same else "both act on the same event"
        events = ", ".join(dict.fromkeys(one.entry.event for one in entries))
        what = f"hookwright is in {other} too, on {events}; {effect}"
        fix = f"hookwright uninstall --scope {entries[0].source.scope}"
        found.append(Finding("ours-elsewhere" if same else "ours-twice", what, entries[0].entry.where, fix))
    return found
