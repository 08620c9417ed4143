"""What Claude Code makes of a hook's output: what counts, what is silently ignored, and why.

event, exit code, stdout, stderr → [read] → Reading
Measured on the client (tests/client/test_output.py plays the table of tests/protocol/test_output.py). Cold and pure; it
says nothing about what other hooks answer, nor about `async` and `onFailure`, which are the handler's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from hookwright.protocol.legal import LEGAL

TEXT_LIMIT = 10_000  # characters; a longer text becomes a file with a preview
# What exit code 2 does, where it does something; elsewhere stderr is shown or logged and the action goes on.
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
TOLD_BY_2 = frozenset(("PostToolUse", "PostToolUseFailure"))  # the action is over; Claude reads stderr
TEXT_IS_CONTEXT = frozenset(("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostModelSwitch"))
LEGACY = {"approve": "allow", "block": "deny"}  # `decision` of PreToolUse
PERMISSIONS = ("allow", "deny", "ask", "defer")
DECIDE_BY_WORD = ("PreToolUse", "PreModelSwitch")  # elsewhere permissionDecision means nothing

TEXT, FLAG, OBJECT, TEXTS, ANY = "a text", "true or false", "an object", "a list of texts", "anything"
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
REQUEST: Mapping[str, str] = {"behavior": '"allow" or "deny"', "updatedInput": OBJECT, "message": TEXT}
# Words that belong into hookSpecificOutput and are passed over outside of it.
BELONG_INSIDE = ("permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext", "hookEventName")
CARRIED = {"additionalContext": "context", "updatedInput": "rewrite", "systemMessage": "message"}


@dataclass(frozen=True)
class Ignored:
    """Something that a hook said and the client does not hear."""

    code: str
    what: str
    fix: str = ""


@dataclass
class Reading:
    """What counts of an output. `text` is plain stdout that reaches nobody or Claude; `error`: the client shows one."""

    decision: str | None = None  # deny, defer, ask, allow, block
    reason: str = ""
    updated_input: Mapping[str, Any] | None = None
    context: list[str] = field(default_factory=list)
    system_message: str = ""
    goes_on: bool = True  # false: `continue: false`
    stop_reason: str = ""
    others: dict[str, Any] = field(default_factory=dict)
    is_json: bool = False
    is_async: bool = False
    error: str = ""
    text: str = ""
    ignored: list[Ignored] = field(default_factory=list)

    @property
    def stops(self) -> bool:
        """Does it keep the action from happening, or Claude from stopping?"""
        return self.decision in ("deny", "block")

    def words(self) -> str:
        """What counts, in a few words."""
        said = [self.decision] if self.decision else []
        said += ["rewrites the input"] if self.updated_input is not None else []
        said += ["tells Claude something"] if self.context else []
        said += ["tells the user something"] if self.system_message else []
        said += [] if self.goes_on else ["ends the turn"]
        said += sorted(self.others)
        said += ["goes on in the background"] if self.is_async else []
        return ", ".join(said) or "nothing"


def read(event: str, exit_code: int, stdout: bytes, stderr: bytes = b"") -> Reading:
    """Read an output as the client does."""
    reading = Reading()
    text = stdout.decode("utf-8", "replace").removeprefix("\ufeff").strip()
    answer = _object(text, reading)
    if answer is not None and not reading.is_async:
        reading.is_json = True
        problem = next(_schema_problems(event, answer), None)
        if problem is None:
            _Listener(event, reading).hear(answer)
        else:
            reading.error = problem.what
            reading.ignored.append(problem)
    elif text and not reading.is_async:
        _plain(event, text, exit_code, reading)
    _exit(event, exit_code, stderr.decode("utf-8", "replace").strip(), reading)
    return reading


# --- is it JSON?
def _object(text: str, reading: Reading) -> dict[str, Any] | None:
    """The one object that the whole of stdout is; None for plain text."""
    if not text.startswith("{"):
        return None
    try:
        value: dict[str, Any] = _parsed(text)
    except ValueError:
        first = _maybe(text.split("\n", 1)[0])
        if isinstance(first, dict) and first.get("async") is True:
            reading.is_async = True
            return first
        return None
    if value.get("async") is True:
        reading.is_async = True
    return value


def _parsed(text: str) -> Any:
    return json.loads(text, parse_constant=_no_constant)


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _maybe(text: str) -> Any:
    try:
        return _parsed(text)
    except ValueError:
        return None


def _plain(event: str, text: str, exit_code: int, reading: Reading) -> None:
    """Text that is no object: context on some events, unseen on all others, and perhaps meant as an answer."""
    reading.text = text
    if event in TEXT_IS_CONTEXT and exit_code == 0:
        reading.context.append(text)
        reading.ignored += _too_long("stdout", text)
    missed = missed_answer(text)
    if missed is not None:
        reading.ignored.append(missed)
    elif event not in TEXT_IS_CONTEXT:
        what = f"plain text on stdout reaches nobody on {event}"
        reading.ignored.append(Ignored("text-unseen", what, "additionalContext for Claude, systemMessage for the user"))


def missed_answer(text: str) -> Ignored | None:
    """Why a text that holds an answer is none."""
    if text.startswith("["):
        return Ignored("json-not-object", "stdout is a JSON list, not an object; it is ignored", "print one object")
    if text.startswith("{"):
        try:
            _, end = json.JSONDecoder(parse_constant=_no_constant).raw_decode(text)
        except ValueError as error:
            what = f"stdout begins like JSON and is none ({error}); it is ignored"
            return Ignored("json-invalid", what, "build it with a JSON library, not with echo")
        rest = text[end:].strip()
        if isinstance(_maybe(rest), dict) or rest.startswith("{"):
            return Ignored("json-twice", "stdout holds two objects; both are ignored", "print one object")
        what = f'text after the JSON ("{rest[:40]}"); all of it is ignored'
        return Ignored("json-then-text", what, "print the object and nothing else; messages go to stderr")
    place = text.find("{")
    lines = [line for line in text.splitlines() if line.lstrip().startswith("{") and _maybe(line)]
    if lines or (place > 0 and isinstance(_maybe(text[place:]), dict)):
        what = f'text before the JSON ("{text[:40].splitlines()[0]}"); all of it is ignored'
        return Ignored("text-then-json", what, "print the object and nothing else; messages go to stderr")
    return None


# --- does it fit the schema? One field that does not costs the whole output.
def _schema_problems(event: str, answer: Mapping[str, Any]) -> Iterator[Ignored]:
    for key, wanted in TOP.items():
        if key in answer and not fits(wanted, answer[key]):
            yield _misfit(f'"{key}"', wanted, answer[key])
    specific = answer.get("hookSpecificOutput")
    if not isinstance(specific, dict):
        return
    name = specific.get("hookEventName")
    if name is None:
        what = "hookSpecificOutput has no hookEventName; the whole output is ignored"
        yield Ignored("event-name-missing", what, f'add "hookEventName": "{event}"')
    elif name != event:
        what = f'hookEventName is "{name}" on {event}; the whole output is ignored'
        yield Ignored("event-name-wrong", what, f'"hookEventName": "{event}"')
    for key, wanted in SPECIFIC.items():
        if key in specific and not fits(wanted, specific[key]):
            yield _misfit(f'"hookSpecificOutput.{key}"', wanted, specific[key])
    request = specific.get("decision")
    if isinstance(request, dict):
        for key, wanted in REQUEST.items():
            if key in request and not fits(wanted, request[key]):
                yield _misfit(f'"hookSpecificOutput.decision.{key}"', wanted, request[key])


def fits(wanted: str, value: Any) -> bool:
    """Is the value of this kind? A quoted list of words is a choice."""
    if wanted.startswith('"'):
        return isinstance(value, str) and f'"{value}"' in wanted
    if wanted == TEXTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, {TEXT: str, FLAG: bool, OBJECT: dict, ANY: object}[wanted])


def _misfit(key: str, wanted: str, value: Any) -> Ignored:
    shown = json.dumps(value)
    shown = shown if len(shown) <= 40 else shown[:37] + "…"
    what = f"{key} must be {wanted}, not {shown}; the whole output is ignored"
    return Ignored("schema", what, f"correct {key}")


# --- what counts
class _Listener:
    """Takes from a sound answer what this event can carry."""

    def __init__(self, event: str, reading: Reading) -> None:
        self.event, self.reading = event, reading
        self.legal = LEGAL.get(event, ())

    def hear(self, answer: Mapping[str, Any]) -> None:
        specific = answer.get("hookSpecificOutput") or {}
        self.misplaced(answer, specific)
        self.universal(answer)
        self.top_decision(answer)
        self.permission(specific, answer.get("reason", ""))
        self.rest(specific)

    def ignore(self, code: str, what: str, fix: str = "") -> None:
        self.reading.ignored.append(Ignored(code, what, fix))

    def misplaced(self, answer: Mapping[str, Any], specific: Mapping[str, Any]) -> None:
        for key in answer:
            if key in BELONG_INSIDE:
                what = f'"{key}" outside of hookSpecificOutput is ignored'
                self.ignore("decision-misplaced", what, f'"hookSpecificOutput": {{"hookEventName": "{self.event}", …}}')
            elif key not in TOP:
                self.ignore("key-unknown", f'"{key}" means nothing to Claude Code')
        for key in specific:
            if key not in SPECIFIC:
                self.ignore("key-unknown", f'"hookSpecificOutput.{key}" means nothing to Claude Code')

    def universal(self, answer: Mapping[str, Any]) -> None:
        message = answer.get("systemMessage")
        if message and self.carries("message", "systemMessage"):
            self.reading.system_message = message
            self.reading.ignored += _too_long("systemMessage", message)
        if answer.get("continue") is False and self.carries("stop", "continue: false"):
            self.reading.goes_on = False
            self.reading.stop_reason = answer.get("stopReason", "")
        if answer.get("terminalSequence") and self.carries("terminalSequence", "terminalSequence"):
            self.reading.others["terminalSequence"] = answer["terminalSequence"]

    def top_decision(self, answer: Mapping[str, Any]) -> None:
        word = answer.get("decision")
        if word is None:
            return
        if self.event in ("PreToolUse", "PreModelSwitch"):
            self.decide(LEGACY[word], answer.get("reason", ""))
        elif word == "block" and self.carries("block", 'decision: "block"'):
            self.decide("block", answer.get("reason", ""))
        elif word == "approve":
            self.ignore("decision-without-effect", f'"decision": "approve" means nothing on {self.event}')

    def permission(self, specific: Mapping[str, Any], beside: str) -> None:
        word = specific.get("permissionDecision")
        if self.reading.decision == "deny" and word in ("allow", "ask", "defer"):
            what = f'"decision": "block" beside it is stronger than "permissionDecision": "{word}"'
            self.ignore("decision-outdone", what)
        elif word is not None and self.event not in DECIDE_BY_WORD:
            self.carries("", f"permissionDecision: {word}")
        elif word is not None:
            said = specific.get("permissionDecisionReason", "")
            self.decide(word, said or (beside if word == "deny" else ""))
        request = specific.get("decision")
        if isinstance(request, dict) and self.event == "PermissionRequest":
            behavior = request.get("behavior")
            if behavior is not None:
                self.decide(behavior, request.get("message", ""))
                self.rewrite(request.get("updatedInput"))

    def decide(self, word: str, reason: str) -> None:
        self.reading.decision, self.reading.reason = word, reason

    def rewrite(self, updated: Any) -> None:
        if isinstance(updated, dict) and self.reading.decision != "deny":
            self.reading.updated_input = updated

    def rest(self, specific: Mapping[str, Any]) -> None:
        context = specific.get("additionalContext")
        if context and self.carries("context", "additionalContext"):
            self.reading.context.append(context)
            self.reading.ignored += _too_long("additionalContext", context)
        if "updatedInput" in specific and self.carries("rewrite", "updatedInput"):
            self.rewrite(specific["updatedInput"])
        for key, value in specific.items():
            if key in self.legal and key not in CARRIED:
                self.reading.others[key] = value

    def carries(self, word: str, key: str) -> bool:
        if word in self.legal:
            return True
        can = ", ".join(self.legal) or "nothing"
        self.ignore("not-carried", f"{self.event} cannot carry {key}; it can carry {can}")
        return False


def _too_long(key: str, text: str) -> list[Ignored]:
    length = len(text.encode("utf-16-le", "surrogatepass")) // 2
    if length <= TEXT_LIMIT:
        return []
    what = f"{key} has {length:,} characters; above {TEXT_LIMIT:,} Claude gets a file name and a preview"
    return [Ignored("text-too-long", what, "say less")]


# --- the exit code
def _exit(event: str, code: int, stderr: str, reading: Reading) -> None:
    """0 says nothing. 2 stops what can be stopped, whatever stdout says. Any other is an error; JSON counts still."""
    if code == 0:
        return
    if code == 2 and event in STOPPED_BY_2:
        word = "deny" if "deny" in LEGAL[event] else "block"
        if reading.decision != word:
            reading.decision, reading.reason = word, stderr
        reading.updated_input = None
    elif code == 2 and event in TOLD_BY_2:
        reading.context += [stderr] if stderr else []
    elif code == 2:
        what = f"exit code 2 stops nothing on {event}"
        reading.ignored.append(Ignored("exit-2-without-effect", what, "answer with JSON, or exit 0"))
    elif event == "WorktreeCreate":
        reading.decision, reading.reason = "block", stderr
    else:
        reading.error = reading.error or f"ended with {code}" + (f": {stderr[:200]}" if stderr else "")
