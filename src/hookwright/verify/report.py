"""The result of a verification: one row per handler, all findings, the fingerprint. `as_json` is a public format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hookwright.runtime import registration
from hookwright.settings.findings import Effect, Finding
from hookwright.settings.handler_command import Invocation, describe_handler
from hookwright.settings.installed_client import SessionClient
from hookwright.settings.load import RegisteredHandler
from hookwright.verify.proofs import Proof

# Shown, but nothing has to be fixed.
NOTES = frozenset(
    (
        *("event-not-in-client", "key-unknown", "ours-elsewhere", "records-lost", "slow", "stdin-unread"),
        *("path-relative", "text-unseen", "tool-unknown", "untrusted-project"),
    )
)


def is_wrong(finding: Finding) -> bool:
    return finding.code not in NOTES and finding.effect is not Effect.CHOSEN


@dataclass
class HandlerReport:
    """One registered handler and what was found. `started` None: it was not started, `why_not` says why."""

    registered: RegisteredHandler
    runs: str
    ours: bool
    program: str = ""  # the script that would run, or the program
    started: bool | None = None
    why_not: str = ""
    exit_code: int | None = None
    ms: float | None = None
    says: str = ""
    findings: list[Finding] = field(default_factory=list)
    proofs: list[Proof] = field(default_factory=list)

    @property
    def event(self) -> str:
        return self.registered.entry.event

    @property
    def type(self) -> str:
        return str(self.registered.entry.handler["type"])

    @property
    def ok(self) -> bool:
        return not any(map(is_wrong, self.findings))

    def as_json(self) -> dict[str, Any]:
        entry, source = self.registered.entry, self.registered.source
        line = entry.where.rpartition(":")[2]
        return {
            "event": entry.event,
            "matcher": entry.matcher,
            "type": entry.handler["type"],
            "scope": source.scope,
            "file": source.path,
            "line": int(line) if line.isdigit() else None,
            "runs": self.runs,
            "program": self.program or None,
            "ours": self.ours,
            "started": self.started,
            "why_not": self.why_not or None,
            "exit_code": self.exit_code,
            "ms": self.ms,
            "says": self.says or None,
            "proofs": [proof.as_json() for proof in self.proofs],
            "findings": [finding.as_json() for finding in self.findings],
        }


def build_row(registered: RegisteredHandler, invocation: Invocation | None) -> HandlerReport:
    """The row of a handler, before it is checked."""
    handler = registered.entry.handler
    ours = registration.is_ours(handler)
    runs = describe_handler(handler)
    if ours and handler["type"] == "command":
        only = registration.hook_names(handler)
        runs = "hookwright" + (f" ({', '.join(only)})" if only else "")
    program = (invocation.script or invocation.program or "") if invocation else ""
    return HandlerReport(registered, runs, ours, program)


@dataclass
class Report:
    """The whole result. `findings` are about files and combinations of hooks; each row has its own."""

    rows: list[HandlerReport] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    about_ours: list[Finding] = field(default_factory=list)
    fingerprint: str = ""
    policy: str | None = None  # revision of the administrator's policy that is in force
    changed: list[str] = field(default_factory=list)
    on: list[str] = field(default_factory=list)  # our hooks that are enabled
    off: list[str] = field(default_factory=list)
    client: SessionClient = field(default_factory=SessionClient)

    @property
    def our_rows(self) -> list[HandlerReport]:
        return [row for row in self.rows if row.ours]

    @property
    def is_installed(self) -> bool:
        return bool(self.our_rows)

    @property
    def ok(self) -> bool:
        return all(row.ok for row in self.rows) and not any(map(is_wrong, self.findings + self.about_ours))

    @property
    def ours_work(self) -> bool:
        """True if everything of ours that should be registered is, and works."""
        if not self.is_installed:
            return not self.on
        return all(row.ok for row in self.our_rows) and not any(map(is_wrong, self.about_ours))

    def as_json(self) -> Mapping[str, Any]:
        return {
            "ok": self.ok,
            "installed": self.is_installed,
            "client": self.client.as_json(),
            "handlers": [row.as_json() for row in self.rows],
            "findings": [finding.as_json() for finding in self.findings + self.about_ours],
            "fingerprint": self.fingerprint,
            "policy": self.policy,
            "changed_since_last_look": self.changed,
        }
