"""Decide what the client makes of a settings file: which handlers it keeps, which it drops, when it skips the file.

find → load → [inspect_file] → entries kept + findings → check, verify, install
Measured on Claude Code 2.1.325 (tests/settings/measured.py has the rows, tests/client runs them through the client).
The rule to remember: a broken PreToolUse or PermissionRequest handler may be what guards the permissions beside it,
so the client skips the whole file that holds it; on other events only the broken entry is lost. Types of settings and
fields are data (client_schema.toml).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Protocol

from hookwright.protocol.events import FAMILY
from hookwright.settings.client_schema import (
    find_handler_problem,
    find_permission_type,
    find_setting_type,
    format_value,
)
from hookwright.settings.findings import Effect, Finding

GUARDS = ("PreToolUse", "PermissionRequest")
NORMALIZED_GUARDS = tuple(map(str.lower, GUARDS))
LARGEST_FILE = 2 * 1024 * 1024
SEARCH_DEPTH = 3  # levels below an unknown key that the client searches for a misplaced guard
NOT_SEARCHED = frozenset(("hooks", "env", "mcpServers", "extraKnownMarketplaces", "enabledPlugins", "pluginConfigs"))


class Kind(Enum):
    """The kind of file: it decides where the hooks are and what the client tolerates."""

    SETTINGS = "settings"
    PLUGIN = "plugin hooks"
    MANIFEST = "plugin manifest"
    FRONTMATTER = "frontmatter"


class Value(Protocol):
    """A value with its position in the file: a JSON node or a YAML node."""

    @property
    def start(self) -> int: ...
    @property
    def value(self) -> Any: ...
    @property
    def is_object(self) -> bool: ...
    @property
    def is_array(self) -> bool: ...
    def members(self) -> list[Any]: ...
    def elements(self) -> list[Any]: ...


class File(Protocol):
    """A JSON or YAML document."""

    @property
    def path(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def mark(self) -> bytes: ...
    @property
    def root(self) -> Any: ...
    def where(self, position: int) -> str: ...


@dataclass(frozen=True, slots=True)
class Entry:
    """One registered handler that the client keeps."""

    event: str
    matcher: str | None
    handler: Mapping[str, Any]
    where: str  # file:line
    group: int
    index: int

    @property
    def path(self) -> str:
        return f"hooks.{self.event}[{self.group}].hooks[{self.index}]"


@dataclass(slots=True)
class Inspection:
    """The handlers that the client keeps (none if it skips the file), and the findings."""

    entries: list[Entry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def skipped(self) -> bool:
        return any(finding.effect is Effect.FILE for finding in self.findings)


def inspect_file(file: File, kind: Kind = Kind.SETTINGS, *, keeps: bool = False) -> Inspection:
    """Validate a file as the client does. `keeps`: of managed settings a wrong value costs itself, not the file."""
    found = Inspection(findings=list(_file_problems(file, kind)))
    if keeps:
        found.findings = [
            replace(finding, effect=Effect.NOTE) if finding.code == "setting-type" else finding
            for finding in found.findings
        ]
    hooks = _hooks_of(file, kind)
    if hooks is not None:
        _HookWalker(file, found).walk_hooks(hooks)
    if found.skipped:
        found.entries.clear()
    return found


def _hooks_of(file: File, kind: Kind) -> Value | None:
    if file.root is None or not file.root.is_object:
        return None
    hooks: Value | None = _last_member(file.root, "hooks")
    if hooks is not None and not hooks.is_object and kind is Kind.MANIFEST:
        return None  # a path or a list of paths to other files
    return hooks


def _last_member(node: Value, key: str) -> Any:
    return next((member.node for member in reversed(node.members()) if member.key == key), None)


# --- the file as a whole
def _file_problems(file: File, kind: Kind) -> Iterator[Finding]:
    if kind is Kind.SETTINGS and file.size > LARGEST_FILE:
        yield too_large(file)
        return
    if kind in (Kind.PLUGIN, Kind.MANIFEST):
        yield from unreadable_plugin_file(file)
    yield from not_an_object(file)
    if file.root is None or not file.root.is_object:
        return
    yield from duplicate_keys(file)
    if kind is Kind.SETTINGS:
        yield from wrong_keys(file)
        yield from misplaced_guards(file)
    if kind is Kind.PLUGIN:
        yield from unwrapped_events(file)


def too_large(file: File) -> Finding:
    what = f"the file has {file.size:,} bytes; Claude Code reads at most {LARGEST_FILE:,}"
    return Finding("file-too-large", what, file.where(0), "move what is not a setting to another file", Effect.FILE)


def unreadable_plugin_file(file: File) -> Iterator[Finding]:
    """The client tolerates these in settings files, but not in plugin files."""
    if file.mark:
        what = "a byte order mark, which Claude Code does not accept in plugin files"
        yield Finding("byte-order-mark", what, file.where(0), "save the file without it", Effect.FILE)
    if file.root is None:
        yield Finding("file-empty", "an empty file is not JSON", file.where(0), 'write {"hooks": {}}', Effect.FILE)


def not_an_object(file: File) -> Iterator[Finding]:
    if file.root is not None and not file.root.is_object:
        what = f"the file must hold an object, not {format_value(file.root.value)}"
        yield Finding("file-not-object", what, file.where(file.root.start), "write {…}", Effect.FILE)


def duplicate_keys(file: File) -> Iterator[Finding]:
    """The client silently takes the last of two equal keys, so entries under the first never run."""
    hooks = _last_member(file.root, "hooks")
    for node in (file.root, hooks):
        if node is None or not node.is_object:
            continue
        seen: dict[str, int] = {}
        for member in node.members():
            if member.key in seen:
                what = f'"{member.key}" occurs twice; only the last one counts'
                yield Finding("duplicate-key", what, file.where(seen[member.key]), "merge the two")
            seen[member.key] = member.start


def wrong_keys(file: File) -> Iterator[Finding]:
    for member in file.root.members():
        if member.key == "hooks":
            continue
        expected = find_setting_type(member.key, member.node.value)
        if expected:
            what = f'"{member.key}" must be {expected}, not {format_value(member.node.value)}'
            yield Finding("setting-type", what, file.where(member.start), "correct it or remove it", Effect.FILE)
        elif member.key == "permissions":
            yield from _wrong_permissions(file, member.node)


def _wrong_permissions(file: File, permissions: Value) -> Iterator[Finding]:
    for member in permissions.members():
        expected = find_permission_type(member.key, member.node.value)
        if expected:
            what = f'"permissions.{member.key}" must be {expected}, not {format_value(member.node.value)}'
            yield Finding("setting-type", what, file.where(member.start), "correct it or remove it", Effect.FILE)


def misplaced_guards(file: File) -> Iterator[Finding]:
    """Hooks disabled by renaming their key (`_hooks`) make the client skip the file: they might be guards."""
    for member in file.root.members():
        if member.key in NOT_SEARCHED:
            continue
        if _is_guard_name(member.key) and _has_content(member.node.value):
            yield _misplaced_finding(file, member)
        else:
            yield from _search_guards(file, member.node, SEARCH_DEPTH)


def _search_guards(file: File, node: Value, depth: int, *, exact: bool = False) -> Iterator[Finding]:
    if node.is_object:
        for member in node.members():
            is_guard = member.key in GUARDS if exact else _is_guard_name(member.key)
            if is_guard and _has_content(member.node.value):
                yield _misplaced_finding(file, member)
            elif depth:
                yield from _search_guards(file, member.node, depth - 1, exact=exact)
    elif node.is_array and depth:
        for element in node.elements():
            yield from _search_guards(file, element, depth - 1, exact=exact)


def _is_guard_name(key: str) -> bool:
    return "".join(filter(str.isalpha, key)).lower() in NORMALIZED_GUARDS


def _has_content(value: Any) -> bool:
    return value is not None and value != []


def _misplaced_finding(file: File, member: Any) -> Finding:
    what = f'"{member.key}" outside of "hooks": Claude Code skips the whole file, so as not to run without a guard'
    return Finding(
        "guard-misplaced", what, file.where(member.start), 'move it into "hooks" or into another file', Effect.FILE
    )


def unwrapped_events(file: File) -> Iterator[Finding]:
    for member in file.root.members():
        if member.key in FAMILY:
            effect = Effect.FILE if member.key in GUARDS else Effect.ENTRY
            what = f'"{member.key}" is beside "hooks" instead of inside it'
            yield Finding("event-unwrapped", what, file.where(member.start), 'wrap the events: {"hooks": {…}}', effect)


# --- the hooks
class _HookWalker:
    """Walks through `hooks`; collects the entries that the client keeps, and findings about the others."""

    def __init__(self, file: File, found: Inspection) -> None:
        self.file, self.found = file, found

    def walk_hooks(self, node: Value) -> None:
        if node.is_object:
            members = {member.key: member for member in node.members()}  # the last of two counts
            for event, member in members.items():
                self.walk_event(event, member)
            return
        if node.value is None:
            return
        # A list of objects may contain guards, so the file is skipped; any other value is ignored.
        is_risky = node.is_array and any(element.is_object for element in node.elements())
        effect = Effect.FILE if is_risky else Effect.HOOKS
        self.add_finding("hooks-not-object", '"hooks" must be an object of events', node, 'write "hooks": {…}', effect)

    def walk_event(self, event: str, member: Any) -> None:
        node: Value = member.node
        if event not in FAMILY:
            self.unknown_event(event, member)
        elif node.value is None:
            return
        elif not node.is_array:
            self.drop_entry(
                event, "event-not-list", f'"{event}" must be a list of groups', node, "wrap the group: [{…}]"
            )
            self.found.findings += _search_guards(self.file, node, SEARCH_DEPTH, exact=True)
        else:
            for number, group in enumerate(node.elements()):
                self.walk_group(event, number, group)

    def unknown_event(self, event: str, member: Any) -> None:
        near = difflib.get_close_matches(event, FAMILY, 1)
        what = f'Claude Code has no event "{event}"; its hooks never run'
        where = self.file.where(member.start)
        fix = f'"{near[0]}"' if near else "see the list of events"
        self.found.findings.append(Finding("event-unknown", what, where, fix, Effect.ENTRY))
        self.found.findings += _search_guards(self.file, member.node, SEARCH_DEPTH)

    def walk_group(self, event: str, number: int, group: Value) -> None:
        if not group.is_object:
            self.drop_entry(event, "group-not-object", "a group must be an object", group, 'write {"hooks": [{…}]}')
            return
        members = {member.key: member for member in group.members()}
        matcher, hooks = members.get("matcher"), members.get("hooks")
        if matcher is not None and not isinstance(matcher.node.value, str):
            what = f'"matcher" must be a string, not {format_value(matcher.node.value)}'
            self.drop_entry(event, "matcher-not-text", what, matcher.node, 'join names with |: "Edit|Write"')
        elif hooks is None or not hooks.node.is_array:
            what = 'the group has no "hooks" list'
            self.drop_entry(
                event, "group-without-hooks", what, group, 'wrap the handlers: {"matcher": …, "hooks": [{…}]}'
            )
        else:
            name = matcher.node.value if matcher is not None else None
            for index, handler in enumerate(hooks.node.elements()):
                self.walk_handler(Entry(event, name, {}, self.file.where(handler.start), number, index), handler)
        for key, member in members.items():
            if key in GUARDS and _has_content(member.node.value):
                self.found.findings.append(_misplaced_finding(self.file, member))
            elif key not in ("matcher", "hooks"):
                self.found.findings += _search_guards(self.file, member.node, SEARCH_DEPTH, exact=True)

    def walk_handler(self, entry: Entry, node: Value) -> None:
        value = node.value
        problem = find_handler_problem(value)
        if problem is not None:
            self.drop_entry(entry.event, problem.code, problem.what, node, problem.fix)
            return
        for member in node.members():
            if member.key in GUARDS and _has_content(member.node.value):
                self.found.findings.append(_misplaced_finding(self.file, member))
        self.found.entries.append(Entry(entry.event, entry.matcher, value, entry.where, entry.group, entry.index))

    def drop_entry(self, event: str, code: str, what: str, node: Value, fix: str) -> None:
        self.add_finding(code, what, node, fix, Effect.FILE if event in GUARDS else Effect.ENTRY)

    def add_finding(self, code: str, what: str, node: Value, fix: str, effect: Effect) -> None:
        self.found.findings.append(Finding(code, what, self.file.where(node.start), fix, effect))
