"""What one run says: Raw and event become what the client hears, and what it passes over in silence.

Raw → [hear] → Heard → merge
Says nothing about other handlers. protocol/output.py reads stdout; exit codes, failures, `onFailure` and the words of
models and MCP tools are read here. Reasons are worded as the client words them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hookwright.engine import schema
from hookwright.engine.types import Handler, Raw
from hookwright.protocol import output
from hookwright.protocol.legal import LEGAL

HEARS_EXIT_2 = output.STOPPED_BY_2 | output.TOLD_BY_2
NO_ON_FAILURE = frozenset(("Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"))
NAMES_THE_HANDLER = frozenset(("PreCompact",))  # even where JSON gave the reason
TURNS_END = frozenset(("Stop", "SubagentStop"))
# Carried by the protocol's letter, and without effect when it was tried.
NO_STOP = frozenset(("PostToolUseFailure", "PermissionRequest", "PreModelSwitch", "SubagentStart"))
NO_MESSAGE = frozenset(("SessionStart", "SubagentStart", "SubagentStop", "TaskCreated", "PermissionRequest"))
MODEL_ENDS_NO_TURN = TURNS_END | NO_STOP | {"TaskCreated"}
NO_WORDS = "No stderr output"


@dataclass(slots=True)
class Heard:
    """What the client takes from one run."""

    decision: str | None = None  # deny, defer, ask, allow, block
    reason: str | None = None
    updated_input: Mapping[str, Any] | None = None
    context: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)  # stdout that is context as it stands
    message: str = ""
    stops: bool = False  # continue: false
    stop_reason: str | None = None
    others: dict[str, Any] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)
    refuses: bool = False  # a refusal, even where the event cannot be stopped

    def words(self) -> list[str]:
        """What counts, piece by piece."""
        said = [_with(self.decision, self.reason)] if self.decision else []
        said += ["rewrites the input"] if self.updated_input is not None else []
        said += [f"context: {text}" for text in (*self.plain, *self.context)]
        said += [f"system message: {self.message}"] if self.message else []
        said += [_with("ends the turn", self.stop_reason)] if self.stops else []
        return said + sorted(self.others)


def _with(word: str, reason: str | None) -> str:
    return f"{word}: {reason}" if reason else word


def hear(handler: Handler, raw: Raw) -> Heard:
    """Listen to a run that somebody waited for."""
    if raw.not_evaluated:
        return Heard(ignored=[f"not evaluated: {raw.not_evaluated}"])
    if handler.type in ("prompt", "agent"):
        return _model(handler, raw)
    failure = _failure(handler, raw)
    if failure is not None:
        return _failed(handler, Heard(), *failure)
    return _answered(handler, raw)


# --- runs without an answer
def _failure(handler: Handler, raw: Raw) -> tuple[str, str | None] | None:
    """How a run broke down before anything was said, and the details that the client tells."""
    if raw.timed_out:
        return "timed out", None
    if raw.problem:
        return "failed", None if handler.type == "command" else raw.problem
    if handler.type == "http":
        return _http_failure(handler, raw)
    if raw.is_error:
        return "failed", raw.stdout.decode("utf-8", "replace")
    return None


def _http_failure(handler: Handler, raw: Raw) -> tuple[str, str | None] | None:
    if raw.status is None or not 200 <= raw.status < 300:
        return "failed", f"HTTP {raw.status} from {handler.label}"
    body = raw.stdout.decode("utf-8", "replace").strip()
    if body and not body.startswith("{"):
        return "failed", f"HTTP hook must return JSON, but got non-JSON response body: {body}"
    if body:
        try:
            json.loads(body)
        except ValueError as error:
            return "failed", f"HTTP hook must return valid JSON, but parsing failed: {error}"
    return None


def _failed(handler: Handler, heard: Heard, how: str, details: str | None) -> Heard:
    """A failure stops what it can stop if the handler says so; else the client goes on without it."""
    if not _blocks(handler):
        what = f"it {how}" + (f" ({details.splitlines()[0][:200]})" if details else "")
        heard.ignored.append(f"{what}; Claude Code goes on without it")
        return heard
    words = f'[{handler.label}]: {how}; blocking because onFailure is "block"'
    if details is not None:
        words += f"\n{details}"
    if handler.event not in HEARS_EXIT_2:
        heard.ignored.append(f"it {how}, and nothing is stopped on {handler.event}, whatever onFailure says")
        heard.refuses = True
        return heard
    return Heard(
        refuses=True,
        decision=_stopping_word(handler.event),
        reason=words,
        stops=heard.stops,
        stop_reason=heard.stop_reason,
        ignored=[*heard.ignored, *_lost(heard)],
    )


def _lost(heard: Heard) -> list[str]:
    """What a failure that blocks takes away."""
    rest = Heard(heard.decision, heard.reason, heard.updated_input, heard.context, heard.plain, heard.message)
    return [f'its "{words}": it failed, and onFailure is "block"' for words in rest.words()]


def _blocks(handler: Handler) -> bool:
    return (
        handler.options.get("onFailure") == "block"
        and handler.type in ("command", "http")
        and handler.event not in NO_ON_FAILURE
        and not handler.options.get("async")
    )


def _stopping_word(event: str) -> str:
    return "deny" if "deny" in LEGAL[event] else "block"


# --- runs with an answer
def _answered(handler: Handler, raw: Raw) -> Heard:
    reading = output.read(handler.event, 0, raw.stdout)
    heard = _heard(handler, reading)
    code = raw.exit_code or 0
    stderr = raw.stderr.decode("utf-8", "replace") or NO_WORDS
    if code and not reading.is_json and heard.plain:
        heard.ignored.append(f"its text on stdout: it ended with {code}")
        heard.plain.clear()
    if code == 2:
        return _exit_2(handler, heard, stderr)
    if reading.is_json and reading.error:
        return _failed(handler, heard, "failed", schema.problem(handler.event, json.loads(_text(raw))))
    if code:
        return _exit_other(handler, heard, code, stderr)
    if handler.type == "mcp_tool" and handler.event in output.TEXT_IS_CONTEXT and not reading.is_json:
        # The text itself is lost; that the tool ran is told.
        heard.plain = [f"{handler.event} completed"]
    return heard


def _text(raw: Raw) -> str:
    return raw.stdout.decode("utf-8", "replace").removeprefix("\ufeff").strip()


def _heard(handler: Handler, reading: output.Reading) -> Heard:
    event = handler.event
    heard = Heard(
        decision=reading.decision,
        reason=_reason(handler, reading),
        updated_input=reading.updated_input,
        context=list(reading.context) if reading.is_json else [],
        plain=[] if reading.is_json else list(reading.context),
        message=reading.system_message,
        stops=not reading.goes_on,
        stop_reason=reading.stop_reason or None,
        others=dict(reading.others),
        ignored=[one.what for one in reading.ignored],
        refuses=not reading.goes_on and event != "PreToolUse",
    )
    if heard.stops and event in NO_STOP:
        heard.stops, heard.stop_reason = False, None
        heard.ignored.append(f'its "continue": false, which ends nothing on {event}')
    if heard.message and event in NO_MESSAGE:
        heard.ignored.append(f"its system message, which is shown to nobody on {event}: {heard.message}")
        heard.message = ""
    return heard


def _reason(handler: Handler, reading: output.Reading) -> str | None:
    """The reason as it is told; an allow's is told to nobody."""
    match reading.decision:
        case "deny" if handler.event == "PermissionRequest":
            return reading.reason or "Permission denied by hook"
        case "deny" | "block":
            reason = reading.reason or "Blocked by hook"
            return f"[{handler.label}]: {reason}" if handler.event in NAMES_THE_HANDLER else reason
        case "ask":
            return reading.reason or None
    return None


