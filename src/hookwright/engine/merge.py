"""Merge the effects of all handlers of one event into what the client does.

HandlerEffect of each handler, in order of completion → [merge] → Outcome; the traces record what counted
Every rule was measured (tests/conformance). The tables say in which events a rule applies, one function per rule says
what it does (tests/engine/test_merge.py has a table per rule).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hookwright.engine import tool_schemas
from hookwright.engine.interpret import UNPROCESSED, HandlerEffect
from hookwright.engine.types import STOP_EVENTS, Handler, Outcome, Payload, Trace
from hookwright.protocol import client_versions
from hookwright.protocol.client_versions import Version

STRICTNESS = ("allow", "ask", "defer", "deny")  # the last one wins
PERMISSION_EVENTS = frozenset(("PreToolUse", "PreModelSwitch"))
FIRST_DECIDES = frozenset(("UserPromptSubmit", "UserPromptExpansion", "PermissionRequest"))
PROMPT_EVENTS = frozenset(("UserPromptSubmit", "UserPromptExpansion"))
JOINS_CONTEXT = frozenset(("PreToolUse", "SessionStart", "SubagentStart", "Setup"))
DEFAULT_STOP_REASONS = {
    "PreToolUse": "Execution stopped by hook",
    "PostToolUse": "Execution stopped by PostToolUse hook",
    "PostToolBatch": "Execution stopped by PostToolBatch hook",
    "Stop": "Stop hook prevented continuation",
    "SubagentStop": "Stop hook prevented continuation",
}
# A block's reason becomes a reminder.
REMINDS = frozenset(("Stop", "SubagentStop", "PostToolUse", "PostToolUseFailure", "TaskCreated"))
REMINDER_TAG = re.compile(r"</?system-reminder")
OUTPUT_KEYS = ("updatedToolOutput", "updatedMCPToolOutput", "displayContent")


@dataclass(slots=True)
class FinishedRun:
    """A handler whose result counts."""

    handler: Handler
    trace: Trace
    effect: HandlerEffect


def stops_listening(event: str, effect: HandlerEffect) -> bool:
    """Does the client ignore all later results? The other handlers continue, but nothing they return counts."""
    if event in PROMPT_EVENTS:
        return effect.stops or effect.decision == "block"
    if event == "PermissionRequest":
        return effect.decision is not None
    return event == "PostToolUse" and effect.stops


def merge(
    payload: Payload, runs: Sequence[FinishedRun], *, interactive: bool, client: Version | None = None
) -> Outcome:
    """What the client does. `runs` are in order of completion, up to the one after which it stopped listening."""
    event = payload["hook_event_name"]
    outcome = Outcome(event)
    if event == "PreToolUse":
        _drop_managed_rewrites(payload, runs)
        if not client_versions.has(client, client_versions.DENIAL_WORDS):
            _use_old_denials(payload, runs)
    _merge_stops(outcome, runs)
    if event in PERMISSION_EVENTS:
        first_ask = client_versions.has(client, client_versions.FIRST_ASK)
        _merge_permissions(outcome, runs, interactive=interactive, first_ask=first_ask)
        _merge_rewrites(outcome, payload, runs, client)
        _drop_managed_context(outcome, runs)
    elif event == "PermissionRequest":
        _merge_permission_request(outcome, runs)
    elif event == "PostToolBatch":
        _merge_batch_blocks(outcome, runs)
    else:
        _merge_blocks(outcome, runs)
    _name_denied_stop(outcome, payload, runs, client)
    _merge_texts(outcome, runs, joined=client_versions.has(client, client_versions.JOINED_CONTEXT))
    _escape_reminders(outcome)
    _merge_outputs(outcome, payload, runs)
    _decide_continuation(outcome, runs)
    for run in runs:
        run.trace.ignored += [text for text in run.effect.ignored if text not in run.trace.ignored]
    return outcome


def _note_ignored(run: FinishedRun, what: str, why: str) -> None:
    run.trace.ignored.append(f"{what}: {why}")


# --- continue: false
def _merge_stops(outcome: Outcome, runs: Sequence[FinishedRun]) -> None:
    stopping = [run for run in runs if run.effect.stops]
    if not stopping:
        return
    winner = stopping[-1] if outcome.event == "PreToolUse" else stopping[0]
    outcome.continue_ = False
    outcome.stop_reason = winner.effect.stop_reason or DEFAULT_STOP_REASONS.get(outcome.event)
    for run in stopping:
        if run is winner:
            run.trace.counted.append(f"ends the turn: {outcome.stop_reason or 'without a reason'}")
        else:
            place = "last" if outcome.event == "PreToolUse" else "first"
            _note_ignored(run, "its reason to end the turn", f"the {place} to end gives it")


def _use_old_denials(payload: Payload, runs: Sequence[FinishedRun]) -> None:
    """Older clients word a deny without a reason of its own otherwise, and do not look for one beside it."""
    for run in runs:
        if (run.effect.reason or "").endswith(UNPROCESSED):
            run.effect.decision, run.effect.reason = None, None
        elif run.effect.decision == "deny" and run.effect.borrowed:
            run.effect.reason = f"Hook PreToolUse:{payload.get('tool_name')} denied this tool"


def _name_denied_stop(outcome: Outcome, payload: Payload, runs: Sequence[FinishedRun], client: Version | None) -> None:
    """A denied call that ends the turn without a reason of its own ends it with the words of the denial."""
    given = any(run.effect.stop_reason for run in runs if run.effect.stops)
    if outcome.event == "PreToolUse" and outcome.decision == "deny" and not outcome.continue_ and not given:
        told_as_error = client_versions.has(client, client_versions.DENIAL_WORDS) or (outcome.reason or "")[:1] == "["
        prefix = f"PreToolUse:{payload.get('tool_name')} hook error: " if told_as_error else ""
        outcome.stop_reason = f"{prefix}{outcome.reason}"


# --- PreToolUse, PreModelSwitch: permissions
def _merge_permissions(
    outcome: Outcome, runs: Sequence[FinishedRun], *, interactive: bool, first_ask: bool = True
) -> None:
    """The strictest decision wins. The last deny gives the reason on PreToolUse; otherwise the first of equals does."""
    deciding = [run for run in runs if run.effect.decision is not None]
    if interactive:
        for run in deciding:
            if run.effect.decision == "defer":
                _note_ignored(run, "its defer", "the session is interactive")
        deciding = [run for run in deciding if run.effect.decision != "defer"]
    if not deciding:
        return
    strictest = max((_decision_of(run) for run in deciding), key=STRICTNESS.index)
    same = [run for run in deciding if _decision_of(run) == strictest]
    preferred = [run for run in same if run.handler.scope != "managed"] or same
    is_last = outcome.event == "PreToolUse" and (strictest == "deny" or (strictest == "ask" and not first_ask))
    winner = same[-1] if is_last else preferred[0]
    outcome.decision, outcome.reason = strictest, winner.effect.reason
    if outcome.event == "PreModelSwitch":
        _adjust_model_switch(outcome, interactive=interactive)
    _record_winner(outcome, winner, deciding, strictest)


def _decision_of(run: FinishedRun) -> str:
    return str(run.effect.decision)


def _adjust_model_switch(outcome: Outcome, *, interactive: bool) -> None:
    """Here allow has no effect, and ask denies where there is no user to ask."""
    if outcome.decision == "allow":
        outcome.decision = "none"
    elif outcome.decision == "ask" and not interactive:
        outcome.decision = "deny"


def _record_winner(outcome: Outcome, winner: FinishedRun, deciding: Sequence[FinishedRun], strictest: str) -> None:
    winner.trace.counted.append(f"{strictest}: {winner.effect.reason}" if winner.effect.reason else strictest)
    outcome.won = f"{strictest}, by {winner.handler.where}"
    for run in deciding:
        if run is winner:
            continue
        decision = _decision_of(run)
        if decision != strictest:
            _note_ignored(run, f"its {decision}", f"{strictest} is stronger ({winner.handler.where})")
        elif run.effect.reason != winner.effect.reason:
            run.trace.counted.append(decision)
            _note_ignored(run, f'its reason "{run.effect.reason}"', f"{winner.handler.where} gives it")
        else:
            run.trace.counted.append(decision)
    rivals = sum(1 for run in deciding if run is not winner)
    outcome.won += f", against {rivals} other{'s' if rivals > 1 else ''}" if rivals else ""


def _merge_rewrites(
    outcome: Outcome, payload: Payload, runs: Sequence[FinishedRun], client: Version | None = None
) -> None:
    """The last rewrite wins; one that the tool's schema rejects denies the call."""
    rewriting = [run for run in runs if run.effect.updated_input is not None]
    if not rewriting:
        return
    winner = rewriting[-1]
    for run in rewriting[:-1]:
        _note_ignored(run, "its rewrite", f"{winner.handler.where} ended later, and the last rewrite wins")
    if outcome.decision in ("deny", "defer"):
        _note_ignored(winner, "its rewrite", f"the call does not run ({outcome.decision})")
        return
    assert winner.effect.updated_input is not None
    coerces = client_versions.has(client, client_versions.COERCED_REWRITE)
    updated, refusal = tool_schemas.fit_input(
        str(payload.get("tool_name", "")), winner.effect.updated_input, coerces=coerces
    )
    if refusal is not None:
        outcome.decision, outcome.reason = "deny", refusal
        outcome.won = f"deny, since the rewrite by {winner.handler.where} does not fit the tool"
        _note_ignored(winner, "its rewrite", "it does not fit the tool's schema; the call is refused")
        return
    winner.trace.counted.append("rewrites the input")
    dropped = sorted(winner.effect.updated_input.keys() - updated.keys())
    if dropped:
        _note_ignored(winner, ", ".join(dropped), "the tool has no such key")
    if updated != payload.get("tool_input"):
        outcome.updated_input = updated


