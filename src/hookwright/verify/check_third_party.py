"""Start a hook of another tool as the client would, and report what the client would make of its answers.

handler, harmless payloads → [run_trial] → Trial → [list_findings] → fails, times out, is ignored, locks the user out
Only if the user allows it: a hook may have effects even on a harmless payload.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hookwright.engine.environment import choose_timeout_s
from hookwright.engine.handler_process import run_process_now
from hookwright.engine.handlers.command import start_command
from hookwright.engine.select import build_handler
from hookwright.engine.types import STOP_EVENTS, Handler, Payload, RunContext
from hookwright.proc.child_process import ProgramResult
from hookwright.proc.scratch_dir import ScratchDir
from hookwright.protocol import catalogue, hook_output
from hookwright.protocol.hook_output import ParsedOutput
from hookwright.settings.findings import Finding
from hookwright.settings.load import RegisteredHandler
from hookwright.verify.report import HandlerReport
from hookwright.verify.sample_payloads import TOOLS, harmless_payloads

SLOW_MS = 1000
PROBE_TIMEOUT_S = 5.0
SYSTEM_FOLDERS = ("/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin")
# Events on which a hook that always blocks makes Claude Code unusable. On the others a block is their purpose.
LOCKOUT_EVENTS = hook_output.STOPPED_BY_2 - STOP_EVENTS - {"TeammateIdle", "TaskCompleted"} | {"PermissionRequest"}
COMMON_TOOLS = ("Bash", "Read", "Edit", "Write")
# Findings of settings/check that explain a failed start better than the start itself.
STATIC_CODES = frozenset(
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
DECISIONS = ("deny", "ask", "allow", "defer")


@dataclass(frozen=True)
class Session:
    """The project, environment and time limit in which hooks are tried."""

    project: str
    environment: Mapping[str, str]
    max_wait_s: float = 30.0

    def timeout_s(self, handler: Handler) -> float:
        """The client's timeout, but at most `max_wait_s`."""
        limit = choose_timeout_s(
            handler.event,
            handler.type,
            handler.options.get("timeout"),
            environment=self.environment,
            is_plugin=handler.scope == "plugin",
        )
        return min(limit, self.max_wait_s)

    def build_context(self, handler: Handler, scratch: str) -> RunContext:
        return RunContext(
            project=self.project,
            cwd=self.project,
            env=self.environment,
            timeout_s=self.timeout_s(handler),
            scratch=scratch,
        )


@dataclass
class Trial:
    """The results of one handler, started on each of its payloads."""

    handler: Handler
    ends: list[ProgramResult] = field(default_factory=list)
    readings: list[ParsedOutput] = field(default_factory=list)
    payloads: list[Mapping[str, Any]] = field(default_factory=list)
    blocks_again: bool = False  # it blocks a Stop that a hook has already blocked once

    @property
    def event(self) -> str:
        return self.handler.event

    @property
    def options(self) -> Mapping[str, Any]:
        return self.handler.options


def check_command(row: HandlerReport, session: Session, *, start: bool) -> None:
    """Start a command handler, if allowed, and add what was found to its row."""
    if not start:
        row.why_not = "not started: it may have effects (--all starts it)"
        return
    trial = run_trial(row.registered, session)
    last = trial.ends[-1]
    row.started, row.exit_code, row.ms = last.started, last.exit_code, max(ended.ms for ended in trial.ends)
    row.says = summarize_readings(trial.readings)
    is_explained = any(finding.code in STATIC_CODES for finding in row.findings)
    row.findings += [
        finding
        for finding in list_findings(trial, row.registered.entry.where, session)
        if not (is_explained and finding.code in ("not-started", "exit-code"))
    ]


def run_trial(registered: RegisteredHandler, session: Session) -> Trial:
    """Start a handler on every sample payload that its matcher accepts."""
    handler = build_handler(registered)
    trial = Trial(handler)
    with ScratchDir("verify") as scratch:
        context = session.build_context(handler, scratch)

        def start_hook(payload: Payload) -> ProgramResult:
            return asyncio.run(start_command(handler, payload, context))

        for payload in harmless_payloads(handler.event, handler.matcher, session.project):
            ended = start_hook(payload)
            trial.ends.append(ended)
            trial.payloads.append(payload)
            if not ended.started or ended.timed_out:
                break
            trial.readings.append(read_output(handler.event, ended))
        if handler.event in STOP_EVENTS and trial.readings and trial.readings[-1].is_blocking:
            again = start_hook({**payload, "stop_hook_active": True})
            trial.blocks_again = read_output(handler.event, again).is_blocking
    return trial


def read_output(event: str, ended: ProgramResult) -> ParsedOutput:
    code = ended.exit_code if ended.exit_code is not None else 1
    return hook_output.read_output(event, code, ended.stdout, ended.stderr)


def probe_shell(session: Session, argv: Sequence[str], *, system_only: bool) -> bytes:
    """The output of a shell without commands. `system_only`: do not start a shell that a project may contain."""
    found = shutil.which(argv[0], path=session.environment.get("PATH", os.defpath))
    if system_only and (found is None or os.path.dirname(os.path.abspath(found)) not in SYSTEM_FOLDERS):
        return b""
    return run_process_now(argv, b"", env=session.environment, cwd=session.project, timeout_s=PROBE_TIMEOUT_S).stdout


