"""Add, update and remove our entries in a settings file. Everything else stays, byte for byte.

change → [install, uninstall, revert_steps] → Edit (new text + list of steps); the text edits are in json_edit
An edit is a sequence of single steps. The next step is always computed from the current text, so an edit ends when
nothing is left to do, and running it again does nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hookwright.errors import UserError
from hookwright.settings import json_edit
from hookwright.settings.desired_entry import DesiredEntry
from hookwright.settings.json_document import Document, Node
from hookwright.settings.json_style import Style, style_of

IsOwned = Callable[[Mapping[str, Any]], bool]
WHOLE_FILE, ROOT, HOOKS = "#file", "", "hooks"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an edit."""

    action: str  # add, replace, remove
    event: str
    matcher: str | None
    handler: Mapping[str, Any]
    former: Mapping[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class Edit:
    """An edited document. `empties`: path → exact text of containers that were empty before we added to them."""

    document: Document
    steps: list[Step] = field(default_factory=list)
    empties: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return self.document.text


@dataclass(frozen=True, slots=True)
class OwnedHandler:
    """One of our handlers, with its position in the file."""

    event: str
    matcher: str | None
    group: int
    index: int
    handler: Mapping[str, Any]


def install(document: Document, desired: Sequence[DesiredEntry], owned: IsOwned, empties: Mapping[str, str]) -> Edit:
    """Register every desired entry exactly once; remove all other entries of ours."""
    editor = _Editor(document, empties)
    if document.root is None:
        editor.start_file()
    while step := _next_install_step(editor, desired, owned):
        step()
    return editor.result


def uninstall(document: Document, owned: IsOwned, empties: Mapping[str, str]) -> Edit:
    """Remove our entries, and the containers that we created for them."""
    editor = _Editor(document, empties)
    while ours := next(editor.find_owned(owned), None):
        editor.remove_handler(ours)
    return editor.result


def revert_steps(document: Document, steps: Sequence[Step], empties: Mapping[str, str]) -> Edit:
    """Undo the steps of an earlier edit, last first, as far as their entries still exist."""
    editor = _Editor(document, empties)
    for step in reversed(steps):
        there = editor.find_owned(lambda handler, step=step: _is_same(handler, step.handler))  # type: ignore[misc]
        found = next((f for f in there if (f.event, f.matcher) == (step.event, step.matcher)), None)
        if step.action == "remove":
            editor.add_handler(DesiredEntry(step.event, step.matcher, step.handler))
        elif found is not None and step.former is not None:
            editor.replace_handler(found, step.former)
        elif found is not None:
            editor.remove_handler(found)
    return editor.result


def holds_ours(document: Document, owned: IsOwned) -> bool:
    return document.root is not None and next(_Editor(document, {}).find_owned(owned), None) is not None


def without_ours(data: Any, owned: IsOwned) -> Any:
    """The file's values without our entries and without empty containers: equal before and after any edit."""
    hooks = data.get(HOOKS) if isinstance(data, dict) else None
    if not isinstance(hooks, dict):
        return {key: value for key, value in data.items() if (key, value) != (HOOKS, None)} if data else data
    left = {event: _groups_without_ours(groups, owned) for event, groups in hooks.items()}
    left = {event: groups for event, groups in left.items() if groups not in ([], None)}
    return {key: left if key == HOOKS else value for key, value in data.items() if key != HOOKS or left}


def _groups_without_ours(groups: Any, owned: IsOwned) -> Any:
    if not isinstance(groups, list):
        return groups
    left = []
    for group in groups:
        handlers = group.get(HOOKS) if isinstance(group, dict) else None
        if not isinstance(handlers, list):
            left.append(group)
            continue
        kept = [handler for handler in handlers if not (isinstance(handler, dict) and owned(handler))]
        if kept or not handlers:
            left.append({**group, HOOKS: kept})
    return left


def _next_install_step(editor: _Editor, desired: Sequence[DesiredEntry], owned: IsOwned) -> Callable[[], None] | None:
    """Update first, then add what is missing, then remove the rest, so that no container becomes empty in between."""
    spare = list(editor.find_owned(owned))
    missing: list[DesiredEntry] = []
    for entry in desired:
        here = [found for found in spare if (found.event, found.matcher) == (entry.event, entry.matcher)]
        best = next((found for found in here if _is_same(found.handler, entry.handler)), here[0] if here else None)
        if best is None:
            missing.append(entry)
            continue
        if not _is_same(best.handler, entry.handler):
            return lambda: editor.replace_handler(best, entry.handler)
        spare.remove(best)
    if missing:
        return lambda: editor.add_handler(missing[0])
    if spare:
        return lambda: editor.remove_handler(spare[0])
    return None


def _is_same(one: Any, other: Any) -> bool:
    """Equal as JSON: key order does not matter, 1 and true differ."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


class _Editor:
    """A document that is being edited."""

    def __init__(self, document: Document, empties: Mapping[str, str]) -> None:
        self.result = Edit(document, empties=dict(empties))
        self.style: Style = style_of(document)

    # --- find
    def find_owned(self, owned: IsOwned) -> Iterator[OwnedHandler]:
        for event, groups in self._iter_events():
            for number, group in enumerate(groups.elements()):
                handlers = group.get("hooks") if group.is_object else None
                if handlers is None or not handlers.is_array:
                    continue
                matcher = group.get("matcher")
                for index, node in enumerate(handlers.elements()):
                    handler = node.value
                    if isinstance(handler, dict) and owned(handler):
                        name = matcher.value if matcher is not None else None
                        yield OwnedHandler(event, name, number, index, handler)

    def _iter_events(self) -> Iterator[tuple[str, Node]]:
        hooks = self._find_node(HOOKS)
        members = hooks.members() if hooks is not None and hooks.is_object else []
        for event, node in {member.key: member.node for member in members}.items():
            if node.is_array:
                yield event, node

    @property
    def _root(self) -> Node:
        root = self.result.document.root
        assert root is not None
        if not root.is_object:
            where = self.result.document.where(root.start)
            raise UserError("the settings file must hold an object", where=where, fix="write {…}")
        return root

    def _find_node(self, key: str, event: str | None = None) -> Node | None:
        node = self._root.get(key) if self.result.document.root is not None else None
        return node if event is None or node is None or not node.is_object else node.get(event)

    # --- change
    def start_file(self) -> None:
        """Turn an empty file into an empty object, as the client writes it."""
        self.result.empties.setdefault(WHOLE_FILE, self.result.text)
        self._set_text("{}" + self.style.newline)

    def add_handler(self, entry: DesiredEntry) -> None:
        hooks = self._find_node(HOOKS)
        groups = self._find_node(HOOKS, entry.event) if hooks is not None and hooks.is_object else None
        if hooks is None:
            self._note_empty(ROOT, self._root)
            self._set_text(json_edit.add_member(self._root, HOOKS, {entry.event: [entry.group]}, self.style))
        elif hooks.source == "null":
            self._note_empty(HOOKS, hooks)
            self._set_text(json_edit.replace_value(hooks, {entry.event: [entry.group]}, self.style))
        elif not hooks.is_object:
            raise self._build_refusal('"hooks" is not an object', hooks)
        elif groups is None:
            self._note_empty(HOOKS, hooks)
            self._set_text(json_edit.add_member(hooks, entry.event, [entry.group], self.style))
        elif groups.source == "null":
            self._note_empty(f"hooks.{entry.event}", groups)
            self._set_text(json_edit.replace_value(groups, [entry.group], self.style))
        elif not groups.is_array:
            raise self._build_refusal(f'"{entry.event}" is not a list', groups)
        else:
            self._note_empty(f"hooks.{entry.event}", groups)
            self._set_text(json_edit.append_element(groups, entry.group, self.style))
        self._record_step("add", entry.event, entry.matcher, entry.handler)

    def replace_handler(self, found: OwnedHandler, handler: Mapping[str, Any]) -> None:
        node = self._handlers_node(found).elements()[found.index]
        self._set_text(json_edit.replace_value(node, dict(handler), self.style))
        self._record_step("replace", found.event, found.matcher, handler, found.handler)

    def remove_handler(self, found: OwnedHandler) -> None:
        """Remove the handler, then each container that this leaves empty."""
        handlers = self._handlers_node(found)
        elements = handlers.elements()
        if len(elements) > 1:
            self._set_text(json_edit.remove_item(handlers, elements, found.index))
        else:
            self._remove_group(found)
        self._record_step("remove", found.event, found.matcher, found.handler)

    def _remove_group(self, found: OwnedHandler) -> None:
        groups = self._find_node(HOOKS, found.event)
        assert groups is not None
        items = groups.elements()
        if len(items) > 1:
            self._set_text(json_edit.remove_item(groups, items, found.group))
        elif self._restore_empty(f"hooks.{found.event}", groups):
            return
        elif self._is_duplicated(HOOKS, found.event):
            self._set_text(json_edit.remove_item(groups, items, 0))
        else:
            self._remove_member(HOOKS, found.event)

    def _remove_member(self, path: str, key: str) -> None:
        node = self._root if path == ROOT else self._find_node(path)
        assert node is not None
        members = node.members()
        index = max(number for number, member in enumerate(members) if member.key == key)
        if len(members) > 1:
            self._set_text(json_edit.remove_item(node, members, index))
        elif self._restore_empty(path, node):
            return
        elif path == HOOKS and not self._is_duplicated(ROOT, HOOKS):
            self._remove_member(ROOT, HOOKS)
        elif path == ROOT and WHOLE_FILE in self.result.empties:
            self._set_text(self.result.empties.pop(WHOLE_FILE))
        else:
            self._set_text(json_edit.remove_item(node, members, index))

    def _is_duplicated(self, path: str, key: str) -> bool:
        """True if the key occurs twice: without the last, the first would take effect."""
        node = self._root if path == ROOT else self._find_node(path)
        return node is not None and [member.key for member in node.members()].count(key) > 1

    def _note_empty(self, path: str, node: Node) -> None:
        """Remember a container that we are about to add to, if it exists and is empty."""
        if not json_edit.has_content(node) and not (path == ROOT and WHOLE_FILE in self.result.empties):
            self.result.empties.setdefault(path, node.source)

    def _restore_empty(self, path: str, node: Node) -> bool:
        source = self.result.empties.pop(path, None)
        if source is not None:
            self._set_text(json_edit.replace_source(node, source))
        return source is not None

    def _handlers_node(self, found: OwnedHandler) -> Node:
        groups = self._find_node(HOOKS, found.event)
        assert groups is not None
        handlers = groups.elements()[found.group].get("hooks")
        assert handlers is not None
        return handlers

    def _set_text(self, text: str) -> None:
        document = self.result.document
        self.result.document = Document(document.path, text, document.mark, document.encoding)

    def _record_step(
        self,
        action: str,
        event: str,
        matcher: str | None,
        handler: Mapping[str, Any],
        former: Mapping[str, Any] | None = None,
    ) -> None:
        self.result.steps.append(Step(action, event, matcher, handler, former))

    def _build_refusal(self, what: str, node: Node) -> UserError:
        where = self.result.document.where(node.start)
        return UserError(what, where=where, fix="correct it by hand first; Claude Code ignores it as it is")
