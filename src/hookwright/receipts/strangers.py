"""Starts a hook of somebody else as the client would, and says what the client would make of it.

handler, harmless payloads → [Trial] → findings: dead, late, silently ignored, locking the user out
Only on the user's word: a hook may have effects, even on a harmless payload.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hookwright.engine.environment import timeout_s, variables
from hookwright.engine.process import Ended, start_now
from hookwright.protocol import catalogue, output
from hookwright.protocol.output import Reading
from hookwright.receipts.payloads import TOOLS, again, harmless
from hookwright.settings.commands import Surroundings, invocation
from hookwright.settings.findings import Finding
from hookwright.settings.load import Registered

SLOW_MS = 1000
KEEPS_GOING = frozenset(("Stop", "SubagentStop"))  # a block here is what the event is for, once
NO_WAY_OUT = output.STOPPED_BY_2 - KEEPS_GOING - {"TeammateIdle", "TaskCompleted"} | {"PermissionRequest"}
EVERYDAY = ("Bash", "Read", "Edit", "Write")
DECISIONS = ("deny", "ask", "allow", "defer")


@dataclass(frozen=True)
class Session:
    """What the client gives to every hook of a session."""

    project: str
    environment: Mapping[str, str]
    patience_s: float = 30.0

    def env(self, registered: Registered, scratch: str, session_id: str) -> dict[str, str]:
        """As the client gives it."""
        return variables(
            registered.entry.event,
            base=self.environment,
            project=self.project,
            session_id=session_id,
            scratch=scratch,
            plugin_root=registered.source.root,
        )

    def timeout_s(self, registered: Registered) -> float:
        """The client's clock, but never longer than a person waits here."""
        entry = registered.entry
        is_plugin = registered.source.scope == "plugin"
        own = entry.handler.get("timeout")
        limit = timeout_s(entry.event, entry.handler["type"], own, environment=self.environment, is_plugin=is_plugin)
        return min(limit, self.patience_s)


@dataclass
class Trial:
    """One handler, started on each of its payloads."""

    registered: Registered
    ends: list[Ended] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    payloads: list[Mapping[str, Any]] = field(default_factory=list)
    again_stops: bool = False  # still keeps Claude going after it has been heard once

    @property
    def event(self) -> str:
        return self.registered.entry.event

    @property
    def handler(self) -> Mapping[str, Any]:
        return self.registered.entry.handler


def tried(registered: Registered, session: Session) -> Trial:
    """Start it on every harmless payload that its matcher lets through."""
    trial = Trial(registered)
    entry = registered.entry
    with tempfile.TemporaryDirectory(prefix="hookwright-verify-") as scratch:
        around = Surroundings(session.project, session.environment, registered.source.root, scratch)
        argv = invocation(entry.handler, around).argv

        def begin(payload: bytes) -> Ended:
            env = session.env(registered, scratch, json.loads(payload)["session_id"])
            return start_now(argv, payload, env=env, cwd=session.project, timeout_s=session.timeout_s(registered))

        for payload in harmless(entry.event, entry.matcher, session.project):
            ended = begin(payload)
            trial.ends.append(ended)
            trial.payloads.append(json.loads(payload))
            if not ended.started or ended.late:
                break
            trial.readings.append(heard(entry.event, ended))
        if entry.event in KEEPS_GOING and trial.readings and trial.readings[-1].stops:
            trial.again_stops = heard(entry.event, begin(again(payload))).stops
    return trial


def heard(event: str, ended: Ended) -> Reading:
    code = ended.exit_code if ended.exit_code is not None else 1
    return output.read(event, code, ended.stdout, ended.stderr)


# --- what is wrong with it
def findings(trial: Trial, session: Session) -> list[Finding]:
    """Everything that a trial shows, each thing once."""
    where = trial.registered.entry.where
    found: dict[tuple[str, str], Finding] = {}
    for code, what, fix in (*_dead(trial, session), *_deaf(trial), *_ignored(trial), *_harmful(trial)):
        found.setdefault((code, what), Finding(code, what, where, fix))
    return list(found.values())


Said = tuple[str, str, str]  # code, what, fix


