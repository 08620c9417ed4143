"""Change JSON text in four ways, each touching only its own bytes: add a member, append, replace, remove.

edit → [add_member, append_element, replace_value, remove_item] → new text
`remove_item` is the exact inverse of adding: an added item is inserted right after the previous value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from hookwright.settings.json_document import Node
from hookwright.settings.json_style import Style, has_line_end, indent_at, indent_of, last_line

RenderItem = Callable[[str, bool], str]  # (indentation, over several lines?) → text


class Span(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def add_member(node: Node, key: str, value: Any, style: Style) -> str:
    """Add a member at the end of an object; returns the new text."""
    return _add_item(
        node, node.members(), style, lambda indent, spread: style.render_member(key, value, indent, spread=spread)
    )


def append_element(node: Node, value: Any, style: Style) -> str:
    """Add an element at the end of an array; returns the new text."""
    return _add_item(
        node, node.elements(), style, lambda indent, spread: style.render_value(value, indent, spread=spread)
    )


def replace_value(node: Node, value: Any, style: Style) -> str:
    """Replace a value; the new one spans several lines if the old one did, or if it was empty and the file does."""
    spread = has_line_end(node.source) or (not style.one_line and not has_content(node))
    return replace_source(node, style.render_value(value, indent_of(node), spread=spread))


def replace_source(node: Node, source: str) -> str:
    return node.text[: node.start] + source + node.text[node.end :]


def remove_item(node: Node, items: Sequence[Span], index: int) -> str:
    """Remove one item of a container; removing the only one leaves the container empty."""
    text = node.text
    if len(items) == 1:
        return text[: node.start + 1] + text[node.end - 1 :]
    if index == 0:
        return text[: items[0].start] + text[items[1].start :]
    return text[: items[index - 1].end] + text[items[index].end :]


def has_content(node: Node) -> bool:
    """True for a container with items; a plain value has no layout to imitate."""
    if node.is_object:
        return bool(node.members())
    return node.is_array and bool(node.elements())


def _add_item(node: Node, items: Sequence[Span], style: Style, render: RenderItem) -> str:
    if not items:
        return _fill_empty(node, style, render)
    text, last = node.text, items[-1]
    gap = text[items[-2].end : last.start] if len(items) > 1 else "," + text[node.start + 1 : items[0].start]
    if has_line_end(gap):
        added = gap + render(last_line(gap), True)
    elif has_line_end(text[last.start : last.end]):  # `[{` on one line, the rest of the object below
        added = style.comma + render(indent_at(text, last.end), True)
    else:
        added = (gap if len(items) > 1 else style.comma) + render("", False)
    return text[: last.end] + added + text[last.end :]


def _fill_empty(node: Node, style: Style, render: RenderItem) -> str:
    opening, closing = node.text[node.start], node.text[node.end - 1]
    if style.one_line:
        return replace_source(node, opening + render("", False) + closing)
    outer = indent_of(node)
    inner = outer + style.unit
    return replace_source(node, opening + style.newline + inner + render(inner, True) + style.newline + outer + closing)
