"""Matchers: whether a handler's matcher means this event.

matcher, payload → [why_not] → None if it fits, else why it does not
A list of names is compared exactly; anything else is a JavaScript expression, unanchored, tested against every name
that the thing has ever had. Measured on the client; an expression it cannot read never fits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from hookwright.protocol.catalogue import protocol
from hookwright.protocol.tools import LEGACY_NAMES
from hookwright.settings import matchers
from hookwright.settings.javascript import translated

NARROW = frozenset(("FileChanged", "StopFailure"))  # a comma or a hyphen makes an expression there
NARROW_NAMES = re.compile(r"[A-Za-z0-9_|]*")
FIELD = re.compile(r"\w+")


def field_of(event: str) -> str | None:
    """The key of the payload that a matcher of this event looks at; None: it has no matcher."""
    written = protocol()["events"][event]["matcher_field"]
    if written is None:
        return None
    found = FIELD.match(written)
    return found[0] if found else None


def why_not(event: str, matcher: str | None, payload: Mapping[str, Any]) -> str | None:
    """None: the matcher lets this event through."""
    field = field_of(event)
    if field is None or matcher is None or matchers.matches_all(matcher):
        return None
    value = _value(field, payload)
    if value is None:
        return None
    trouble = matchers.trouble(matcher)
    if trouble:
        return f'the matcher "{matcher}" never matches: {trouble}'
    if fits(matcher, value, narrow=event in NARROW):
        return None
    return f'the matcher "{matcher}" does not match {value}'


def _value(field: str, payload: Mapping[str, Any]) -> str | None:
    if field == "basename":
        return os.path.basename(str(payload.get("file_path", "")))
    value = payload.get(field)
    return value if isinstance(value, str) else None


def fits(matcher: str, value: str, *, narrow: bool = False) -> bool:
    """Does a matcher, which is not empty, fit a name?"""
    every = (value, *(old for old, new in LEGACY_NAMES.items() if new == value))
    listed = matchers.names(matcher)
    if listed is not None and (not narrow or NARROW_NAMES.fullmatch(matcher)):
        return any(name in listed for name in every)
    expression = javascript(matcher)
    return expression is not None and any(expression.search(name) for name in every)


@lru_cache(maxsize=256)
def javascript(text: str) -> re.Pattern[str] | None:
    """A JavaScript expression as Python's; None if Python has no such thing (a lookbehind of any width)."""
    try:
        return re.compile(translated(text), re.ASCII)
    except (re.error, OverflowError, RecursionError):
        return None
