"""Our entries in a settings file: put in, brought up to date, taken out. Everything else stays, byte for byte.

Document + what is wanted + what is ours → [install, uninstall, take_back] → Edit (new text, what was done)
Each edit is a row of single steps; the next step is always worked out from the text as it stands, so that an edit
ends exactly when nothing is left to do, and doing it again does nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hookwright.errors import UserError
from hookwright.settings import splice
from hookwright.settings.style import Style, style_of
from hookwright.settings.text import Document, Node

Owned = Callable[[Mapping[str, Any]], bool]
WHOLE_FILE, ROOT, HOOKS = "#file", "", "hooks"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A handler that should be registered, in a group of its own."""

    event: str
    matcher: str | None
    handler: Mapping[str, Any]

    @property
    def group(self) -> dict[str, Any]:
        hooks = [dict(self.handler)]
        return {"hooks": hooks} if self.matcher is None else {"matcher": self.matcher, "hooks": hooks}


@dataclass(frozen=True, slots=True)
class Step:
    """One thing done: `add`, `replace` or `remove`."""

    deed: str
    event: str
    matcher: str | None
    handler: Mapping[str, Any]
    former: Mapping[str, Any] | None = None

    def as_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class Edit:
    """`empties` remembers containers that were there and empty before we filled them, by their exact text."""

    document: Document
    steps: list[Step] = field(default_factory=list)
    empties: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return self.document.text


@dataclass(frozen=True, slots=True)
class Found:
    """A handler of ours where it stands."""

    event: str
    matcher: str | None
    group: int
    index: int
    handler: Mapping[str, Any]


def install(document: Document, wanted: Sequence[Wanted], owned: Owned, empties: Mapping[str, str]) -> Edit:
    """Every wanted handler once, in its wanted form; nothing else of ours."""
    edit = _Editor(document, empties)
    if document.root is None:
        edit.start_file()
    while step := _next_install_step(edit, wanted, owned):
        step()
    return edit.done


def uninstall(document: Document, owned: Owned, empties: Mapping[str, str]) -> Edit:
    """Nothing of ours, and no container that we made for it."""
    edit = _Editor(document, empties)
    while ours := next(edit.find(owned), None):
        edit.remove(ours)
    return edit.done


def take_back(document: Document, steps: Sequence[Step], empties: Mapping[str, str]) -> Edit:
    """The steps of an earlier edit undone, last first, as far as their entries are still there."""
    edit = _Editor(document, empties)
    for step in reversed(steps):
        there = edit.find(lambda handler, step=step: _same(handler, step.handler))  # type: ignore[misc]
        found = next((f for f in there if (f.event, f.matcher) == (step.event, step.matcher)), None)
        if step.deed == "remove":
            edit.add(Wanted(step.event, step.matcher, step.handler))
        elif found is not None and step.former is not None:
            edit.replace(found, step.former)
        elif found is not None:
            edit.remove(found)
    return edit.done


def holds_ours(document: Document, owned: Owned) -> bool:
    return document.root is not None and next(_Editor(document, {}).find(owned), None) is not None


def without_ours(data: Any, owned: Owned) -> Any:
    """The values of a file as they are without us and without empty containers: equal before and after any edit."""
    hooks = data.get(HOOKS) if isinstance(data, dict) else None
    if not isinstance(hooks, dict):
        return {key: value for key, value in data.items() if (key, value) != (HOOKS, None)} if data else data
    left = {event: _groups_without_ours(groups, owned) for event, groups in hooks.items()}
    left = {event: groups for event, groups in left.items() if groups not in ([], None)}
    return {key: left if key == HOOKS else value for key, value in data.items() if key != HOOKS or left}


def _groups_without_ours(groups: Any, owned: Owned) -> Any:
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


def _next_install_step(edit: _Editor, wanted: Sequence[Wanted], owned: Owned) -> Callable[[], None] | None:
    """First bring forms up to date, then add what is missing, then remove the rest: so no container runs empty."""
    spare = list(edit.find(owned))
    missing: list[Wanted] = []
    for want in wanted:
        here = [found for found in spare if (found.event, found.matcher) == (want.event, want.matcher)]
        best = next((found for found in here if _same(found.handler, want.handler)), here[0] if here else None)
        if best is None:
            missing.append(want)
            continue
        if not _same(best.handler, want.handler):
            return lambda: edit.replace(best, want.handler)
        spare.remove(best)
    if missing:
        return lambda: edit.add(missing[0])
    if spare:
        return lambda: edit.remove(spare[0])
    return None


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: the order of keys does not matter, 1 and true differ."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


