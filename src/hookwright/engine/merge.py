"""All answers of one event become what the client does: precedence, who is heard last, what is joined.

Heard of each handler, in the order in which they ended → [merge] → Outcome; the traces learn what counted
Each event's policy was measured (tests/conformance); a table says what differs, a function what is common.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from hookwright.engine import tools
from hookwright.engine.judge import Heard
from hookwright.engine.types import Handler, Outcome, Payload, Trace

STRICTNESS = ("allow", "ask", "defer", "deny")
PERMISSIONS = frozenset(("PreToolUse", "PreModelSwitch"))
FIRST_DECIDES = frozenset(("UserPromptSubmit", "UserPromptExpansion", "PermissionRequest"))
PROMPTS = frozenset(("UserPromptSubmit", "UserPromptExpansion"))
ONE_NOTE = frozenset(("PreToolUse", "SessionStart", "SubagentStart", "Setup"))
TURNS_END = frozenset(("Stop", "SubagentStop"))
STOP_REASONS = {
    "PreToolUse": "Execution stopped by hook",
    "PostToolUse": "Execution stopped by PostToolUse hook",
    "PostToolBatch": "Execution stopped by PostToolBatch hook",
    "Stop": "Stop hook prevented continuation",
    "SubagentStop": "Stop hook prevented continuation",
}
OUTPUT_KEYS = ("updatedToolOutput", "updatedMCPToolOutput", "displayContent")


@dataclass(slots=True)
class End:
    """A handler that was heard."""

    handler: Handler
    trace: Trace
    heard: Heard


def is_over(event: str, heard: Heard) -> bool:
    """Does the client stop listening here? The others run on, and nobody hears them."""
    if event in PROMPTS:
        return heard.stops or heard.decision == "block"
    if event == "PermissionRequest":
        return heard.decision is not None
    return event == "PostToolUse" and heard.stops


def merge(payload: Payload, ends: Sequence[End], *, interactive: bool) -> Outcome:
    """What the client does. `ends` are in the order in which they ended, up to the one that ended the listening."""
    event = payload["hook_event_name"]
    outcome = Outcome(event)
    _stop(outcome, ends)
    if event in PERMISSIONS:
        _permission(outcome, ends, interactive=interactive)
        _rewrite(outcome, payload, ends)
        _lose_notes(outcome, ends)
    elif event == "PermissionRequest":
        _request(outcome, ends)
    elif event == "PostToolBatch":
        _batch(outcome, ends)
    else:
        _blocks(outcome, ends)
    _texts(outcome, ends)
    _outputs(outcome, payload, ends)
    _after(outcome, ends)
    for end in ends:
        end.trace.ignored += [words for words in end.heard.ignored if words not in end.trace.ignored]
    return outcome


def _ignore(end: End, what: str, why: str) -> None:
    end.trace.ignored.append(f"{what}: {why}")


# --- continue: false
def _stop(outcome: Outcome, ends: Sequence[End]) -> None:
    stopping = [end for end in ends if end.heard.stops]
    if not stopping:
        return
    winner = stopping[-1] if outcome.event == "PreToolUse" else stopping[0]
    outcome.continue_ = False
    outcome.stop_reason = winner.heard.stop_reason or STOP_REASONS.get(outcome.event)
    for end in stopping:
        if end is winner:
            end.trace.counted.append(f"ends the turn: {outcome.stop_reason or 'without a reason'}")
        else:
            place = "last" if outcome.event == "PreToolUse" else "first"
            _ignore(end, "its reason to end the turn", f"the {place} to end gives it")


# --- before a tool, before another model
def _permission(outcome: Outcome, ends: Sequence[End], *, interactive: bool) -> None:
    """The strictest wins. Of two denies the last gives the reason (before a tool), of two asks the first."""
    voices = [end for end in ends if end.heard.decision is not None]
    if interactive:
        for end in voices:
            if end.heard.decision == "defer":
                _ignore(end, "its defer", "somebody is there to be asked")
        voices = [end for end in voices if end.heard.decision != "defer"]
    if not voices:
        return
    strictest = max((_word(end) for end in voices), key=STRICTNESS.index)
    same = [end for end in voices if _word(end) == strictest]
    asked_last = [end for end in same if end.handler.scope != "managed"] or same
    winner = same[-1] if strictest == "deny" and outcome.event == "PreToolUse" else asked_last[0]
    outcome.decision, outcome.reason = strictest, winner.heard.reason
    if outcome.event == "PreModelSwitch":
        _switch(outcome, interactive=interactive)
    _crown(outcome, winner, voices, strictest)


def _word(end: End) -> str:
    return str(end.heard.decision)


def _switch(outcome: Outcome, *, interactive: bool) -> None:
    """An allow changes nothing there, and where nobody can be asked, ask refuses."""
    if outcome.decision == "allow":
        outcome.decision = "none"
    elif outcome.decision == "ask" and not interactive:
        outcome.decision = "deny"


def _crown(outcome: Outcome, winner: End, voices: Sequence[End], strictest: str) -> None:
    winner.trace.counted.append(f"{strictest}: {winner.heard.reason}" if winner.heard.reason else strictest)
    outcome.won = f"{strictest}, by {winner.handler.where}"
    for end in voices:
        if end is winner:
            continue
        word = _word(end)
        if word != strictest:
            _ignore(end, f"its {word}", f"{strictest} is stronger ({winner.handler.where})")
        elif end.heard.reason != winner.heard.reason:
            end.trace.counted.append(word)
            _ignore(end, f'its reason "{end.heard.reason}"', f"{winner.handler.where} gives it")
        else:
            end.trace.counted.append(word)
    rivals = sum(1 for end in voices if end is not winner)
    outcome.won += f", against {rivals} other{'s' if rivals > 1 else ''}" if rivals else ""


def _rewrite(outcome: Outcome, payload: Payload, ends: Sequence[End]) -> None:
    """The last to end rewrites, and what the tool's schema refuses is denied."""
    rewriting = [end for end in ends if end.heard.updated_input is not None]
    if not rewriting:
        return
    winner = rewriting[-1]
    for end in rewriting[:-1]:
        _ignore(end, "its rewrite", f"{winner.handler.where} ended later, and the last rewrite wins")
    if outcome.decision in ("deny", "defer"):
        _ignore(winner, "its rewrite", f"the call does not run ({outcome.decision})")
        return
    assert winner.heard.updated_input is not None
    updated, refusal = tools.fitted(str(payload.get("tool_name", "")), winner.heard.updated_input)
    if refusal is not None:
        outcome.decision, outcome.reason = "deny", refusal
        outcome.won = f"deny, since the rewrite by {winner.handler.where} does not fit the tool"
        _ignore(winner, "its rewrite", "it does not fit the tool's schema; the call is refused")
        return
    winner.trace.counted.append("rewrites the input")
    dropped = sorted(winner.heard.updated_input.keys() - updated.keys())
    if dropped:
        _ignore(winner, ", ".join(dropped), "the tool has no such key")
    if updated != payload.get("tool_input"):
        outcome.updated_input = updated


