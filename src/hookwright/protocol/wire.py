"""The one module that knows the wire: bytes of a payload in, bytes of an answer out.

stdin → [read] → payload … decision → [encode] → stdout
Writes only today's form: one object, `hookEventName` set, the full `updatedInput`, texts within
the client's limit. `defer` is never written: it would end a headless run.
"""

from __future__ import annotations

from hookwright.protocol.json import NotJson, dumps, loads
from hookwright.protocol.legal import EXIT_2

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.protocol.decisions import Decision

TEXT_LIMIT = 10_000  # measured: 10,000 characters arrive inline, 10,001 become a file with a preview
CUT = " … (cut by hookwright: the client shows no more)"

# hookSpecificOutput of these events speaks of permission in words of its own.
_PERMISSION_OBJECT = "PermissionRequest"
_TOP_LEVEL_KEYS = ("terminalSequence",)

Unreadable = NotJson  # the payload is not one JSON object; the text says why


def read(data: bytes) -> dict[str, Any]:
    """The payload as an object, or Unreadable: the text says why."""
    try:
        text = data.decode("utf-8").strip("\ufeff \t\r\n")
    except UnicodeDecodeError as error:
        raise Unreadable("not UTF-8") from error
    if not text:
        raise Unreadable("empty input")
    try:
        value = loads(text)
    except NotJson as error:
        raise Unreadable(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise Unreadable("not an object")
    return value


def encode(event: str, decision: Decision, updated_input: Mapping[str, Any] | None) -> tuple[bytes, bytes, int]:
    """stdout, stderr and exit code of the hook process for a merged decision."""
    if decision.permission == "block" and (event in EXIT_2 or decision.voice == "stderr"):
        return b"", fitting(decision.reason).encode("utf-8", "replace"), 2
    answer = _answer(event, decision, updated_input)
    return (dumps(answer) + "\n").encode("utf-8", "backslashreplace") if answer else b"", b"", 0


def _answer(event: str, decision: Decision, updated_input: Mapping[str, Any] | None) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    specific: dict[str, Any] = {}
    context = decision.context
    if decision.permission == "block" and decision.voice == "context":
        context = f"{decision.reason}\n{context}".rstrip()
    elif decision.permission == "block":
        answer["decision"] = "block"
        answer["reason"] = fitting(decision.reason)
    elif event == _PERMISSION_OBJECT:
        if decision.permission:
            specific["decision"] = _permission_object(decision, updated_input)
    else:
        if decision.permission:
            specific["permissionDecision"] = decision.permission
            if decision.reason:
                specific["permissionDecisionReason"] = fitting(decision.reason)
        if updated_input is not None:
            specific["updatedInput"] = updated_input
    if context:
        specific["additionalContext"] = fitting(context)
    for key, value in (decision.fields or {}).items():
        (answer if key in _TOP_LEVEL_KEYS else specific)[key] = value
    _add_universal(answer, decision)
    if specific:
        answer["hookSpecificOutput"] = {"hookEventName": event, **specific}
    return answer


def _add_universal(answer: dict[str, Any], decision: Decision) -> None:
    if decision.message:
        answer["systemMessage"] = fitting(decision.message)
    if decision.stop_reason is not None:
        answer["continue"] = False
        answer["stopReason"] = fitting(decision.stop_reason)


def _permission_object(decision: Decision, updated_input: Mapping[str, Any] | None) -> dict[str, Any]:  # rare
    said: dict[str, Any] = {"behavior": decision.permission}
    if decision.permission == "deny":
        said["message"] = fitting(decision.reason)
    elif updated_input is not None:
        said["updatedInput"] = updated_input
    return said


def fitting(text: str) -> str:
    """The text, cut with a word about it where the client would hide it in a file."""
    if 2 * len(text) <= TEXT_LIMIT or _utf16_length(text) <= TEXT_LIMIT:
        return text
    room = TEXT_LIMIT - len(CUT)
    kept = text[:room]
    while _utf16_length(kept) > room:  # characters outside the basic plane count twice for the client
        kept = kept[: len(kept) - (_utf16_length(kept) - room + 1) // 2]
    return kept + CUT


def _utf16_length(text: str) -> int:  # rare
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
