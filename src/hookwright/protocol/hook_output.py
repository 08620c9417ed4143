"""Interpret a hook's output as Claude Code does: what takes effect, what is silently ignored, and why.

event, exit code, stdout, stderr → [read_output] → ParsedOutput
Measured on the client: tests/client/test_output.py runs the table of tests/protocol/output_cases.py against it. Pure;
the answers of other hooks, `async` and `onFailure` are the engine's business. Not used by the hook process.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NoReturn

from hookwright.protocol.capabilities import LEGAL
from hookwright.protocol.json_error import describe_json_error

TEXT_LIMIT = 10_000  # characters; a longer text becomes a file with a preview
# Events on which exit code 2 has an effect; on others stderr is shown or logged and the action proceeds.
STOPPED_BY_2 = frozenset(
    (
        "PreToolUse",
        "PostToolBatch",
        "UserPromptSubmit",
        "UserPromptExpansion",
        "Stop",
        "SubagentStop",
        "TeammateIdle",
        "TaskCreated",
        "TaskCompleted",
        "PreCompact",
        "PreModelSwitch",
        "Elicitation",
        "ElicitationResult",
        "ConfigChange",
        "WorktreeCreate",
    )
)
TOLD_BY_2 = frozenset(("PostToolUse", "PostToolUseFailure"))  # the action has already happened; Claude reads stderr
TEXT_IS_CONTEXT = frozenset(("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostModelSwitch"))
LEGACY = {"approve": "allow", "block": "deny"}  # `decision` of PreToolUse
PERMISSIONS = ("allow", "deny", "ask", "defer")
DECIDE_BY_WORD = ("PreToolUse", "PreModelSwitch")  # permissionDecision has no effect on other events

TEXT, FLAG, OBJECT, TEXTS, ANY = "a text", "true or false", "an object", "a list of texts", "anything"
LIST = "a list"
TOP: Mapping[str, str] = {
    "continue": FLAG,
    "suppressOutput": FLAG,
    "stopReason": TEXT,
    "systemMessage": TEXT,
    "terminalSequence": TEXT,
    "decision": '"approve" or "block"',
    "reason": TEXT,
    "hookSpecificOutput": OBJECT,
}
SPECIFIC: Mapping[str, str] = {
    "hookEventName": TEXT,
    "permissionDecision": '"allow", "deny", "ask" or "defer"',
    "permissionDecisionReason": TEXT,
    "updatedInput": OBJECT,
    "additionalContext": TEXT,
    "decision": OBJECT,
    "sessionTitle": TEXT,
    "suppressOriginalPrompt": FLAG,
    "initialUserMessage": TEXT,
    "watchPaths": TEXTS,
    "reloadSkills": FLAG,
    "retry": FLAG,
    "displayContent": TEXT,
    "action": '"accept", "decline" or "cancel"',
    "content": OBJECT,
    "worktreePath": TEXT,
    "classifierContext": TEXT,
    "updatedToolOutput": ANY,
    "updatedMCPToolOutput": ANY,
}
# `decision` of PermissionRequest: the keys that are checked depend on its behavior.
BEHAVIOR = '"allow" or "deny"'
REQUEST: Mapping[str, Mapping[str, str]] = {
    "allow": {"updatedInput": OBJECT, "updatedPermissions": LIST},
    "deny": {"message": TEXT, "interrupt": FLAG},
}
# Events that have no hookSpecificOutput of their own: one with their name breaks the schema.
NO_SPECIFIC = frozenset(
    (
        *("SessionEnd", "StopFailure", "TeammateIdle", "TaskCreated", "TaskCompleted", "PreCompact", "PostCompact"),
        *("ConfigChange", "InstructionsLoaded", "DirectoryAdded", "WorktreeRemove"),
    )
)
INSIDE = {"context": "additionalContext", "rewrite": "updatedInput"}  # capability → key of hookSpecificOutput
PERMISSION_KEYS = ("permissionDecision", "permissionDecisionReason")
LOOKS_LIKE_JSON = (
    "Hook output looks like a JSON object but is not valid JSON — {}. Emit the payload with a JSON encoder (jq, "
    "ConvertTo-Json, json.dumps) rather than string concatenation so backslashes and quotes inside strings are escaped."
)
# Keys of hookSpecificOutput that are ignored at the top level.
BELONG_INSIDE = ("permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext", "hookEventName")
CARRIED = {"additionalContext": "context", "updatedInput": "rewrite", "systemMessage": "message"}


@dataclass(frozen=True)
class Ignored:
    """A part of the output that the client ignores."""

    code: str
    what: str
    fix: str = ""


@dataclass
class ParsedOutput:
    """The parts of an output that take effect. `text` is plain stdout; `error` is an error that the client shows."""

    decision: str | None = None  # deny, defer, ask, allow, block
    reason: str = ""
    updated_input: Mapping[str, Any] | None = None
    context: list[str] = field(default_factory=list)
    system_message: str = ""
    goes_on: bool = True  # False for `continue: false`
    stop_reason: str = ""
    says_block: bool = False  # `decision: "block"`, whether the event knows it or not
    borrowed: bool = False  # a deny without a reason of its own
    interrupts: bool = False  # a denied permission that ends the turn
    others: dict[str, Any] = field(default_factory=dict)
    is_json: bool = False
    broken: str = ""  # it looks like an object and is none: what the client says of it
    misnamed: bool = False  # a valid answer to another event
    is_async: bool = False
    error: str = ""
    text: str = ""
    ignored: list[Ignored] = field(default_factory=list)

    @property
    def is_blocking(self) -> bool:
        """True if it prevents the action, or keeps Claude from stopping."""
        return self.decision in ("deny", "block")

    def describe_effects(self) -> str:
        """What takes effect, in a few words for a report."""
        effects = [self.decision] if self.decision else []
        effects += ["rewrites the input"] if self.updated_input is not None else []
        effects += ["tells Claude something"] if self.context else []
        effects += ["tells the user something"] if self.system_message else []
        effects += [] if self.goes_on else ["ends the turn"]
        effects += sorted(self.others)
        effects += ["continues in the background"] if self.is_async else []
        return ", ".join(effects) or "nothing"


def read_output(event: str, exit_code: int, stdout: bytes, stderr: bytes = b"") -> ParsedOutput:
    """Interpret an output as the client does."""
    parsed = ParsedOutput()
    text = stdout.decode("utf-8", "replace").removeprefix("\ufeff").strip()
    answer = _parse_object(text, parsed)
    if answer is not None and not parsed.is_async:
        parsed.is_json = True
        problem = next(_schema_problems(event, answer), None)
        if problem is None:
            _AnswerReader(event, parsed).read_answer(answer)
        else:
            parsed.error = problem.what
            parsed.misnamed = problem.code == "event-name-wrong"
            parsed.ignored.append(problem)
    elif _looks_like_object(text) and not parsed.is_async:
        missed = explain_missed_answer(text)
        assert missed is not None  # it begins with {
        parsed.is_json, parsed.error, parsed.broken = (
            True,
            missed.what,
            LOOKS_LIKE_JSON.format(describe_json_error(text)),
        )
        parsed.ignored.append(missed)
    elif text and not parsed.is_async:
        _read_plain_text(event, text, exit_code, parsed)
    _apply_exit_code(event, exit_code, stderr.decode("utf-8", "replace").strip(), parsed)
    return parsed


# --- JSON or plain text
def _parse_object(text: str, parsed: ParsedOutput) -> dict[str, Any] | None:
    """The object, if the whole of stdout is one JSON object; None for plain text."""
    if not text.startswith("{"):
        return None
    try:
        value: dict[str, Any] = _parse_json(text)
    except ValueError:
        first = _try_json(text.split("\n", 1)[0])
        if isinstance(first, dict) and first.get("async") is True:
            parsed.is_async = True
            return first
        return None
    if value.get("async") is True:
        parsed.is_async = True
    return value


def _looks_like_object(text: str) -> bool:
    """Measured: what begins with { and ends with } was meant as an object."""
    return text.startswith("{") and text.endswith("}")


def _parse_json(text: str) -> Any:
    return json.loads(text, parse_constant=_reject_constant)


def _reject_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _try_json(text: str) -> Any:
    try:
        return _parse_json(text)
    except ValueError:
        return None


def _read_plain_text(event: str, text: str, exit_code: int, parsed: ParsedOutput) -> None:
    """Text that is not an object: context on some events, invisible on all others, and perhaps a broken answer."""
    parsed.text = text
    if event in TEXT_IS_CONTEXT and exit_code == 0:
        parsed.context.append(text)
        parsed.ignored += _check_length("stdout", text)
    missed = explain_missed_answer(text)
    if missed is not None:
        parsed.ignored.append(missed)
    elif event not in TEXT_IS_CONTEXT:
        what = f"plain text on stdout is not shown on {event}"
        parsed.ignored.append(Ignored("text-unseen", what, "additionalContext for Claude, systemMessage for the user"))


def explain_missed_answer(text: str) -> Ignored | None:
    """Why a text that looks like an answer does not count as one; None if it does not look like one."""
    if text.startswith("["):
        return Ignored("json-not-object", "stdout is a JSON list, not an object; it is ignored", "print one object")
    if text.startswith("{"):
        try:
            _, end = json.JSONDecoder(parse_constant=_reject_constant).raw_decode(text)
        except ValueError as error:
            what = f"stdout looks like JSON but does not parse ({error}); it is ignored"
            return Ignored("json-invalid", what, "build it with a JSON library, not with echo")
        rest = text[end:].strip()
        if isinstance(_try_json(rest), dict) or rest.startswith("{"):
            return Ignored("json-twice", "stdout holds two objects; both are ignored", "print one object")
        what = f'text after the JSON ("{rest[:40]}"); all of it is ignored'
        return Ignored("json-then-text", what, "print the object and nothing else; messages go to stderr")
    place = text.find("{")
    lines = [line for line in text.splitlines() if line.lstrip().startswith("{") and _try_json(line)]
    if lines or (place > 0 and isinstance(_try_json(text[place:]), dict)):
        what = f'text before the JSON ("{text[:40].splitlines()[0]}"); all of it is ignored'
        return Ignored("text-then-json", what, "print the object and nothing else; messages go to stderr")
    return None


# --- schema: one invalid field invalidates the whole output
def _schema_problems(event: str, answer: Mapping[str, Any]) -> Iterator[Ignored]:
    for key, wanted in TOP.items():
        if key in answer and not fits_kind(wanted, answer[key]):
            yield _describe_misfit(f'"{key}"', wanted, answer[key])
    specific = answer.get("hookSpecificOutput")
    if not isinstance(specific, dict):
        return
    name = specific.get("hookEventName")
    if name is None:
        what = "hookSpecificOutput has no hookEventName; the whole output is ignored"
        yield Ignored("event-name-missing", what, f'add "hookEventName": "{event}"')
    elif name in NO_SPECIFIC:
        what = f"{name} has no hookSpecificOutput of its own; the whole output is ignored"
        yield Ignored("schema", what, 'remove "hookSpecificOutput"')
    elif not isinstance(name, str) or name not in LEGAL:
        what = f'hookEventName is "{name}" on {event}; the whole output is ignored'
        yield Ignored("schema", what, f'"hookEventName": "{event}"')
    for key in own_keys(name if isinstance(name, str) else ""):
        if key in specific and not fits_kind(SPECIFIC[key], specific[key]):
            yield _describe_misfit(f'"hookSpecificOutput.{key}"', SPECIFIC[key], specific[key])
    if name == "PermissionRequest":
        yield from _request_problems(specific)
    if name != event:
        what = f'hookEventName is "{name}" on {event}; the whole output is ignored'
        yield Ignored("event-name-wrong", what, f'"hookEventName": "{event}"')


def _request_problems(specific: Mapping[str, Any]) -> Iterator[Ignored]:
    if "decision" not in specific:
        yield Ignored("schema", '"hookSpecificOutput.decision" is missing; the whole output is ignored', "add it")
        return
    request = specific["decision"]
    if not isinstance(request, dict):
        return  # said above
    behavior = request.get("behavior")
    if not fits_kind(BEHAVIOR, behavior):
        yield _describe_misfit('"hookSpecificOutput.decision.behavior"', BEHAVIOR, behavior)
        return
    for key, wanted in REQUEST[str(behavior)].items():
        if key in request and not fits_kind(wanted, request[key]):
            yield _describe_misfit(f'"hookSpecificOutput.decision.{key}"', wanted, request[key])


@cache
def own_keys(event: str) -> tuple[str, ...]:
    """The keys of hookSpecificOutput that the client checks on this event; those of other events are ignored unread."""
    legal = LEGAL.get(event, ())
    keys = {INSIDE.get(word, word) for word in legal}
    if event in DECIDE_BY_WORD:
        keys.update(PERMISSION_KEYS)
    if event == "PermissionRequest":
        keys = {"decision"}
    return tuple(key for key in SPECIFIC if key in keys)


def fits_kind(wanted: str, value: Any) -> bool:
    """True if the value is of this kind. A kind that starts with a quote is a list of choices."""
    if wanted.startswith('"'):
        return isinstance(value, str) and f'"{value}"' in wanted
    if wanted == TEXTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, {TEXT: str, FLAG: bool, OBJECT: dict, LIST: list, ANY: object}[wanted])


def _describe_misfit(key: str, wanted: str, value: Any) -> Ignored:
    shown = json.dumps(value)
    shown = shown if len(shown) <= 40 else shown[:37] + "…"
    what = f"{key} must be {wanted}, not {shown}; the whole output is ignored"
    return Ignored("schema", what, f"correct {key}")


# --- what takes effect
class _AnswerReader:
    """Take from a valid answer what this event can carry."""

    def __init__(self, event: str, parsed: ParsedOutput) -> None:
        self.event, self.parsed = event, parsed
        self.legal = LEGAL.get(event, ())

    def read_answer(self, answer: Mapping[str, Any]) -> None:
        specific = answer.get("hookSpecificOutput") or {}
        self.check_keys(answer, specific)
        self.read_universal(answer)
        self.read_top_decision(answer)
        self.read_permission(specific, answer.get("reason", ""))
        self.read_rest(specific)

    def add_ignored(self, code: str, what: str, fix: str = "") -> None:
        self.parsed.ignored.append(Ignored(code, what, fix))

    def check_keys(self, answer: Mapping[str, Any], specific: Mapping[str, Any]) -> None:
        for key in answer:
            if key in BELONG_INSIDE:
                what = f'"{key}" outside of hookSpecificOutput is ignored'
                self.add_ignored(
                    "decision-misplaced", what, f'"hookSpecificOutput": {{"hookEventName": "{self.event}", …}}'
                )
            elif key not in TOP:
                self.add_ignored("key-unknown", f'"{key}" is not a key that Claude Code knows')
        for key in specific:
            if key not in SPECIFIC:
                self.add_ignored("key-unknown", f'"hookSpecificOutput.{key}" is not a key that Claude Code knows')

    def read_universal(self, answer: Mapping[str, Any]) -> None:
        message = answer.get("systemMessage")
        if message and self.check_carried("message", "systemMessage"):
            self.parsed.system_message = message
            self.parsed.ignored += _check_length("systemMessage", message)
        if answer.get("continue") is False and self.check_carried("stop", "continue: false"):
            self.parsed.goes_on = False
            self.parsed.stop_reason = answer.get("stopReason", "")
        if answer.get("terminalSequence") and self.check_carried("terminalSequence", "terminalSequence"):
            self.parsed.others["terminalSequence"] = answer["terminalSequence"]

    def read_top_decision(self, answer: Mapping[str, Any]) -> None:
        word = answer.get("decision")
        if word is None:
            return
        self.parsed.says_block = word == "block"
        if self.event in ("PreToolUse", "PreModelSwitch"):
            self.set_decision(LEGACY[word], answer.get("reason", ""))
            self.parsed.borrowed = word == "block" and not answer.get("reason")
        elif word == "block" and self.check_carried("block", 'decision: "block"'):
            self.set_decision("block", answer.get("reason", ""))
        elif word == "approve":
            self.add_ignored("decision-without-effect", f'"decision": "approve" has no effect on {self.event}')

    def read_permission(self, specific: Mapping[str, Any], beside: str) -> None:
        word = specific.get("permissionDecision")
        if self.parsed.decision == "deny" and word in ("allow", "ask", "defer"):
            what = f'"decision": "block" overrides "permissionDecision": "{word}"'
            self.add_ignored("decision-outdone", what)
        elif self.event not in DECIDE_BY_WORD:
            if word is not None:
                self.check_carried("", f"permissionDecision: {word}")
        elif word is not None:
            reason = specific.get("permissionDecisionReason", "")
            self.set_decision(word, reason or (beside if word == "deny" else ""))
            self.parsed.borrowed = word == "deny" and not reason
        request = specific.get("decision")
        if isinstance(request, dict) and self.event == "PermissionRequest":
            behavior = request.get("behavior")
            if behavior is not None:
                self.set_decision(behavior, request.get("message", "") if behavior == "deny" else "")
                self.set_input(request.get("updatedInput"))
                if behavior == "deny" and request.get("interrupt"):
                    self.parsed.interrupts = True

    def set_decision(self, word: str, reason: str) -> None:
        self.parsed.decision, self.parsed.reason = word, reason

    def set_input(self, updated: Any) -> None:
        if isinstance(updated, dict) and self.parsed.decision != "deny":
            self.parsed.updated_input = updated

    def read_rest(self, specific: Mapping[str, Any]) -> None:
        context = specific.get("additionalContext")
        if context and not ("context" in self.legal or isinstance(context, str)):
            context = ""  # of another event, and unread
        if context and self.check_carried("context", "additionalContext"):
            self.parsed.context.append(context)
            self.parsed.ignored += _check_length("additionalContext", context)
        if "updatedInput" in specific and self.check_carried("rewrite", "updatedInput"):
            self.set_input(specific["updatedInput"])
        for key, value in specific.items():
            if key in self.legal and key not in CARRIED:
                self.parsed.others[key] = value

    def check_carried(self, word: str, key: str) -> bool:
        if word in self.legal:
            return True
        can = ", ".join(self.legal) or "nothing"
        self.add_ignored("not-carried", f"{self.event} cannot carry {key}; it can carry {can}")
        return False


def _check_length(key: str, text: str) -> list[Ignored]:
    length = len(text.encode("utf-16-le", "surrogatepass")) // 2
    if length <= TEXT_LIMIT:
        return []
    what = f"{key} has {length:,} characters; above {TEXT_LIMIT:,} Claude gets a file name and a preview"
    return [Ignored("text-too-long", what, "shorten it")]


# --- the exit code
def _apply_exit_code(event: str, code: int, stderr: str, parsed: ParsedOutput) -> None:
    """0 has no effect. 2 blocks what can be blocked, whatever stdout says. Others are an error; JSON still counts."""
    if code == 0:
        return
    if code == 2 and event in STOPPED_BY_2:
        word = "deny" if "deny" in LEGAL[event] else "block"
        if parsed.decision != word:
            parsed.decision, parsed.reason = word, stderr
        parsed.updated_input = None
    elif code == 2 and event in TOLD_BY_2:
        parsed.context += [stderr] if stderr else []
    elif code == 2:
        what = f"exit code 2 stops nothing on {event}"
        parsed.ignored.append(Ignored("exit-2-without-effect", what, "answer with JSON, or exit 0"))
    elif event == "WorktreeCreate":
        parsed.decision, parsed.reason = "block", stderr
    else:
        parsed.error = parsed.error or f"ended with {code}" + (f": {stderr[:200]}" if stderr else "")
