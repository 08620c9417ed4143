"""Four ways to change JSON text, each touching only the bytes it is about.

edit → [add_member, append, replace, remove] → new text
`remove` is the exact inverse of adding: what was added after a value goes back to that value's end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from hookwright.settings.style import Style, has_line_end, indent_at, indent_of, last_line
from hookwright.settings.text import Node

Written = Callable[[str, bool], str]  # (indentation, over several lines) → text


class Span(Protocol):
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def add_member(node: Node, key: str, value: Any, style: Style) -> str:
    """The text with one more member at the end of an object."""
    return _add(node, node.members(), style, lambda indent, spread: style.member(key, value, indent, spread=spread))


def append(node: Node, value: Any, style: Style) -> str:
    """The text with one more element at the end of an array."""
    return _add(node, node.elements(), style, lambda indent, spread: style.render(value, indent, spread=spread))


def replace(node: Node, value: Any, style: Style) -> str:
    """The text with another value in this place, spread over lines if the old one was or the file is."""
    spread = has_line_end(node.source) or (not style.one_line and not has_content(node))
    return replace_source(node, style.render(value, indent_of(node), spread=spread))


def replace_source(node: Node, source: str) -> str:
    return node.text[: node.start] + source + node.text[node.end :]


def remove(node: Node, items: Sequence[Span], index: int) -> str:
    """The text without one of a container's items. The last one leaves an empty container."""
    text = node.text
    if len(items) == 1:
        return text[: node.start + 1] + text[node.end - 1 :]
    if index == 0:
        return text[: items[0].start] + text[items[1].start :]
    return text[: items[index - 1].end] + text[items[index].end :]


def has_content(node: Node) -> bool:
    """Whether a container holds something; a plain value counts as nothing to look like."""
    if node.is_object:
        return bool(node.members())
    return node.is_array and bool(node.elements())


def _add(node: Node, items: Sequence[Span], style: Style, written: Written) -> str:
    if not items:
        return _fill(node, style, written)
    text, last = node.text, items[-1]
    gap = text[items[-2].end : last.start] if len(items) > 1 else "," + text[node.start + 1 : items[0].start]
    if has_line_end(gap):
        added = gap + written(last_line(gap), True)
    elif has_line_end(text[last.start : last.end]):  # `[{` with the rest below
        added = style.comma + written(indent_at(text, last.end), True)
    else:
        added = (gap if len(items) > 1 else style.comma) + written("", False)
    return text[: last.end] + added + text[last.end :]


def _fill(node: Node, style: Style, written: Written) -> str:
    opening, closing = node.text[node.start], node.text[node.end - 1]
    if style.one_line:
        return replace_source(node, opening + written("", False) + closing)
    outer = indent_of(node)
    inner = outer + style.unit
    return replace_source(
        node, opening + style.newline + inner + written(inner, True) + style.newline + outer + closing
    )