def _lose_notes(outcome: Outcome, ends: Sequence[End]) -> None:
    """Where managed handlers refuse for all, their own notes are lost as well."""
    if outcome.decision != "deny" or not all(end.handler.scope == "managed" for end in ends):
        return
    for end in ends:
        for text in end.heard.context:
            _ignore(end, f'its "{text}"', "a managed handler refused, and then notes are lost")
        end.heard.context.clear()


# --- permission requests: the first answer
def _request(outcome: Outcome, ends: Sequence[End]) -> None:
    winner = next((end for end in ends if end.heard.decision is not None), None)
    if winner is None:
        return
    outcome.decision, outcome.reason = _word(winner), winner.heard.reason
    updated = winner.heard.updated_input
    if outcome.decision == "allow" and updated is not None:
        winner.trace.counted.append("rewrites the input")
        outcome.updated_input = updated
    _crown(outcome, winner, [winner], outcome.decision)


# --- after a batch: a block is the end of the turn
def _batch(outcome: Outcome, ends: Sequence[End]) -> None:
    winner = next((end for end in ends if end.heard.decision == "block"), None)
    given = any(end.heard.stop_reason for end in ends if end.heard.stops)
    if winner is None or given:
        return
    outcome.continue_, outcome.stop_reason = False, winner.heard.reason
    winner.trace.counted.append(f"ends the turn: {winner.heard.reason}")
    outcome.won = f"the end of the turn, by {winner.handler.where}"


