"""Detect how a file is formatted, so that added entries look like the rest of it.

Document → [style_of] → Style → edit, json_edit
A file that shows no style gets the client's own: two spaces, one value per line, a newline at the end.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from hookwright.settings.json_document import LINE_END, Document, Node

INDENT = re.compile(r"[ \t]*")


@dataclass(frozen=True, slots=True)
class Style:
    newline: str = "\n"
    unit: str = "  "
    colon: str = ": "
    comma: str = ", "  # between values on one line
    one_line: bool = False

    def render_value(self, value: Any, indent: str, *, spread: bool) -> str:
        """Format a value over several lines that begin with `indent`, or on one line."""
        if not spread:
            return json.dumps(value, ensure_ascii=False, separators=(self.comma, self.colon))
        text = json.dumps(value, ensure_ascii=False, indent=self.unit, separators=(",", self.colon))
        return text.replace("\n", self.newline + indent)

    def render_member(self, key: str, value: Any, indent: str, *, spread: bool) -> str:
        return json.dumps(key, ensure_ascii=False) + self.colon + self.render_value(value, indent, spread=spread)


def style_of(document: Document) -> Style:
    """Detect the style from the outermost object."""
    first_end = LINE_END.search(document.text)
    newline = first_end[0] if first_end else "\n"
    root = document.root
    members = root.members() if root is not None and root.is_object else []
    if root is None or not members:
        return Style(newline=newline)
    text = document.text
    colon = text[members[0].key_end : members[0].node.start]
    if has_line_end(colon):
        colon = ": "
    comma = text[members[0].end : members[1].start] if len(members) > 1 else ", " if colon.endswith(" ") else ","
    if has_line_end(comma):
        comma = ", " if colon.endswith(" ") else ","
    unit = last_line(text[root.start + 1 : members[0].start]) or "  "
    return Style(newline, unit, colon, comma, one_line=not has_line_end(root.source))


def has_line_end(text: str) -> bool:
    return "\n" in text or "\r" in text


def last_line(text: str) -> str:
    """The indentation after the last line end; "" if there is no line end or something else follows."""
    if not has_line_end(text):
        return ""
    tail = LINE_END.split(text)[-1]
    return tail if INDENT.fullmatch(tail) else ""


def indent_at(text: str, position: int) -> str:
    """The indentation of the line that holds this position."""
    start = max(text.rfind("\n", 0, position), text.rfind("\r", 0, position)) + 1
    found = INDENT.match(text, start)
    assert found is not None
    return found[0]


def indent_of(node: Node) -> str:
    return indent_at(node.text, node.start)
