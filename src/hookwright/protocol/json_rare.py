"""The parts of JSON that a payload which waits for us seldom has: arrays and numbers."""

from __future__ import annotations

from hookwright.protocol.json import DEEPEST, NotJson, skip, value_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DIGITS = frozenset("0123456789+-.eE")


def array(text: str, at: int, depth: int) -> tuple[list[Any], int]:
    if depth > DEEPEST:
        raise NotJson("nested too deeply")
    made: list[Any] = []
    at = skip(text, at)
    if text[at] == "]":
        return made, at + 1
    while True:
        value, at = value_at(text, at, depth)
        made.append(value)
        at = skip(text, at)
        if text[at] == "]":
            return made, at + 1
        if text[at] != ",":
            raise NotJson("no comma between elements")
        at = skip(text, at + 1)


def number(text: str, at: int) -> tuple[int | float, int]:
    end = at
    while end < len(text) and text[end] in _DIGITS:
        end += 1
    digits = text[at:end]
    body = digits.removeprefix("-")
    whole = body.split("e")[0].split("E")[0]
    head, point, tail = whole.partition(".")
    if not head.isdigit() or (head[0] == "0" and len(head) > 1) or (point and not tail.isdigit()):
        raise NotJson("not a value" if not digits else "not a number")
    try:
        return (int(digits) if body.isdigit() else float(digits)), end
    except ValueError:
        raise NotJson("not a number") from None