def _exit_2(handler: Handler, heard: Heard, stderr: str) -> Heard:
    """Stops what can be stopped, whatever stdout says; what it says beside that still counts."""
    event = handler.event
    heard.refuses = True
    if event not in HEARS_EXIT_2:
        heard.ignored.append(f"exit code 2 stops nothing on {event}")
        return heard
    if heard.decision not in ("deny", "block"):
        if heard.decision is not None:
            heard.ignored.append(f"its {heard.decision}: exit code 2 is stronger")
        heard.decision, heard.reason = _stopping_word(event), f"[{handler.label}]: {stderr}"
    if heard.updated_input is not None:
        heard.ignored.append("its rewrite: exit code 2 is stronger")
        heard.updated_input = None
    return heard


def _exit_other(handler: Handler, heard: Heard, code: int, stderr: str) -> Heard:
    """An error; JSON beside it counts, unless the handler's failures block."""
    if handler.event == "WorktreeCreate":
        return Heard(decision="block", reason=stderr, ignored=heard.ignored)
    if _blocks(handler) and heard.decision not in ("deny", "block"):
        return _failed(handler, heard, "failed", stderr)
    if not heard.words():
        first = stderr.strip().splitlines()[0][:200]
        said = "" if stderr == NO_WORDS else f" ({first})"
        heard.ignored.append(f"it ended with {code}{said}, which is an error and no block; Claude Code goes on")
    return heard


