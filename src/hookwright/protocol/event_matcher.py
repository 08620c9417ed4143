"""Decide whether a matcher of Claude Code means this event, from its compiled form.

settings/matcher_syntax.compile_matcher → (field, kind, wanted) → [matches_payload] → may the handler run?
The one evaluator of the client's matchers: for command hooks in the dispatcher and for the engine. The tools of our own
hooks are another, smaller language (exact names with one `*`): `dispatch.matches_tool`. Hot.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    # The payload's field; "is", "starts", "ends", "has", "re" or "never"; what it is compared with.
    CompiledMatcher = tuple[str, str, Any]

FORMER_NAMES = {"Agent": "Task"}  # matchers written for the old name still fire


def matches_payload(matcher: CompiledMatcher, payload: Mapping[str, Any]) -> bool:
    """True if the matcher fits, and if the payload has nothing to compare with, as in Claude Code."""
    value = matched_value(matcher[0], payload)
    return value is None or fits_value(matcher, value)


def matched_value(field: str, payload: Mapping[str, Any]) -> str | None:
    """What a matcher on this field is compared with; None if the payload has no such text."""
    value = payload.get("file_path" if field == "basename" else field)
    if not isinstance(value, str):
        return None
    return value[value.rfind("/") + 1 :] if field == "basename" else value


def fits_value(matcher: CompiledMatcher, value: str) -> bool:
    """Does the matcher fit this value, under its present name or a former one?"""
    _, kind, wanted = matcher
    names = (value, FORMER_NAMES[value]) if value in FORMER_NAMES else (value,)
    if kind == "is":
        return any(name in wanted if isinstance(wanted, tuple) else name == wanted for name in names)
    if kind == "starts":
        return any(name.startswith(wanted) for name in names)
    if kind == "ends":
        return any(name.endswith(wanted) for name in names)
    if kind == "has":
        return any(wanted in name for name in names)
    if kind == "never":
        return False
    import re  # noqa: PLC0415  the rare expression that is no plain text

    return any(re.search(wanted, name, re.ASCII) for name in names)