# --- blocks: all reasons are told
def _blocks(outcome: Outcome, ends: Sequence[End]) -> None:
    blocking = [end for end in ends if end.heard.decision in ("block", "deny")]
    if outcome.event == "SubagentStop" and not outcome.continue_:
        for end in blocking:
            _ignore(end, "its block", "the subagent has ended")
        return
    if outcome.event not in TURNS_END:
        for end in blocking:
            if end.heard.stops:
                _ignore(end, "its block", 'its "continue": false is stronger')
        blocking = [end for end in blocking if not end.heard.stops]
    if not blocking:
        return
    between = f"\n{outcome.event} hook feedback:\n" if outcome.event == "TaskCreated" else "\n"
    outcome.decision = "block"
    outcome.reason = between.join(end.heard.reason or "" for end in blocking)
    for end in blocking:
        end.trace.counted.append(f"block: {end.heard.reason}")
    outcome.won = "block, by " + " and ".join(end.handler.where for end in blocking)


# --- texts
def _texts(outcome: Outcome, ends: Sequence[End]) -> None:
    silenced: Callable[[End], str | None] = _never
    if outcome.event == "SubagentStop" and not outcome.continue_:
        silenced = _subagent_is_gone
    elif outcome.event in PROMPTS and (outcome.decision == "block" or not outcome.continue_):
        silenced = _prompt_is_gone
    elif outcome.event == "PostToolUse":
        silenced = _ended_by_itself
    notes: list[str] = []
    for end in ends:
        why = silenced(end)
        texts = [*end.heard.plain, *end.heard.context]
        if why is not None:
            for text in [*texts, *([end.heard.message] if end.heard.message else [])]:
                _ignore(end, f'its "{text}"', why)
            continue
        end.trace.counted += [f"context: {text}" for text in texts]
        if outcome.event in ONE_NOTE:
            outcome.context += end.heard.plain
            notes += end.heard.context
        else:
            outcome.context += texts
        if end.heard.message:
            end.trace.counted.append(f"system message: {end.heard.message}")
            outcome.system_messages.append(end.heard.message)
    if notes:
        outcome.context.append("\n".join(notes))


def _never(_end: End) -> str | None:
    return None


def _prompt_is_gone(_end: End) -> str | None:
    return "the prompt does not reach the model"


def _subagent_is_gone(_end: End) -> str | None:
    return "the subagent has ended"


def _ended_by_itself(end: End) -> str | None:
    return 'its "continue": false is stronger' if end.heard.stops else None


# --- what is shown, and the rest
def _outputs(outcome: Outcome, payload: Payload, ends: Sequence[End]) -> None:
    tool = str(payload.get("tool_name", ""))
    for end in ends:
        for key, value in end.heard.others.items():
            if key not in OUTPUT_KEYS:
                outcome.others[key] = value
                end.trace.counted.append(key)
            elif end.heard.stops and outcome.event == "PostToolUse":
                _ignore(end, f"its {key}", 'its "continue": false is stronger')
            elif not _output_fits(key, tool, value, payload):
                _ignore(end, f"its {key}", f"it does not have the shape of what {tool} returns")
            else:
                outcome.updated_output = value
                end.trace.counted.append(key)


def _output_fits(key: str, tool: str, value: Any, payload: Payload) -> bool:
    if key == "updatedMCPToolOutput":
        return tools.is_mcp(tool)
    return key == "displayContent" or tools.output_fits(tool, value, payload.get("tool_response"))


def _after(outcome: Outcome, ends: Sequence[End]) -> None:
    """A block or a note makes the model go on, unless somebody ends the turn."""
    if outcome.event in TURNS_END:
        outcome.goes_on = outcome.continue_ and (outcome.decision == "block" or bool(outcome.context))
    if outcome.event == "SubagentStop":  # only the subagent ends; the turn goes on
        outcome.continue_, outcome.stop_reason = True, None
    if outcome.event in FIRST_DECIDES and ends and is_over(outcome.event, ends[-1].heard):
        outcome.won += ", who was the first to decide" if outcome.won else ""
