"""Word the client's message for an output that breaks its schema: the reason when a handler blocks on failure.

event, answer → [find_problem] → the first problem in the client's words; None if the answer is valid
protocol/hook_output.py decides which outputs are valid; the words are from tests/conformance/cases/failure-words.json.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from hookwright.protocol.events import FAMILY
from hookwright.protocol.hook_output import (
    BEHAVIOR,
    FLAG,
    LIST,
    NO_SPECIFIC,
    OBJECT,
    REQUEST,
    SPECIFIC,
    TEXT,
    TEXTS,
    TOP,
    fits_kind,
    own_keys,
)

INVALID = "Hook JSON output validation failed — "
NAMES = '"PreToolUse" | "UserPromptSubmit" | "UserPromptExpansion" | "SessionStart" | "Setup" | "PreModelSwitch" | …'
RECORDS = frozenset(("updatedInput", "content"))
LEGACY_HINT = (
    ' (top-level decision is the legacy approve|block field; for "deny" use hookSpecificOutput.permissionDecision in a'
    ' PreToolUse hook, or hookSpecificOutput.decision: {"behavior": "deny"} in a PermissionRequest hook)'
)
REQUEST_HINT = ' (PermissionRequest decision must be {"behavior": "allow"} or {"behavior": "deny", "message": "..."})'


def find_problem(event: str, answer: Mapping[str, Any]) -> str | None:
    for key, expected in TOP.items():
        if key in answer and not fits_kind(expected, answer[key]):
            hint = LEGACY_HINT if key == "decision" and answer[key] == "deny" else ""
            return INVALID + _format_misfit(key, key, expected, answer[key]) + hint
    specific = answer.get("hookSpecificOutput")
    if not isinstance(specific, dict):
        return None
    name = specific.get("hookEventName")
    if name is None:
        return INVALID + 'hookSpecificOutput is missing required field "hookEventName"'
    if name not in FAMILY or name in NO_SPECIFIC:
        return f"{INVALID}hookSpecificOutput.hookEventName: expected one of {NAMES}"
    for key in own_keys(name):
        if key in specific and not fits_kind(SPECIFIC[key], specific[key]):
            hint = REQUEST_HINT if key == "decision" else ""
            return INVALID + _format_misfit(key, f"hookSpecificOutput.{key}", SPECIFIC[key], specific[key]) + hint
    if name == "PermissionRequest" and "decision" not in specific:
        return f"{INVALID}hookSpecificOutput.decision: expected object, received undefined{REQUEST_HINT}"
    if name == "PermissionRequest":
        problem = _find_request_problem(specific["decision"])
        if problem:
            return INVALID + problem
    if name != event:
        whole = json.dumps(_drop_unread(answer, name), indent=2, ensure_ascii=False)
        problem = f"Hook returned incorrect event name: expected '{event}' but got '{name}'"
        return f"Failed to run: {problem}. Full stdout: {whole}"
    return None


def _drop_unread(answer: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The answer as the client has parsed it: keys that it does not know, and those of other events, are gone."""
    kept = {key: value for key, value in answer.items() if key in TOP}
    read = {"hookEventName", *own_keys(name)}
    kept["hookSpecificOutput"] = {key: value for key, value in answer["hookSpecificOutput"].items() if key in read}
    return kept


def _find_request_problem(request: Mapping[str, Any]) -> str | None:
    behavior = request.get("behavior")
    if not fits_kind(BEHAVIOR, behavior):
        return 'hookSpecificOutput.decision.behavior: expected one of "allow" | "deny"'
    for key, expected in REQUEST[str(behavior)].items():
        if key in request and not fits_kind(expected, request[key]):
            return _format_misfit(key, f"hookSpecificOutput.decision.{key}", expected, request[key])
    return None


def _format_misfit(key: str, path: str, expected: str, value: Any) -> str:
    if expected.startswith('"'):
        words = expected.replace(" or ", "|").replace(", ", "|")
        return f"{path}: Invalid option: expected one of {words}"
    kinds = {
        TEXT: "string",
        FLAG: "boolean",
        OBJECT: "record" if key in RECORDS else "object",
        TEXTS: "array",
        LIST: "array",
    }
    return f"{path}: expected {kinds.get(expected, 'object')}, received {js_type_name(value)}"


def js_type_name(value: Any) -> str:
    """The JavaScript name of a value's type."""
    kinds = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    return "null" if value is None else kinds[type(value)]
