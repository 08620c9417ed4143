"""What the client makes of a file: which handlers it keeps, which it drops, and when it drops the whole file.

Document → [inspect] → entries kept + findings
The rules are measured on Claude Code 2.1.325 (tests/settings/measured.py has the rows, tests/client plays them). The
one to remember: a broken PreToolUse or PermissionRequest handler may be what guards the permissions beside it, so the
client skips the file that holds it; elsewhere only the broken entry is lost.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from hookwright.protocol.events import FAMILY
from hookwright.settings import keys
from hookwright.settings.findings import Effect, Finding
from hookwright.settings.handlers import problem, shown

GUARDS = ("PreToolUse", "PermissionRequest")
LOOSE_GUARDS = ("pretooluse", "permissionrequest")
LARGEST_FILE = 2 * 1024 * 1024
SEARCH_DEPTH = 3  # how far below a stray key the client looks for a misplaced guard
NOT_SEARCHED = frozenset(("hooks", "env", "mcpServers", "extraKnownMarketplaces", "enabledPlugins", "pluginConfigs"))


class Kind(Enum):
    """A file's form: where its hooks stand, and what the client forgives in it."""

    SETTINGS = "settings"
    PLUGIN = "plugin hooks"
    MANIFEST = "plugin manifest"
    FRONTMATTER = "frontmatter"


class Value(Protocol):
    """A value with a place: a JSON node, or a YAML one."""

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
    """What the rules need of a document, whatever its syntax."""

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
    """One registered handler, as the client has it."""

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
    """`entries` are the handlers that the client keeps; none if it skips the file."""

    entries: list[Entry] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def skipped(self) -> bool:
        return any(finding.effect is Effect.FILE for finding in self.findings)


def inspect(file: File, kind: Kind = Kind.SETTINGS) -> Inspection:
    """Judge a file as the client does."""
    found = Inspection(findings=list(_file_problems(file, kind)))
    hooks = _hooks_of(file, kind)
    if hooks is not None:
        _Walk(file, found).hooks(hooks)
    if found.skipped:
        found.entries.clear()
    return found


def _hooks_of(file: File, kind: Kind) -> Value | None:
    if file.root is None or not file.root.is_object:
        return None
    hooks: Value | None = _last(file.root, "hooks")
    if hooks is not None and not hooks.is_object and kind is Kind.MANIFEST:
        return None  # a path or a list of paths: other files
    return hooks


def _last(node: Value, key: str) -> Any:
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
    return Finding("file-too-large", what, file.where(0), "move what is not settings elsewhere", Effect.FILE)


def unreadable_plugin_file(file: File) -> Iterator[Finding]:
    """What settings files may have and plugin files may not."""
    if file.mark:
        what = "a byte order mark, which Claude Code does not accept in plugin files"
        yield Finding("byte-order-mark", what, file.where(0), "save the file without it", Effect.FILE)
    if file.root is None:
        yield Finding("file-empty", "an empty file is no JSON", file.where(0), 'write {"hooks": {}}', Effect.FILE)


def not_an_object(file: File) -> Iterator[Finding]:
    if file.root is not None and not file.root.is_object:
        what = f"the file must hold an object, not {shown(file.root.value)}"
        yield Finding("file-not-object", what, file.where(file.root.start), "write {…}", Effect.FILE)


def duplicate_keys(file: File) -> Iterator[Finding]:
    """Not an error to the client, which silently takes the last: an entry in the first is dead."""
    hooks = _last(file.root, "hooks")
    for node in (file.root, hooks):
        if node is None or not node.is_object:
            continue
        seen: dict[str, int] = {}
        for member in node.members():
            if member.key in seen:
                what = f'"{member.key}" stands twice; only the last one counts'
                yield Finding("duplicate-key", what, file.where(seen[member.key]), "merge the two")
            seen[member.key] = member.start


def wrong_keys(file: File) -> Iterator[Finding]:
    for member in file.root.members():
        if member.key == "hooks":
            continue
        wanted = keys.wanted(member.key, member.node.value)
        if wanted:
            what = f'"{member.key}" must be {wanted}, not {shown(member.node.value)}'
            yield Finding("setting-type", what, file.where(member.start), "correct it or remove it", Effect.FILE)
        elif member.key == "permissions":
            yield from _wrong_permissions(file, member.node)


def _wrong_permissions(file: File, permissions: Value) -> Iterator[Finding]:
    for member in permissions.members():
        wanted = keys.wanted_in_permissions(member.key, member.node.value)
        if wanted:
            what = f'"permissions.{member.key}" must be {wanted}, not {shown(member.node.value)}'
            yield Finding("setting-type", what, file.where(member.start), "correct it or remove it", Effect.FILE)


def misplaced_guards(file: File) -> Iterator[Finding]:
    """Hooks put aside under another name (`_hooks`) make the client skip the file: they might be guards."""
    for member in file.root.members():
        if member.key in NOT_SEARCHED:
            continue
        if _is_guard_word(member.key) and _holds_something(member.node.value):
            yield _misplaced(file, member)
        else:
            yield from _search(file, member.node, SEARCH_DEPTH)