# --- models
def _model(handler: Handler, raw: Raw) -> Heard:
    """`{ok, reason}`: not ok refuses, and ends the turn unless the handler says otherwise."""
    answer = raw.answer
    if answer is None or not isinstance(answer.get("ok"), bool):
        why = "it timed out" if raw.timed_out else raw.problem or 'the model did not answer {"ok": …}'
        return Heard(ignored=[f"{why}; Claude Code goes on without it"])
    if answer["ok"]:
        return Heard()
    reason = str(answer.get("reason", "undefined"))
    event = handler.event
    if event in TURNS_END and answer.get("impossible"):
        return Heard(ignored=[f"not ok, but impossible to mend: {reason}"])
    if event not in HEARS_EXIT_2:
        return Heard(ignored=[f"not ok, which stops nothing on {event}: {reason}"])
    ends = handler.type == "prompt" and event not in MODEL_ENDS_NO_TURN and not handler.options.get("continueOnBlock")
    told = f"[{handler.label}]" if handler.type == "prompt" else "Agent hook condition was not met"
    return Heard(
        decision=_stopping_word(event),
        reason=f"{told}: {reason}",
        stops=ends,
        stop_reason=reason if ends else None,
    )


# --- runs that nobody waited for
def hear_later(handler: Handler, raw: Raw) -> tuple[list[str], list[str]]:
    """What reaches the model after the event is over, and what does not."""
    stderr = raw.stderr.decode("utf-8", "replace")
    if handler.options.get("asyncRewake") and raw.exit_code == 2:
        return [stderr], []
    answer = _first_object(_text(raw))
    specific = answer.get("hookSpecificOutput")
    context = specific.get("additionalContext") if isinstance(specific, dict) else None
    told = [text for text in (answer.get("systemMessage"), context) if isinstance(text, str) and text]
    ignored = [f'its "{key}": nobody waits for a handler in the background' for key in _deciding(answer, specific)]
    if raw.timed_out:
        ignored.append("it timed out; what it had said is lost")
        told = []
    if raw.exit_code == 2:
        ignored.append("exit code 2: nobody waits for a handler in the background")
    return told, ignored


def _deciding(answer: Mapping[str, Any], specific: Any) -> list[str]:
    keys = [key for key in ("decision", "continue") if key in answer]
    inner = ("permissionDecision", "decision", "updatedInput", "updatedToolOutput")
    return keys + [key for key in inner if isinstance(specific, dict) and key in specific]


def _first_object(text: str) -> Mapping[str, Any]:
    """All of it, or the first line that is an object and not the word `async`."""
    for part in (text, *text.splitlines()):
        try:
            value = json.loads(part)
        except ValueError:
            continue
        if isinstance(value, dict) and "async" not in value:
            return value
    return {}
