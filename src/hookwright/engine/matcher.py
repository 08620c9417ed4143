"""Explain why a handler's matcher does not fit this event.

matcher, payload → [why_not] → None if it fits, else the reason
Matchers are compiled by `settings/matcher_syntax.py` and evaluated by `protocol/event_matcher.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hookwright.protocol.event_matcher import fits_value, matched_value
from hookwright.settings import matcher_syntax


def why_not(event: str, matcher: str | None, payload: Mapping[str, Any]) -> str | None:
    """None if the matcher fits, else the reason."""
    compiled = matcher_syntax.compile_matcher(event, matcher)
    value = None if compiled is None else matched_value(compiled[0], payload)
    if compiled is None or value is None:
        return None
    trouble = matcher_syntax.why_invalid(matcher)
    if trouble:
        return f'the matcher "{matcher}" never matches: {trouble}'
    return None if fits_value(compiled, value) else f'the matcher "{matcher}" does not match {value}'
