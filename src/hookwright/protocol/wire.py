"""The one module that knows the wire: bytes of a payload in, bytes of an answer out.

stdin → [read] → payload … decision → [encode] → stdout
Writes only today's form: one object, `hookEventName` set, the full `updatedInput`, texts within
the client's limit. `defer` is never written: it would end a headless run.
"""

from __future__ import annotations

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


class Unreadable(Exception):
    """The payload is not one JSON object; the text says why."""


def read(data: bytes) -> dict[str, Any]:
    """The payload as an object, or Unreadable."""
    if not data.strip():
        raise Unreadable("empty input")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("not UTF-8") from error
    text = text.strip("\ufeff \t\r\n")
    try:
        value, end = _scan(text)
    except RecursionError as error:
        raise Unreadable("nested too deeply") from error
    except (StopIteration, ValueError) as error:
        reason = "a key appears twice" if isinstance(error, _TwinKeys) else "not JSON"
        raise Unreadable(reason) from error
    if end != len(text):
        raise Unreadable("text after the JSON object")
    if not isinstance(value, dict):
        raise Unreadable("not an object")
    return value


class _TwinKeys(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _TwinKeys
    return made


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def _scan(text: str) -> tuple[Any, int]:
    """The JSON value at the start of a text, and where it ends.

    `json` would cost as much as the interpreter's whole start; its C scanner alone costs nothing.
    """
    try:
        from _json import make_scanner  # noqa: PLC0415
    except ImportError:
        from json import JSONDecoder  # noqa: PLC0415

        return JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant).raw_decode(text)

    class Context:
        strict = True
        object_hook = None
        object_pairs_hook = staticmethod(_object)
        parse_float = float
        parse_int = int
        parse_constant = staticmethod(_no_constant)
        memo: dict[str, str] = {}  # noqa: RUF012  the scanner's own scratch

    found: tuple[Any, int] = make_scanner(Context)(text, 0)
    return found


def to_json(value: Any) -> str:
    """Compact ASCII JSON."""
    try:
        from _json import encode_basestring_ascii, make_encoder  # noqa: PLC0415
    except ImportError:
        from json import dumps  # noqa: PLC0415

        return dumps(value, separators=(",", ":"))
    chunks = make_encoder(None, _no_other, encode_basestring_ascii, None, ":", ",", False, False, False)(value, 0)
    return "".join(chunks)


def _no_other(value: Any) -> Any:
    raise TypeError(f"{type(value).__name__} has no JSON form")


def encode(event: str, decision: Decision, updated_input: Mapping[str, Any] | None) -> tuple[bytes, bytes, int]:
    """stdout, stderr and exit code of the hook process for a merged decision."""
    if decision.permission == "block" and event in EXIT_2:
        return b"", fitting(decision.reason).encode("utf-8", "replace"), 2
    answer = _answer(event, decision, updated_input)
    return (to_json(answer) + "\n").encode() if answer else b"", b"", 0


def _answer(event: str, decision: Decision, updated_input: Mapping[str, Any] | None) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    specific: dict[str, Any] = {}
    if decision.permission == "block":
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
    if decision.context:
        specific["additionalContext"] = fitting(decision.context)
    for key, value in (decision.fields or {}).items():
        (answer if key in _TOP_LEVEL_KEYS else specific)[key] = value
    if decision.message:
        answer["systemMessage"] = fitting(decision.message)
    if decision.stop_reason is not None:
        answer["continue"] = False
        answer["stopReason"] = fitting(decision.stop_reason)
    if specific:
        answer["hookSpecificOutput"] = {"hookEventName": event, **specific}
    return answer


def _permission_object(decision: Decision, updated_input: Mapping[str, Any] | None) -> dict[str, Any]:
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


def _utf16_length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
