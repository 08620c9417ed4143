"""The effective hooks: all sources read, judged, and laid together as the client does.

find → [load] → Loaded (entries that count, findings) → check, fingerprint, verify
Hook lists of all files add up; nothing overrides. Two switches take hooks away.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hookwright.settings import frontmatter, text
from hookwright.settings.find import Source
from hookwright.settings.findings import Effect, Finding
from hookwright.settings.rules import Entry, Inspection, Kind, inspect


@dataclass(frozen=True, slots=True)
class Registered:
    """A handler and the place it comes from."""

    source: Source
    entry: Entry


@dataclass(slots=True)
class Loaded:
    """What a session of the client would have."""

    entries: list[Registered] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    skipped: list[Source] = field(default_factory=list)
    off: list[Registered] = field(default_factory=list)  # valid, but switched off
    settings: list[Mapping[str, Any]] = field(default_factory=list)  # what the settings files say, strongest first


@dataclass(slots=True)
class _Read:
    source: Source
    inspection: Inspection
    data: Any = None

    def says(self, key: str) -> bool | None:
        """A switch in a settings file; None if the file says nothing about it."""
        value = self.data.get(key) if isinstance(self.data, dict) else None
        return value if isinstance(value, bool) else None


def load(sources: Iterable[Source]) -> Loaded:
    """Read and judge the sources, strongest first."""
    loaded = Loaded()
    read: list[_Read] = []
    for source in sources:
        file = read_source(source)
        loaded.findings += file.inspection.findings
        if file.inspection.skipped:
            loaded.skipped.append(source)
        else:
            read.append(file)
    loaded.settings += (file.data for file in read if isinstance(file.data, dict) and file.source.kind is Kind.SETTINGS)
    counted, off = _switched(read, loaded.findings)
    loaded.entries += (Registered(file.source, entry) for file in counted for entry in file.inspection.entries)
    loaded.off += (Registered(file.source, entry) for file in off for entry in file.inspection.entries)
    return loaded


def read_source(source: Source) -> _Read:
    """One source, judged by itself. A file that cannot be read is a finding, not an exception."""
    try:
        raw = source.content if source.content is not None else _bytes(source.path)
    except OSError as problem:
        what = f"cannot be read: {os.strerror(problem.errno or 0)}"
        finding = Finding("file-unreadable", what, source.path, "check the path and its permissions", Effect.FILE)
        return _Read(source, Inspection(findings=[finding]))
    try:
        if source.kind is Kind.FRONTMATTER:
            return _Read(source, inspect(frontmatter.read(raw, source.path), source.kind))
        document = text.read(raw, source.path)
    except text.UnreadableError as problem:
        finding = Finding("file-unparsable", problem.what, problem.where, problem.fix, Effect.FILE)
        return _Read(source, Inspection(findings=[finding]))
    return _Read(source, inspect(document, source.kind), document.data)


def _bytes(path: str) -> bytes:
    with open(path, "rb") as handle:
        return handle.read()


def _switched(read: list[_Read], findings: list[Finding]) -> tuple[list[_Read], list[_Read]]:
    """Which files' hooks count. Only managed settings can switch managed hooks off."""
    settings = [file for file in read if file.source.kind is Kind.SETTINGS]
    managed = [file for file in settings if file.source.scope == "managed"]
    others = [file for file in settings if file.source.scope != "managed"]
    everything_off = _decider(managed, "disableAllHooks")
    if everything_off:
        findings.append(_off("disableAllHooks", everything_off, "no hook runs"))
        return [], read
    own_off = _decider(others, "disableAllHooks")
    only_managed = _decider(managed, "allowManagedHooksOnly")
    if own_off:
        findings.append(_off("disableAllHooks", own_off, "no hook runs but managed ones"))
    if only_managed:
        findings.append(_off("allowManagedHooksOnly", only_managed, "hooks of users, projects and plugins do not run"))
    if own_off or only_managed:
        return managed, [file for file in read if file not in managed]
    return read, []


def _decider(files: list[_Read], key: str) -> _Read | None:
    """The strongest file that says something about a switch, if it says yes."""
    decider = next((file for file in files if file.says(key) is not None), None)
    return decider if decider is not None and decider.says(key) else None


def _off(key: str, file: _Read, effect: str) -> Finding:
    return Finding("hooks-off", f'"{key}" is true: {effect}', file.source.path, f'remove "{key}" to have them back')
