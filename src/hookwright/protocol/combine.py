"""Combine two parts of one hook's decision: `deny(…) & system_message(…)`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.protocol.decisions import Decision


def combine_decisions(one: Decision, other: Decision) -> Decision:
    """One decision from two parts; raises ValueError if both permit or forbid, and differently."""
    if one.permission and other.permission and one.permission != other.permission:
        raise ValueError(f"one hook cannot both {one.permission} and {other.permission}")
    return type(one)(
        one.permission or other.permission,
        "\n".join(text for text in (one.reason, other.reason) if text),
        changes={**(one.changes or {}), **(other.changes or {})} or None,
        drops=one.drops + other.drops,
        context="\n".join(text for text in (one.context, other.context) if text),
        message="\n".join(text for text in (one.message, other.message) if text),
        stop_reason=one.stop_reason if one.stop_reason is not None else other.stop_reason,
        fields={**(one.fields or {}), **(other.fields or {})} or None,
        voice=one.voice or other.voice,
        label=one.label or other.label,
    )
