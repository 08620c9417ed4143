"""Interpret the result of one run: what the client takes from it, and what it silently ignores.

RawResult → [interpret_result] → HandlerEffect → merge
Looks at one handler only. protocol/hook_output.py parses stdout; exit codes, failures, `onFailure`, verdicts of models
and results of MCP tools are interpreted here. Reasons are worded as the client words them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hookwright.engine import schema
from hookwright.engine.types import STOP_EVENTS, Handler, RawResult
from hookwright.protocol import hook_output
from hookwright.protocol.capabilities import LEGAL
from hookwright.protocol.json_error import describe_json_error

REACTS_TO_EXIT_2 = hook_output.STOPPED_BY_2 | hook_output.TOLD_BY_2
BLOCKS_ON_FAILURE = REACTS_TO_EXIT_2 | {"PermissionRequest"}
NO_ON_FAILURE = frozenset(("Stop", "SubagentStop", "TaskCompleted", "TeammateIdle"))
NAMES_THE_HANDLER = frozenset(("PreCompact",))  # even in front of a reason from JSON
# Documented, but measured to be without effect.
NO_STOP = frozenset(("PostToolUseFailure", "PermissionRequest", "PreModelSwitch", "SubagentStart"))
NO_MESSAGE = frozenset(("SessionStart", "SubagentStart", "SubagentStop", "TaskCreated", "PermissionRequest"))
MODEL_ENDS_NO_TURN = STOP_EVENTS | NO_STOP | {"TaskCreated"}
NO_CONTEXT = frozenset(("Notification",))  # documented, and seen by nobody
NO_STDERR = "No stderr output"
UNPROCESSED = "blocked (exit 2); its output could not be processed"


@dataclass(slots=True)
class HandlerEffect:
    """What the client takes from one run."""

    decision: str | None = None  # deny, defer, ask, allow, block
    reason: str | None = None
    updated_input: Mapping[str, Any] | None = None
    context: list[str] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)  # plain stdout that the client takes as context
    message: str = ""
    stops: bool = False  # continue: false
    stop_reason: str | None = None
    others: dict[str, Any] = field(default_factory=dict)
    ignored: list[str] = field(default_factory=list)
    borrowed: bool = False  # its reason is not that of its own decision
    interrupts: bool = False  # a denied permission that ends the turn
    refuses: bool = False  # it is a refusal, even if the event cannot be stopped

    def list_effects(self) -> list[str]:
        """Describe each effect in a few words."""
        effects = [_join_reason(self.decision, self.reason)] if self.decision else []
        effects += ["rewrites the input"] if self.updated_input is not None else []
        effects += [f"context: {text}" for text in (*self.plain, *self.context)]
        effects += [f"system message: {self.message}"] if self.message else []
        effects += [_join_reason("ends the turn", self.stop_reason)] if self.stops else []
        return effects + sorted(self.others)


def _join_reason(word: str, reason: str | None) -> str:
    return f"{word}: {reason}" if reason else word


def interpret_result(handler: Handler, raw: RawResult) -> HandlerEffect:
    """Interpret a run that the event waited for."""
    if raw.not_evaluated:
        return HandlerEffect(ignored=[f"not evaluated: {raw.not_evaluated}"])
    if handler.type in ("prompt", "agent"):
        return _interpret_verdict(handler, raw)
    failure = _find_failure(handler, raw)
    if failure is not None:
        return _apply_failure(handler, HandlerEffect(), *failure)
    return _interpret_output(handler, raw)


# --- failures
def _find_failure(handler: Handler, raw: RawResult) -> tuple[str, str | None] | None:
    """How a run failed before it produced output, and the details that the client reports."""
    if raw.timed_out:
        return "timed out", None
    if raw.problem:
        return "failed", None if handler.type == "command" else raw.problem
    if handler.type == "http":
        return _find_http_failure(handler, raw)
    if raw.is_error:
        return "failed", raw.stdout.decode("utf-8", "replace")
    return None


def _find_http_failure(handler: Handler, raw: RawResult) -> tuple[str, str | None] | None:
    if raw.status is None or not 200 <= raw.status < 300:
        return "failed", f"HTTP {raw.status} from {handler.label}"
    body = raw.stdout.decode("utf-8", "replace").strip()
    if body and not body.startswith("{"):
        return "failed", f"HTTP hook must return JSON, but got non-JSON response body: {body}"
    if body:
        try:
            json.loads(body)
        except ValueError as error:
            words = describe_json_error(body) or error
            return "failed", f"HTTP hook must return valid JSON, but parsing failed: {words}"
    return None


def _apply_failure(handler: Handler, effect: HandlerEffect, how: str, details: str | None) -> HandlerEffect:
    """With `onFailure: block` a failure blocks what the event can block; otherwise the client continues without it."""
    if not _blocks_on_failure(handler):
        what = f"it {how}" + (f" ({details.splitlines()[0][:200]})" if details else "")
        effect.ignored.append(f"{what}; Claude Code continues without it")
        return effect
    reason = f'[{handler.label}]: {how}; blocking because onFailure is "block"'
    if details is not None:
        reason += f"\n{details}"
    if handler.event not in BLOCKS_ON_FAILURE:
        why = f"it {how}, and nothing is stopped on {handler.event}, whatever onFailure says"
        return HandlerEffect(refuses=True, ignored=[*effect.ignored, why, *_list_lost_effects(effect)])
    return HandlerEffect(
        refuses=True,
        decision=_stop_decision(handler.event),
        reason=reason,
        stops=effect.stops,
        stop_reason=effect.stop_reason,
        ignored=[*effect.ignored, *_list_lost_effects(effect)],
    )


def _list_lost_effects(effect: HandlerEffect) -> list[str]:
    """The effects that are lost because a failure blocks."""
    rest = HandlerEffect(
        effect.decision, effect.reason, effect.updated_input, effect.context, effect.plain, effect.message
    )
    return [f'its "{effect_text}": it failed, and onFailure is "block"' for effect_text in rest.list_effects()]


def _blocks_on_failure(handler: Handler) -> bool:
    return (
        handler.options.get("onFailure") == "block"
        and handler.type in ("command", "http")
        and handler.event not in NO_ON_FAILURE
        and not handler.options.get("async")
    )


def _stop_decision(event: str) -> str:
    return "deny" if "deny" in LEGAL[event] else "block"


# --- output
def _interpret_output(handler: Handler, raw: RawResult) -> HandlerEffect:
    reading = hook_output.read_output(handler.event, 0, raw.stdout)
    effect = _effect_from_output(handler, reading)
    code = raw.exit_code or 0
    if reading.is_async:
        if code:
            effect.ignored.append(f"exit code {code}: it announced that it continues in the background")
        return effect
    stderr = raw.stderr.decode("utf-8", "replace") or NO_STDERR
    if code and not reading.is_json and effect.plain:
        effect.ignored.append(f"its text on stdout: it exited with {code}")
        effect.plain.clear()
    if code == 2:
        return _apply_exit_2(handler, effect, stderr, reading)
    if reading.is_json and reading.error:
        problem = reading.broken or schema.find_problem(handler.event, json.loads(_decode_stdout(raw)))
        if reading.broken and code and raw.stderr.strip():
            problem = f"{problem}\n\nHook exited {code} with stderr:\n{stderr}"
        return _apply_failure(handler, effect, "failed", problem)
    if code:
        return _apply_other_exit(handler, effect, code, stderr)
    if handler.type == "mcp_tool" and handler.event in hook_output.TEXT_IS_CONTEXT and not reading.is_json:
        # The client drops the text and only reports that the tool ran.
        effect.plain = [f"{handler.event} completed"]
    return effect


def _decode_stdout(raw: RawResult) -> str:
    return raw.stdout.decode("utf-8", "replace").removeprefix("\ufeff").strip()


def _effect_from_output(handler: Handler, reading: hook_output.ParsedOutput) -> HandlerEffect:
    event = handler.event
    effect = HandlerEffect(
        decision=reading.decision,
        reason=_format_reason(handler, reading),
        updated_input=reading.updated_input,
        context=list(reading.context) if reading.is_json else [],
        plain=[] if reading.is_json else list(reading.context),
        message=reading.system_message,
        stops=not reading.goes_on,
        stop_reason=reading.stop_reason or None,
        others=dict(reading.others),
        ignored=[one.what for one in reading.ignored],
        borrowed=reading.borrowed,
        interrupts=reading.interrupts,
        refuses=(not reading.goes_on and event != "PreToolUse") or reading.says_block,
    )
    if effect.stops and event in NO_STOP:
        effect.stops, effect.stop_reason = False, None
        effect.ignored.append(f'its "continue": false, which ends nothing on {event}')
    if event in NO_CONTEXT:
        effect.ignored += [f"its context, which reaches nobody on {event}: {text}" for text in effect.context]
        effect.context.clear()
    if effect.message and event in NO_MESSAGE:
        effect.ignored.append(f"its system message, which is not shown on {event}: {effect.message}")
        effect.message = ""
    return effect


def _format_reason(handler: Handler, reading: hook_output.ParsedOutput) -> str | None:
    """The reason as the client words it; the reason of an allow is not shown."""
    match reading.decision:
        case "deny" if handler.event == "PermissionRequest":
            return reading.reason or "Permission denied by hook"
        case "deny" | "block" if handler.event in NAMES_THE_HANDLER:
            return f"[{handler.label}]: {reading.reason}" if reading.reason else f"[{handler.label}]"
        case "deny" | "block":
            return reading.reason or "Blocked by hook"
        case "ask":
            return reading.reason or None
    return None


def _apply_exit_2(
    handler: Handler, effect: HandlerEffect, stderr: str, reading: hook_output.ParsedOutput
) -> HandlerEffect:
    """Block what can be blocked, whatever stdout says; its other output still counts."""
    event = handler.event
    if reading.misnamed and event != "PreToolUse":
        effect.ignored.append("exit code 2: its output names another event, and then nothing is stopped")
        return effect
    effect.refuses = True
    if event not in REACTS_TO_EXIT_2:
        effect.ignored.append(f"exit code 2 stops nothing on {event}")
        return effect
    if effect.decision not in ("deny", "block"):
        if effect.decision is not None:
            effect.ignored.append(f"its {effect.decision}: exit code 2 is stronger")
        words = UNPROCESSED if reading.misnamed else stderr
        silent = event in NAMES_THE_HANDLER and (stderr == NO_STDERR or not stderr.strip())
        effect.decision = _stop_decision(event)
        effect.reason = f"[{handler.label}]" if silent else f"[{handler.label}]: {words}"
    if effect.updated_input is not None:
        effect.ignored.append("its rewrite: exit code 2 is stronger")
        effect.updated_input = None
    return effect


def _apply_other_exit(handler: Handler, effect: HandlerEffect, code: int, stderr: str) -> HandlerEffect:
    """An error; JSON on stdout still counts, unless the handler blocks on failure."""
    if handler.event == "WorktreeCreate":
        return HandlerEffect(decision="block", reason=stderr, ignored=effect.ignored)
    if _blocks_on_failure(handler) and effect.decision not in ("deny", "block"):
        return _apply_failure(handler, effect, "failed", stderr if stderr.strip() else NO_STDERR)
    if not effect.list_effects():
        first = stderr.strip().partition("\n")[0][:200]
        detail = "" if stderr == NO_STDERR or not first else f" ({first})"
        effect.ignored.append(f"it exited with {code}{detail}, which is an error and no block; Claude Code continues")
    return effect


# --- verdicts of models
def _interpret_verdict(handler: Handler, raw: RawResult) -> HandlerEffect:
    """`{ok, reason}`: not ok blocks, and ends the turn unless `continueOnBlock` is set."""
    answer = raw.answer
    if answer is None or not isinstance(answer.get("ok"), bool):
        why = "it timed out" if raw.timed_out else raw.problem or 'the model did not answer {"ok": …}'
        return HandlerEffect(ignored=[f"{why}; Claude Code continues without it"])
    if answer["ok"]:
        return HandlerEffect()
    reason = str(answer.get("reason", "undefined"))
    event = handler.event
    if event in STOP_EVENTS and answer.get("impossible"):
        return HandlerEffect(ignored=[f"not ok, but impossible to fix: {reason}"])
    if event not in REACTS_TO_EXIT_2:
        return HandlerEffect(ignored=[f"not ok, which stops nothing on {event}: {reason}"])
    ends = handler.type == "prompt" and event not in MODEL_ENDS_NO_TURN and not handler.options.get("continueOnBlock")
    prefix = f"[{handler.label}]" if handler.type == "prompt" else "Agent hook condition was not met"
    return HandlerEffect(
        decision=_stop_decision(event),
        reason=f"{prefix}: {reason}",
        stops=ends,
        stop_reason=reason if ends else None,
    )


# --- background runs
def interpret_late_result(handler: Handler, raw: RawResult) -> tuple[list[str], list[str]]:
    """What reaches the model after the event, and what is ignored."""
    stderr = raw.stderr.decode("utf-8", "replace")
    if handler.options.get("asyncRewake") and raw.exit_code == 2:
        return [stderr], []
    answer = _first_object(_decode_stdout(raw))
    specific = answer.get("hookSpecificOutput")
    context = specific.get("additionalContext") if isinstance(specific, dict) else None
    texts = [text for text in (answer.get("systemMessage"), context) if isinstance(text, str) and text]
    ignored = [f'its "{key}": a background handler cannot decide' for key in _list_deciding_keys(answer, specific)]
    if raw.timed_out:
        ignored.append("it timed out; its output is lost")
        texts = []
    if raw.exit_code == 2:
        ignored.append("exit code 2: a background handler cannot decide")
    return texts, ignored


def _list_deciding_keys(answer: Mapping[str, Any], specific: Any) -> list[str]:
    keys = [key for key in ("decision", "continue") if key in answer]
    inner = ("permissionDecision", "decision", "updatedInput", "updatedToolOutput")
    return keys + [key for key in inner if isinstance(specific, dict) and key in specific]


def _first_object(text: str) -> Mapping[str, Any]:
    """The whole text as a JSON object, or the first line that is one and does not announce `async`."""
    for part in (text, *text.splitlines()):
        try:
            value = json.loads(part)
        except ValueError:
            continue
        if isinstance(value, dict) and "async" not in value:
            return value
    return {}
