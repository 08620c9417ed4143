"""What the client calls an output that breaks its schema: the words that a blocking handler's failure is told with.

event, answer → [problem] → the first problem, in the client's words; None if it is sound
Which outputs break it is protocol/output.py's to say; measured in tests/conformance/cases/failure-words.json.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hookwright.protocol.events import FAMILY
from hookwright.protocol.output import FLAG, OBJECT, SPECIFIC, TEXT, TEXTS, TOP, fits

INVALID = "Hook JSON output validation failed — "
NAMES = '"PreToolUse" | "UserPromptSubmit" | "UserPromptExpansion" | "SessionStart" | "Setup" | "PreModelSwitch" | …'
RECORDS = frozenset(("updatedInput", "content"))
LEGACY_HINT = (
    ' (top-level decision is the legacy approve|block field; for "deny" use hookSpecificOutput.permissionDecision in a'
    ' PreToolUse hook, or hookSpecificOutput.decision: {"behavior": "deny"} in a PermissionRequest hook)'
)


def problem(event: str, answer: Mapping[str, Any]) -> str | None:
    for key, wanted in TOP.items():
        if key in answer and not fits(wanted, answer[key]):
            hint = LEGACY_HINT if key == "decision" and answer[key] == "deny" else ""
            return INVALID + _misfit(key, key, wanted, answer[key]) + hint
    specific = answer.get("hookSpecificOutput")
    if not isinstance(specific, dict):
        return None
    name = specific.get("hookEventName")
    if name is None:
        return INVALID + 'hookSpecificOutput is missing required field "hookEventName"'
    if name not in FAMILY:
        return f"{INVALID}hookSpecificOutput.hookEventName: expected one of {NAMES}"
    for key, wanted in SPECIFIC.items():
        if key in specific and not fits(wanted, specific[key]):
            return INVALID + _misfit(key, f"hookSpecificOutput.{key}", wanted, specific[key])
    if name != event:
        whole = json.dumps(answer, indent=2, ensure_ascii=False)
        said = f"Hook returned incorrect event name: expected '{event}' but got '{name}'"
        return f"Failed to run: {said}. Full stdout: {whole}"
    return None


def _misfit(key: str, path: str, wanted: str, value: Any) -> str:
    if wanted.startswith('"'):
        words = wanted.replace(" or ", "|").replace(", ", "|")
        return f"{path}: Invalid option: expected one of {words}"
    kinds = {TEXT: "string", FLAG: "boolean", OBJECT: "record" if key in RECORDS else "object", TEXTS: "array"}
    return f"{path}: expected {kinds.get(wanted, 'object')}, received {_kind(value)}"


def _kind(value: Any) -> str:
    """The type of a value, as JavaScript calls it."""
    kinds = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    return "null" if value is None else kinds[type(value)]