def _drop_managed_rewrites(payload: Payload, runs: Sequence[FinishedRun]) -> None:
    """A managed handler's rewrite that does not fit the tool is ignored, and its permission with it."""
    for run in runs:
        effect = run.effect
        if run.handler.scope != "managed" or effect.updated_input is None:
            continue
        if tool_schemas.fit_input(str(payload.get("tool_name", "")), effect.updated_input)[1] is None:
            continue
        _note_ignored(run, "its rewrite", "it does not fit the tool's schema; a managed handler's is ignored then")
        effect.updated_input = None
        if effect.decision in ("allow", "ask"):
            _note_ignored(run, f"its {effect.decision}", "its rewrite does not fit the tool's schema")
            effect.decision, effect.reason = None, None


def _drop_managed_context(outcome: Outcome, runs: Sequence[FinishedRun]) -> None:
    """If only managed handlers ran and they deny, their own context is lost as well."""
    if outcome.decision != "deny" or not all(run.handler.scope == "managed" for run in runs):
        return
    for run in runs:
        for text in run.effect.context:
            _note_ignored(run, f'its "{text}"', "a managed handler denied, and then context is lost")
        run.effect.context.clear()


# --- PermissionRequest: the first decision wins
def _merge_permission_request(outcome: Outcome, runs: Sequence[FinishedRun]) -> None:
    winner = next((run for run in runs if run.effect.decision is not None), None)
    if winner is None:
        return
    outcome.decision, outcome.reason = _decision_of(winner), winner.effect.reason
    if winner.effect.interrupts:
        outcome.continue_ = False
        winner.trace.counted.append("ends the turn")
    updated = winner.effect.updated_input
    if outcome.decision == "allow" and updated is not None:
        winner.trace.counted.append("rewrites the input")
        outcome.updated_input = updated
    _record_winner(outcome, winner, [winner], outcome.decision)