def _dead(trial: Trial, session: Session) -> list[Said]:
    last = trial.ends[-1]
    goes_on = "every call is blocked then" if _blocks_on_failure(trial) else "Claude Code goes on without it"
    if not last.started:
        return [("not-started", f"it could not be started: {last.problem}; {goes_on}", "correct the command")]
    if last.late:
        limit = session.timeout_s(trial.registered)
        own = trial.handler.get("timeout")
        kept = f"Claude Code ends it after {own:g} s" if own and own <= limit else "Claude Code may wait longer"
        what = f"it did not end within {limit:g} s ({kept}); {goes_on}"
        return [("too-late", what, "make it quicker, or start its work in the background")]
    for ended, reading in zip(trial.ends, trial.readings, strict=True):
        if reading.error and ended.exit_code not in (0, 2):
            what = f"it {reading.error}; {goes_on}"
            return [("exit-code", what, "exit 0 for silence, 2 to block; try it with the payload on stdin")]
    return []


def _blocks_on_failure(trial: Trial) -> bool:
    return trial.handler.get("onFailure") == "block" and not trial.handler.get("async")


def _deaf(trial: Trial) -> list[Said]:
    """Who does not read the payload cannot know what it is about."""
    unread = [ended for ended in trial.ends if ended.exit_code in (0, 2) and ended.unread]
    if not unread:
        return []
    if any(reading.decision in DECISIONS or reading.updated_input is not None for reading in trial.readings):
        what = "it decides without reading its stdin: it says the same to every call"
        return [("decides-unread", what, "read the payload from stdin")]
    return [("stdin-unread", f"it leaves {unread[0].unread} bytes of its payload unread, which does no harm", "")]


def _ignored(trial: Trial) -> list[Said]:
    said = [(one.code, one.what, one.fix) for reading in trial.readings for one in reading.ignored]
    if trial.handler.get("async") and any(reading.decision for reading in trial.readings):
        said.append(("async-decides", '"async" hooks cannot decide; what it says comes too late', 'remove "async"'))
    return said


def _harmful(trial: Trial) -> list[Said]:
    said: list[Said] = []
    failed = bool(trial.ends) and (len(trial.readings) < len(trial.ends) or any(one.error for one in trial.readings))
    blocks = [reading.stops for reading in trial.readings]
    if trial.event in NO_WAY_OUT and not trial.handler.get("async") and _is_broad(trial):
        if blocks and all(blocks):
            reason = trial.readings[0].reason.splitlines()[:1]
            what = f"it refuses everything, harmless calls too{f' ({reason[0][:80]})' if reason else ''}"
            said.append(("lockout", what, "let it exit 0 in silence for what it does not mean"))
        elif failed and _blocks_on_failure(trial):
            said.append(("lockout", 'it fails, and "onFailure": "block" turns each failure into a refusal', "mend it"))
    if trial.again_stops:
        what = "it keeps Claude going again although stop_hook_active is true: a loop"
        said.append(("stop-loop", what, "exit 0 when stop_hook_active is true, or count"))
    for payload, reading in zip(trial.payloads, trial.readings, strict=False):
        if reading.decision == "defer":
            what = '"defer" is no pass-through: it ends headless runs'
            said.append(("defers", what, "exit 0 and print nothing"))
        missing = missing_keys(payload, reading)
        if missing:
            what = f"updatedInput replaces the whole input, and {', '.join(missing)} is not in it: the call fails"
            said.append(("input-incomplete", what, "copy tool_input and change the copy"))
    if any(ended.ms > SLOW_MS for ended in trial.ends) and catalogue.is_about_tools(trial.event):
        slowest = max(ended.ms for ended in trial.ends)
        said.append(("slow", f"it takes {slowest / 1000:.1f} s, and every call waits for it", "do less, or later"))
    return said


def _is_broad(trial: Trial) -> bool:
    """Would nothing be left to work with? A hook that forbids one special tool may mean just that."""
    if not catalogue.is_about_tools(trial.event):
        return True
    return any(payload.get("tool_name") in EVERYDAY for payload in trial.payloads)


def missing_keys(payload: Mapping[str, Any], reading: Reading) -> list[str]:
    """Keys without which the tool refuses its input."""
    if reading.updated_input is None:
        return []
    tool = str(payload.get("tool_name"))
    optional = ("description", "replace_all", "subagent_type")
    return [key for key in TOOLS.get(tool, {}) if key not in optional and key not in reading.updated_input]


def says(readings: Sequence[Reading]) -> str:
    """What counts of its answers, in a few words."""
    return "; ".join(dict.fromkeys(reading.words() for reading in readings))