class _Editor:
    """The text under the knife."""

    def __init__(self, document: Document, empties: Mapping[str, str]) -> None:
        self.done = Edit(document, empties=dict(empties))
        self.style: Style = style_of(document)

    # --- looking
    def find(self, owned: Owned) -> Iterator[Found]:
        for event, groups in self._events():
            for number, group in enumerate(groups.elements()):
                handlers = group.get("hooks") if group.is_object else None
                if handlers is None or not handlers.is_array:
                    continue
                matcher = group.get("matcher")
                for index, node in enumerate(handlers.elements()):
                    handler = node.value
                    if isinstance(handler, dict) and owned(handler):
                        name = matcher.value if matcher is not None else None
                        yield Found(event, name, number, index, handler)

    def _events(self) -> Iterator[tuple[str, Node]]:
        hooks = self._node(HOOKS)
        members = hooks.members() if hooks is not None and hooks.is_object else []
        for event, node in {member.key: member.node for member in members}.items():
            if node.is_array:
                yield event, node

    @property
    def _root(self) -> Node:
        root = self.done.document.root
        assert root is not None
        if not root.is_object:
            where = self.done.document.where(root.start)
            raise UserError("the settings file must hold an object", where=where, fix="write {…}")
        return root

    def _node(self, key: str, event: str | None = None) -> Node | None:
        node = self._root.get(key) if self.done.document.root is not None else None
        return node if event is None or node is None or not node.is_object else node.get(event)

    # --- doing
    def start_file(self) -> None:
        """An empty file becomes the client's usual form of an empty object."""
        self.done.empties.setdefault(WHOLE_FILE, self.done.text)
        self._set("{}" + self.style.newline)

    def add(self, want: Wanted) -> None:
        hooks = self._node(HOOKS)
        groups = self._node(HOOKS, want.event) if hooks is not None and hooks.is_object else None
        if hooks is None:
            self._fill(ROOT, self._root)
            self._set(splice.add_member(self._root, HOOKS, {want.event: [want.group]}, self.style))
        elif hooks.source == "null":
            self._fill(HOOKS, hooks)
            self._set(splice.replace(hooks, {want.event: [want.group]}, self.style))
        elif not hooks.is_object:
            raise self._refusal('"hooks" is not an object', hooks)
        elif groups is None:
            self._fill(HOOKS, hooks)
            self._set(splice.add_member(hooks, want.event, [want.group], self.style))
        elif groups.source == "null":
            self._fill(f"hooks.{want.event}", groups)
            self._set(splice.replace(groups, [want.group], self.style))
        elif not groups.is_array:
            raise self._refusal(f'"{want.event}" is not a list', groups)
        else:
            self._fill(f"hooks.{want.event}", groups)
            self._set(splice.append(groups, want.group, self.style))
        self._note("add", want.event, want.matcher, want.handler)

    def replace(self, found: Found, handler: Mapping[str, Any]) -> None:
        node = self._handlers(found).elements()[found.index]
        self._set(splice.replace(node, dict(handler), self.style))
        self._note("replace", found.event, found.matcher, handler, found.handler)

    def remove(self, found: Found) -> None:
        """The handler, then each container around it that is empty without it."""
        handlers = self._handlers(found)
        elements = handlers.elements()
        if len(elements) > 1:
            self._set(splice.remove(handlers, elements, found.index))
        else:
            self._remove_group(found)
        self._note("remove", found.event, found.matcher, found.handler)

    def _remove_group(self, found: Found) -> None:
        groups = self._node(HOOKS, found.event)
        assert groups is not None
        items = groups.elements()
        if len(items) > 1:
            self._set(splice.remove(groups, items, found.group))
        elif self._restore(f"hooks.{found.event}", groups):
            return
        elif self._is_doubled(HOOKS, found.event):
            self._set(splice.remove(groups, items, 0))
        else:
            self._remove_member(HOOKS, found.event)

    def _remove_member(self, path: str, key: str) -> None:
        node = self._root if path == ROOT else self._node(path)
        assert node is not None
        members = node.members()
        index = max(number for number, member in enumerate(members) if member.key == key)
        if len(members) > 1:
            self._set(splice.remove(node, members, index))
        elif self._restore(path, node):
            return
        elif path == HOOKS and not self._is_doubled(ROOT, HOOKS):
            self._remove_member(ROOT, HOOKS)
        elif path == ROOT and WHOLE_FILE in self.done.empties:
            self._set(self.done.empties.pop(WHOLE_FILE))
        else:
            self._set(splice.remove(node, members, index))

    def _is_doubled(self, path: str, key: str) -> bool:
        """Two members of one name: without the last, the first would come to life."""
        node = self._root if path == ROOT else self._node(path)
        return node is not None and [member.key for member in node.members()].count(key) > 1

    def _fill(self, path: str, node: Node) -> None:
        """Remember a container that we are about to fill, if it was there and empty."""
        if not splice.has_content(node) and not (path == ROOT and WHOLE_FILE in self.done.empties):
            self.done.empties.setdefault(path, node.source)

    def _restore(self, path: str, node: Node) -> bool:
        source = self.done.empties.pop(path, None)
        if source is not None:
            self._set(splice.replace_source(node, source))
        return source is not None

    def _handlers(self, found: Found) -> Node:
        groups = self._node(HOOKS, found.event)
        assert groups is not None
        handlers = groups.elements()[found.group].get("hooks")
        assert handlers is not None
        return handlers

    def _set(self, text: str) -> None:
        document = self.done.document
        self.done.document = Document(document.path, text, document.mark, document.encoding)

    def _note(
        self,
        deed: str,
        event: str,
        matcher: str | None,
        handler: Mapping[str, Any],
        former: Mapping[str, Any] | None = None,
    ) -> None:
        self.done.steps.append(Step(deed, event, matcher, handler, former))

    def _refusal(self, what: str, node: Node) -> UserError:
        where = self.done.document.where(node.start)
        return UserError(what, where=where, fix="correct it by hand first; Claude Code ignores it as it is")