def _search(file: File, node: Value, depth: int, *, exact: bool = False) -> Iterator[Finding]:
    if node.is_object:
        for member in node.members():
            is_guard = member.key in GUARDS if exact else _is_guard_word(member.key)
            if is_guard and _holds_something(member.node.value):
                yield _misplaced(file, member)
            elif depth:
                yield from _search(file, member.node, depth - 1, exact=exact)
    elif node.is_array and depth:
        for element in node.elements():
            yield from _search(file, element, depth - 1, exact=exact)


def _is_guard_word(key: str) -> bool:
    return "".join(filter(str.isalpha, key)).lower() in LOOSE_GUARDS


def _holds_something(value: Any) -> bool:
    return value is not None and value != []


def _misplaced(file: File, member: Any) -> Finding:
    what = f'"{member.key}" outside of "hooks": Claude Code skips the file rather than lose a guard'
    return Finding(
        "guard-misplaced", what, file.where(member.start), 'move it into "hooks" or into another file', Effect.FILE
    )


def unwrapped_events(file: File) -> Iterator[Finding]:
    for member in file.root.members():
        if member.key in FAMILY:
            effect = Effect.FILE if member.key in GUARDS else Effect.ENTRY
            what = f'"{member.key}" stands beside "hooks" instead of inside'
            yield Finding("event-unwrapped", what, file.where(member.start), 'wrap the events: {"hooks": {…}}', effect)


# --- the hooks
class _Walk:
    """Goes through `hooks` and keeps what the client keeps."""

    def __init__(self, file: File, found: Inspection) -> None:
        self.file, self.found = file, found

    def hooks(self, node: Value) -> None:
        if node.is_object:
            members = {member.key: member for member in node.members()}  # the last of two counts
            for event, member in members.items():
                self.event(event, member)
            return
        if node.value is None:
            return
        # A list that holds objects may hold guards; any other value is only ignored.
        is_risky = node.is_array and any(element.is_object for element in node.elements())
        effect = Effect.FILE if is_risky else Effect.HOOKS
        self.report("hooks-not-object", '"hooks" must be an object of events', node, 'write "hooks": {…}', effect)

    def event(self, event: str, member: Any) -> None:
        node: Value = member.node
        if event not in FAMILY:
            self.unknown_event(event, member)
        elif node.value is None:
            return
        elif not node.is_array:
            self.drop(event, "event-not-list", f'"{event}" must be a list of groups', node, "wrap the group: [{…}]")
            self.found.findings += _search(self.file, node, SEARCH_DEPTH, exact=True)
        else:
            for number, group in enumerate(node.elements()):
                self.group(event, number, group)

    def unknown_event(self, event: str, member: Any) -> None:
        near = difflib.get_close_matches(event, FAMILY, 1)
        what = f'Claude Code has no event "{event}"; its hooks never run'
        where = self.file.where(member.start)
        fix = f'"{near[0]}"' if near else "see the list of events"
        self.found.findings.append(Finding("event-unknown", what, where, fix, Effect.ENTRY))
        self.found.findings += _search(self.file, member.node, SEARCH_DEPTH)

    def group(self, event: str, number: int, group: Value) -> None:
        if not group.is_object:
            self.drop(event, "group-not-object", "a group must be an object", group, 'write {"hooks": [{…}]}')
            return
        members = {member.key: member for member in group.members()}
        matcher, hooks = members.get("matcher"), members.get("hooks")
        if matcher is not None and not isinstance(matcher.node.value, str):
            what = f'"matcher" must be a text, not {shown(matcher.node.value)}'
            self.drop(event, "matcher-not-text", what, matcher.node, 'join names with |: "Edit|Write"')
        elif hooks is None or not hooks.node.is_array:
            what = 'the group has no "hooks" list'
            self.drop(event, "group-without-hooks", what, group, 'wrap the handlers: {"matcher": …, "hooks": [{…}]}')
        else:
            name = matcher.node.value if matcher is not None else None
            for index, handler in enumerate(hooks.node.elements()):
                self.handler(Entry(event, name, {}, self.file.where(handler.start), number, index), handler)
        for key, member in members.items():
            if key in GUARDS and _holds_something(member.node.value):
                self.found.findings.append(_misplaced(self.file, member))
            elif key not in ("matcher", "hooks"):
                self.found.findings += _search(self.file, member.node, SEARCH_DEPTH, exact=True)

    def handler(self, entry: Entry, node: Value) -> None:
        value = node.value
        wrong = problem(value)
        if wrong is not None:
            self.drop(entry.event, wrong.code, wrong.what, node, wrong.fix)
            return
        for member in node.members():
            if member.key in GUARDS and _holds_something(member.node.value):
                self.found.findings.append(_misplaced(self.file, member))
        self.found.entries.append(Entry(entry.event, entry.matcher, value, entry.where, entry.group, entry.index))

    def drop(self, event: str, code: str, what: str, node: Value, fix: str) -> None:
        self.report(code, what, node, fix, Effect.FILE if event in GUARDS else Effect.ENTRY)

    def report(self, code: str, what: str, node: Value, fix: str, effect: Effect) -> None:
        self.found.findings.append(Finding(code, what, self.file.where(node.start), fix, effect))
