"""Read all sources and merge them into the effective hooks, as the client does.

find → [load_sources] → LoadedHooks (entries, findings) → check, fingerprint, verify, engine
Hooks of all files add up; none overrides another. `disableAllHooks` and `allowManagedHooksOnly` switch hooks off.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hookwright.proc.safe_read import read_file
from hookwright.settings import frontmatter, json_document
from hookwright.settings.client_validation import Entry, Inspection, Kind, inspect_file
from hookwright.settings.find import MAX_BYTES, Source
from hookwright.settings.findings import Effect, Finding


@dataclass(frozen=True, slots=True)
class RegisteredHandler:
    """A handler and the file it comes from."""

    source: Source
    entry: Entry


@dataclass(slots=True)
class LoadedHooks:
    """The hooks and settings that a session of the client would have."""

    entries: list[RegisteredHandler] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    skipped: list[Source] = field(default_factory=list)
    off: list[RegisteredHandler] = field(default_factory=list)  # valid, but switched off
    settings: list[Mapping[str, Any]] = field(default_factory=list)  # parsed files, highest precedence first


@dataclass(slots=True)
class _ReadSource:
    source: Source
    inspection: Inspection
    data: Any = None

    def read_switch(self, key: str) -> bool | None:
        """The value of a boolean setting; None if the file does not set it."""
        value = self.data.get(key) if isinstance(self.data, dict) else None
        return value if isinstance(value, bool) else None


def load_sources(sources: Iterable[Source]) -> LoadedHooks:
    """Read and validate the sources, given in order of precedence."""
    loaded = LoadedHooks()
    read: list[_ReadSource] = []
    for source in sources:
        file = read_source(source)
        loaded.findings += file.inspection.findings
        if file.inspection.skipped:
            loaded.skipped.append(source)
        else:
            read.append(file)
    loaded.settings += (file.data for file in read if isinstance(file.data, dict) and file.source.kind is Kind.SETTINGS)
    counted, off = _apply_switches(read, loaded.findings)
    loaded.entries += (RegisteredHandler(file.source, entry) for file in counted for entry in file.inspection.entries)
    loaded.off += (RegisteredHandler(file.source, entry) for file in off for entry in file.inspection.entries)
    return loaded


def read_source(source: Source) -> _ReadSource:
    """Read and validate one source. An unreadable file is a finding, not an exception."""
    try:
        raw = source.content if source.content is not None else _read_bytes(source)
    except OSError as problem:
        what = f"cannot be read: {problem.strerror}"
        finding = Finding("file-unreadable", what, source.path, "check the path and its permissions", Effect.FILE)
        return _ReadSource(source, Inspection(findings=[finding]))
    try:
        if source.kind is Kind.FRONTMATTER:
            return _ReadSource(source, inspect_file(frontmatter.read_frontmatter(raw, source.path), source.kind))
        document = json_document.read_document(raw, source.path)
    except json_document.UnreadableError as problem:
        finding = Finding("file-unparsable", problem.what, problem.where, problem.fix, Effect.FILE)
        return _ReadSource(source, Inspection(findings=[finding]))
    return _ReadSource(source, inspect_file(document, source.kind, keeps=source.scope == "managed"), document.data)


def _read_bytes(source: Source) -> bytes:
    if source.scope == "flag":  # named on the command line, where it may be a pipe: --settings <(…)
        with open(source.path, "rb") as handle:
            return handle.read()
    return read_file(source.path, MAX_BYTES)


def _apply_switches(read: list[_ReadSource], findings: list[Finding]) -> tuple[list[_ReadSource], list[_ReadSource]]:
    """Files whose hooks count, and files switched off. Only managed settings can disable managed hooks."""
    settings = [file for file in read if file.source.kind is Kind.SETTINGS]
    managed = [file for file in settings if file.source.scope == "managed"]
    others = [file for file in settings if file.source.scope != "managed"]
    everything_off = _find_decider(managed, "disableAllHooks")
    if everything_off:
        findings.append(_off_finding("disableAllHooks", everything_off, "no hook runs"))
        return [], read
    own_off = _find_decider(others, "disableAllHooks")
    only_managed = _find_decider(managed, "allowManagedHooksOnly")
    if own_off:
        findings.append(_off_finding("disableAllHooks", own_off, "only managed hooks run"))
    if only_managed:
        findings.append(
            _off_finding("allowManagedHooksOnly", only_managed, "hooks of users, projects and plugins do not run")
        )
    if own_off or only_managed:
        return managed, [file for file in read if file not in managed]
    return read, []


def _find_decider(files: list[_ReadSource], key: str) -> _ReadSource | None:
    """The file of highest precedence that sets this key, if it sets it to true."""
    decider = next((file for file in files if file.read_switch(key) is not None), None)
    return decider if decider is not None and decider.read_switch(key) else None


def _off_finding(key: str, file: _ReadSource, effect: str) -> Finding:
    return Finding("hooks-off", f'"{key}" is true: {effect}', file.source.path, f'remove "{key}" to enable them again')
