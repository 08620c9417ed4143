"""What a verification found, in the form that others build on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hookwright.receipts.ours import Proof
from hookwright.settings.findings import Finding
from hookwright.settings.load import Registered

# Worth a line, but nothing that has to be mended.
NOTES = frozenset(("key-unknown", "ours-elsewhere", "slow", "stdin-unread", "text-unseen"))


def is_wrong(finding: Finding) -> bool:
    return finding.code not in NOTES


@dataclass
class Row:
    """One registered handler and what became of it. `started` None: it was not tried, and `why_not` says why."""

    registered: Registered
    runs: str
    ours: bool
    program: str = ""  # the file that would be started, or the script that it is given
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


@dataclass
class Report:
    """All of it. `findings` are about files and about hooks together; each row has its own."""

    rows: list[Row] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    about_ours: list[Finding] = field(default_factory=list)
    fingerprint: str = ""
    changed: list[str] = field(default_factory=list)
    on: list[str] = field(default_factory=list)  # our hooks that may speak
    off: list[str] = field(default_factory=list)

    @property
    def ours(self) -> list[Row]:
        return [row for row in self.rows if row.ours]

    @property
    def installed(self) -> bool:
        return bool(self.ours)

    @property
    def ok(self) -> bool:
        return all(row.ok for row in self.rows) and not any(map(is_wrong, self.findings + self.about_ours))

    @property
    def ours_work(self) -> bool:
        """Does everything of ours that should be there do what it should?"""
        if not self.installed:
            return not self.on
        return all(row.ok for row in self.ours) and not any(map(is_wrong, self.about_ours))

    def as_json(self) -> Mapping[str, Any]:
        return {
            "ok": self.ok,
            "installed": self.installed,
            "handlers": [row.as_json() for row in self.rows],
            "findings": [finding.as_json() for finding in self.findings + self.about_ours],
            "fingerprint": self.fingerprint,
            "changed_since_last_look": self.changed,
        }