# --- findings
def list_findings(trial: Trial, where: str, session: Session) -> list[Finding]:
    """All findings of a trial, without duplicates."""
    found: dict[tuple[str, str], Finding] = {}
    for code, what, fix in (
        *_failure_findings(trial, session),
        *_unread_findings(trial),
        *_ignored_findings(trial),
        *_harm_findings(trial),
    ):
        found.setdefault((code, what), Finding(code, what, where, fix))
    return list(found.values())


FindingParts = tuple[str, str, str]  # code, what, fix


def _failure_findings(trial: Trial, session: Session) -> list[FindingParts]:
    last = trial.ends[-1]
    goes_on = "every call is blocked then" if _blocks_on_failure(trial) else "Claude Code continues without it"
    if not last.started:
        return [("not-started", f"it could not be started: {last.start_error}; {goes_on}", "correct the command")]
    if last.timed_out:
        limit = session.timeout_s(trial.handler)
        own = trial.options.get("timeout")
        client = f"Claude Code ends it after {own:g} s" if own and own <= limit else "Claude Code may wait longer"
        what = f"it did not end within {limit:g} s ({client}); {goes_on}"
        return [("too-late", what, "make it faster, or do its work in the background")]
    for ended, reading in zip(trial.ends, trial.readings, strict=True):
        if reading.error and ended.exit_code not in (0, 2):
            what = f"it {reading.error}; {goes_on}"
            return [("exit-code", what, "exit 0 to pass, 2 to block; try it with the payload on stdin")]
    return []


def _blocks_on_failure(trial: Trial) -> bool:
    return trial.options.get("onFailure") == "block" and not trial.options.get("async")


def _unread_findings(trial: Trial) -> list[FindingParts]:
    """A hook that does not read its payload cannot know what it decides about."""
    unread = [ended for ended in trial.ends if ended.exit_code in (0, 2) and ended.unread]
    if not unread:
        return []
    if any(reading.decision in DECISIONS or reading.updated_input is not None for reading in trial.readings):
        what = "it decides without reading stdin, so every call gets the same answer"
        return [("decides-unread", what, "read the payload from stdin")]
    return [("stdin-unread", f"it leaves {unread[0].unread} bytes of its payload unread (harmless)", "")]


def _ignored_findings(trial: Trial) -> list[FindingParts]:
    results = [(one.code, one.what, one.fix) for reading in trial.readings for one in reading.ignored]
    if trial.options.get("async") and any(reading.decision for reading in trial.readings):
        results.append(("async-decides", '"async" hooks cannot decide; what it says comes too late', 'remove "async"'))
    return results


def _harm_findings(trial: Trial) -> list[FindingParts]:
    results: list[FindingParts] = []
    failed = bool(trial.ends) and (len(trial.readings) < len(trial.ends) or any(one.error for one in trial.readings))
    blocks = [reading.is_blocking for reading in trial.readings]
    if trial.event in LOCKOUT_EVENTS and not trial.options.get("async") and _is_broad(trial):
        if blocks and all(blocks):
            reason = trial.readings[0].reason.splitlines()[:1]
            what = f"it refuses everything, even harmless calls{f' ({reason[0][:80]})' if reason else ''}"
            results.append(("lockout", what, "exit 0 without output for calls that it should not refuse"))
        elif failed and _blocks_on_failure(trial):
            results.append(
                ("lockout", 'it fails, and "onFailure": "block" turns each failure into a refusal', "fix the failure")
            )
    if trial.blocks_again:
        what = "it keeps Claude going again although stop_hook_active is true: a loop"
        results.append(("stop-loop", what, "exit 0 when stop_hook_active is true, or count"))
    for payload, reading in zip(trial.payloads, trial.readings, strict=False):
        if reading.decision == "defer":
            what = '"defer" is no pass-through: it ends headless runs'
            results.append(("defers", what, "exit 0 and print nothing"))
        missing = missing_keys(payload, reading)
        if missing:
            what = f"updatedInput replaces the whole input, and {', '.join(missing)} is not in it: the call fails"
            results.append(("input-incomplete", what, "copy tool_input and change the copy"))
    if any(ended.ms > SLOW_MS for ended in trial.ends) and catalogue.is_about_tools(trial.event):
        slowest = max(ended.ms for ended in trial.ends)
        results.append(
            (
                "slow",
                f"it takes {slowest / 1000:.1f} s, and every call waits for it",
                "make it faster, or run it in the background",
            )
        )
    return results


def _is_broad(trial: Trial) -> bool:
    """True unless the matcher selects rarely used tools only; a hook that forbids one of these may be intended."""
    if not catalogue.is_about_tools(trial.event):
        return True
    return any(payload.get("tool_name") in COMMON_TOOLS for payload in trial.payloads)


def missing_keys(payload: Mapping[str, Any], reading: ParsedOutput) -> list[str]:
    """Required keys of the tool that updatedInput lacks."""
    if reading.updated_input is None:
        return []
    tool = str(payload.get("tool_name"))
    optional = ("description", "replace_all", "subagent_type")
    return [key for key in TOOLS.get(tool, {}) if key not in optional and key not in reading.updated_input]


def summarize_readings(readings: Sequence[ParsedOutput]) -> str:
    """The effects of all answers, in a few words."""
    return "; ".join(dict.fromkeys(reading.describe_effects() for reading in readings))