# --- PostToolBatch: a block ends the turn
def _merge_batch_blocks(outcome: Outcome, runs: Sequence[FinishedRun]) -> None:
    winner = next((run for run in runs if run.effect.decision == "block"), None)
    given = any(run.effect.stop_reason for run in runs if run.effect.stops)
    if winner is None or given:
        return
    outcome.continue_, outcome.stop_reason = False, winner.effect.reason
    winner.trace.counted.append(f"ends the turn: {winner.effect.reason}")
    outcome.won = f"the end of the turn, by {winner.handler.where}"


# --- other events: all reasons of blocks are joined
def _merge_blocks(outcome: Outcome, runs: Sequence[FinishedRun]) -> None:
    blocking = [run for run in runs if run.effect.decision in ("block", "deny")]
    if outcome.event == "SubagentStop" and not outcome.continue_:
        for run in blocking:
            _note_ignored(run, "its block", "the subagent has ended")
        return
    if outcome.event not in STOP_EVENTS:
        for run in blocking:
            if run.effect.stops:
                _note_ignored(run, "its block", 'its "continue": false is stronger')
        blocking = [run for run in blocking if not run.effect.stops]
    if not blocking:
        return
    between = f"\n{outcome.event} hook feedback:\n" if outcome.event == "TaskCreated" else "\n"
    outcome.decision = "block"
    reasons = [run.effect.reason or "" for run in blocking]
    outcome.reason = between.join(reasons).rstrip() if outcome.event == "TaskCreated" else between.join(reasons)
    for run in blocking:
        run.trace.counted.append(f"block: {run.effect.reason}")
    outcome.won = "block, by " + " and ".join(run.handler.where for run in blocking)


