"""Copy payloads for user hooks, and validate the decisions they return before these are encoded.

payload → [copy_payload] → user hook → [encode_decision] → JSON → [decode_decision] → Decision
"""

from __future__ import annotations

from hookwright.protocol.decisions import Decision
from hookwright.protocol.json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PERMISSIONS = (None, "allow", "ask", "deny", "block")
_TEXTS = ("reason", "context", "message", "voice", "label")


def encode_decision(decision: Any) -> str:
    """The decision as JSON; TypeError or ValueError if it is not a valid decision."""
    if decision is None:
        return ""
    if not isinstance(decision, Decision):
        raise TypeError(f"a hook returns a decision or None, not {type(decision).__name__}")
    if decision.permission not in _PERMISSIONS:
        raise ValueError(f"permission must be allow, ask, deny or block, not {decision.permission!r}")
    for part in _TEXTS:
        if not isinstance(getattr(decision, part), str):
            raise TypeError(f"{part} must be a text, not {type(getattr(decision, part)).__name__}")
    if not isinstance(decision.stop_reason, str | None):
        raise TypeError(f"stop_reason must be a text, not {type(decision.stop_reason).__name__}")
    for part in ("changes", "fields"):
        if not isinstance(getattr(decision, part), dict | None):
            raise TypeError(f"{part} must be a dict, not {type(getattr(decision, part)).__name__}")
    return dumps({part: getattr(decision, part) for part in Decision.__slots__})


def decode_decision(text: str) -> Decision | None:
    """Inverse of `encode_decision`."""
    if not text:
        return None
    parts = loads(text)
    parts["drops"] = tuple(parts["drops"])
    return Decision(**parts)


def copy_payload(value: Any) -> Any:
    """A deep copy of a payload."""
    if isinstance(value, dict):
        return {key: copy_payload(item) for key, item in value.items()}
    if isinstance(value, list):
        return [copy_payload(item) for item in value]
    return value
