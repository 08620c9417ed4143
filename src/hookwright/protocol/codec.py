"""Decode the payload on stdin and encode the answer for stdout: the only module that knows the wire format.

stdin → [read_payload] → payload … decision → [encode_answer] → stdout
Writes the current format only: one object, `hookEventName` set, the full `updatedInput`, texts within the client's
limit. `defer` is never written: it would end a headless run.
"""

from __future__ import annotations

from hookwright.protocol.capabilities import EXIT_2
from hookwright.protocol.json import NotJson, dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.protocol.decisions import Decision

TEXT_LIMIT = 10_000  # measured: 10,000 characters arrive inline, 10,001 become a file with a preview
CUT = " … (cut by hookwright: the client shows no more)"

# Its hookSpecificOutput has an object `decision` instead of `permissionDecision`.
_PERMISSION_OBJECT = "PermissionRequest"
_TOP_LEVEL_KEYS = ("terminalSequence",)


def read_payload(data: bytes, largest: int = 8 << 20) -> dict[str, Any]:
    """The payload as an object; raises NotJson with the reason."""
    if len(data) > largest:
        raise NotJson(f"larger than {largest >> 20} MiB")
    try:
        text = data.decode("utf-8").strip("\ufeff \t\r\n")
    except UnicodeDecodeError as error:
        raise NotJson("not UTF-8") from error
    if not text:
        raise NotJson("empty input")
    try:
        value = loads(text)
    except NotJson as error:
        raise NotJson(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise NotJson("not an object")
    return value


def encode_answer(event: str, decision: Decision, updated_input: Mapping[str, Any] | None) -> tuple[bytes, bytes, int]:
    """stdout, stderr and exit code of the hook process for a merged decision."""
    if decision.permission == "block" and (event in EXIT_2 or decision.voice == "stderr"):
        return b"", fit_text(decision.reason).encode("utf-8", "replace"), 2
    answer = _build_answer(event, decision, updated_input)
    return (dumps(answer) + "\n").encode("utf-8", "backslashreplace") if answer else b"", b"", 0


def _build_answer(event: str, decision: Decision, updated_input: Mapping[str, Any] | None) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    specific: dict[str, Any] = {}
    context = decision.context
    if decision.permission == "block" and decision.voice == "context":
        context = f"{decision.reason}\n{context}".rstrip()
    elif decision.permission == "block":
        answer["decision"] = "block"
        answer["reason"] = fit_text(decision.reason)
    elif event == _PERMISSION_OBJECT:
        if decision.permission:
            specific["decision"] = _permission_object(decision, updated_input)
    else:
        if decision.permission:
            specific["permissionDecision"] = decision.permission
            if decision.reason:
                specific["permissionDecisionReason"] = fit_text(decision.reason)
        if updated_input is not None:
            specific["updatedInput"] = updated_input
    if context:
        specific["additionalContext"] = fit_text(context)
    for key, value in (decision.fields or {}).items():
        (answer if key in _TOP_LEVEL_KEYS else specific)[key] = value
    _add_universal(answer, decision)
    if specific:
        answer["hookSpecificOutput"] = {"hookEventName": event, **specific}
    return answer


def _add_universal(answer: dict[str, Any], decision: Decision) -> None:
    if decision.message:
        answer["systemMessage"] = fit_text(decision.message)
    if decision.stop_reason is not None:
        answer["continue"] = False
        answer["stopReason"] = fit_text(decision.stop_reason)


def _permission_object(decision: Decision, updated_input: Mapping[str, Any] | None) -> dict[str, Any]:
    said: dict[str, Any] = {"behavior": decision.permission}
    if decision.permission == "deny":
        said["message"] = fit_text(decision.reason)
    elif updated_input is not None:
        said["updatedInput"] = updated_input
    return said


def fit_text(text: str) -> str:
    """The text, cut with a note where the client would replace it by a file."""
    if 2 * len(text) <= TEXT_LIMIT or _utf16_length(text) <= TEXT_LIMIT:
        return text
    room = TEXT_LIMIT - len(CUT)
    kept = text[:room]
    while _utf16_length(kept) > room:  # the client counts UTF-16 units
        kept = kept[: len(kept) - (_utf16_length(kept) - room + 1) // 2]
    return kept + CUT


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