# --- context and system messages
def _merge_texts(outcome: Outcome, runs: Sequence[FinishedRun], *, joined: bool = True) -> None:
    joins = outcome.event in JOINS_CONTEXT and (joined or outcome.event != "PreToolUse")
    why_lost: Callable[[FinishedRun], str | None] = _not_lost
    if outcome.event == "SubagentStop" and not outcome.continue_:
        why_lost = _subagent_ended
    elif outcome.event in PROMPT_EVENTS and (outcome.decision == "block" or not outcome.continue_):
        why_lost = _prompt_dropped
    elif outcome.event == "PostToolUse":
        why_lost = _ended_turn
    parts: list[str] = []
    for run in runs:
        why = why_lost(run)
        texts = [*run.effect.plain, *run.effect.context]
        if why is not None:
            for text in [*texts, *([run.effect.message] if run.effect.message else [])]:
                _note_ignored(run, f'its "{text}"', why)
            continue
        run.trace.counted += [f"context: {text}" for text in texts]
        if joins:
            outcome.context += run.effect.plain
            parts += run.effect.context
        else:
            outcome.context += texts
        if run.effect.message:
            run.trace.counted.append(f"system message: {run.effect.message}")
            outcome.system_messages.append(run.effect.message)
    if parts:
        outcome.context.append("\n".join(parts))


def _escape_reminders(outcome: Outcome) -> None:
    """What becomes part of a reminder to the model may not close it."""
    outcome.context = [escape_tags(text) for text in outcome.context]
    if outcome.event in REMINDS and outcome.reason:
        outcome.reason = escape_tags(outcome.reason)


def escape_tags(text: str) -> str:
    return REMINDER_TAG.sub(lambda found: "&lt;" + found[0][1:], text)


def _not_lost(_end: FinishedRun) -> str | None:
    return None


def _prompt_dropped(_end: FinishedRun) -> str | None:
    return "the prompt does not reach the model"


def _subagent_ended(_end: FinishedRun) -> str | None:
    return "the subagent has ended"


def _ended_turn(run: FinishedRun) -> str | None:
    return 'its "continue": false is stronger' if run.effect.stops else None


# --- tool output and other keys
def _merge_outputs(outcome: Outcome, payload: Payload, runs: Sequence[FinishedRun]) -> None:
    tool = str(payload.get("tool_name", ""))
    for run in runs:
        for key, value in run.effect.others.items():
            if key not in OUTPUT_KEYS:
                outcome.others[key] = value
                run.trace.counted.append(key)
            elif run.effect.stops and outcome.event == "PostToolUse":
                _note_ignored(run, f"its {key}", 'its "continue": false is stronger')
            elif not _output_fits(key, tool, value, payload):
                _note_ignored(run, f"its {key}", f"it does not have the shape of what {tool} returns")
            else:
                outcome.updated_output = value
                run.trace.counted.append(key)


def _output_fits(key: str, tool: str, value: Any, payload: Payload) -> bool:
    if key == "updatedMCPToolOutput":
        return tool_schemas.is_mcp(tool)
    return key == "displayContent" or tool_schemas.output_fits(tool, value, payload.get("tool_response"))


def _decide_continuation(outcome: Outcome, runs: Sequence[FinishedRun]) -> None:
    """After Stop the model continues because of a block or of context, unless a handler ends the turn."""
    if outcome.event in STOP_EVENTS:
        outcome.goes_on = outcome.continue_ and (outcome.decision == "block" or bool(outcome.context))
    if outcome.event == "SubagentStop":  # `continue: false` ends the subagent only, not the turn
        outcome.continue_, outcome.stop_reason = True, None
    if outcome.event in FIRST_DECIDES and runs and stops_listening(outcome.event, runs[-1].effect):
        outcome.won += ", who was the first to decide" if outcome.won else ""
