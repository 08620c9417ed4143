"""How `hookwright run` shows an outcome: what Claude Code would do, then each handler's part in it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection, Iterator, Sequence

from hookwright.cli.output import FAILED, NOTE, OK, WARNING, Styled, bold, dim, print_line, screen_width
from hookwright.cli.text import escape_line, shorten_home, shorten_home_paths
from hookwright.engine import Outcome, Trace
from hookwright.engine.types import Payload

MAX_TEXT = 2000  # characters of what a hook printed
MAX_REPEATED = 40  # characters; a longer text of the outcome is not repeated at its handler
DECIDED = {
    "deny": (FAILED, "denied"),
    "defer": (WARNING, "deferred: a headless run ends here, an interactive session continues"),
    "ask": (Styled("?", "yellow"), "Claude Code asks you"),
    "allow": (OK, "allowed without asking"),
    "none": (OK, "no hook decides: Claude Code continues as without hooks"),
}
NOT_EVALUATED = "not evaluated"  # how the engine begins the reason of a handler that it could not run
BLOCKED = {
    "Stop": "Claude may not stop and continues",
    "SubagentStop": "the subagent may not stop and continues",
    "UserPromptSubmit": "the prompt is blocked and erased",
    "UserPromptExpansion": "the command is not expanded",
    "PostToolUse": "the tool has run; Claude is told that a hook objects",
    "PostToolUseFailure": "the tool has failed; Claude is told what the hook says",
    "PostToolBatch": "the turn ends before the next model call",
    "PreCompact": "the conversation is not compacted",
    "ConfigChange": "the change is not applied",
    "TaskCreated": "the task is not created",
    "TaskCompleted": "the task stays open",
}
DETAIL = " " * 11  # below a handler's line number


def show_outcome(
    outcome: Outcome, payload: Payload, name_of: Callable[[Trace], str], notes: Sequence[str] = ()
) -> None:
    print_line(bold(format_title(payload)))
    print_line()
    _show_decision(outcome)
    _show_effects(outcome)
    for note in notes:
        print_line(WARNING, f" {note}")
    files: dict[tuple[str, str], list[Trace]] = {}  # in the home directory one file has the scopes user and project
    for trace in outcome.handlers:
        files.setdefault((trace.file, trace.scope), []).append(trace)
    for (path, scope), traces in files.items():
        print_line()
        print_line(bold(shorten_home(path)), dim(f" {scope}"))
        for trace in traces:
            _show_trace(trace, name_of(trace), (outcome.reason or "", *outcome.context, *outcome.system_messages))


def format_title(payload: Payload) -> str:
    """The event, its tool, and what it is about."""
    words = [str(payload["hook_event_name"])]
    if "tool_name" in payload:
        given = payload.get("tool_input")
        words.append(str(payload["tool_name"]))
        if isinstance(given, dict) and given:
            subject = given.get("command") or given.get("file_path") or json.dumps(given, ensure_ascii=False)
            words.append(escape_line(subject, 200))
    elif "prompt" in payload:
        words.append(escape_line(payload["prompt"], 200))
    return "  ".join(words)


# --- what Claude Code does
def _show_decision(outcome: Outcome) -> None:
    mark, words = DECIDED.get(outcome.decision, (FAILED, BLOCKED.get(outcome.event, "blocked")))
    has_updates = outcome.updated_input is not None or outcome.updated_output is not None
    is_quiet = outcome.decision == "none" and (not outcome.continue_ or outcome.goes_on or has_updates)
    if not is_quiet:
        print_line(mark, " ", bold(words), f": {outcome.reason}" if outcome.reason else "")
    if outcome.goes_on and outcome.decision == "none":
        print_line(WARNING, " ", bold(BLOCKED[outcome.event]))
    if not outcome.continue_:
        print_line(WARNING, " ", bold("the turn ends"), f": {outcome.stop_reason}" if outcome.stop_reason else "")
    if outcome.won:
        print_line(dim(f"  {shorten_home_paths(outcome.won)}"))


def _show_effects(outcome: Outcome) -> None:
    if outcome.updated_input is not None:
        _show_text("the input becomes", json.dumps(outcome.updated_input, ensure_ascii=False))
    if outcome.updated_output is not None:
        _show_text("the output becomes", json.dumps(outcome.updated_output, ensure_ascii=False))
    for text in outcome.context:
        _show_text("Claude reads", text)
    for text in outcome.system_messages:
        _show_text("you are told", text)
    for text in outcome.later:
        _show_text("Claude reads later", text)
    for key, value in outcome.others.items():
        _show_text(key, json.dumps(value, ensure_ascii=False))


def _show_text(label: str, text: str) -> None:
    for number, line in enumerate(text[:MAX_TEXT].splitlines() or [""]):
        print_line(f"  {'' if number else label:20} {line}", hang=23)
    if len(text) > MAX_TEXT:
        print_line(dim(f"  {'':20} … {len(text) - MAX_TEXT} more characters"))


# --- what each handler had to do with it
def is_unevaluated(trace: Trace) -> bool:
    """True for a handler that matched but could not be run here."""
    return (trace.why_not or "").startswith(NOT_EVALUATED)


def _show_trace(trace: Trace, name: str, shown: Collection[str]) -> None:
    """One handler: its run, then what it printed, what counts, what is ignored. `shown`: texts of the outcome above."""
    at = f"{trace.line if trace.line is not None else '-':>5}"
    matcher = escape_line(trace.matcher or "*", 24)
    runs = escape_line(f"{trace.type} {name}", max(30, screen_width() - 64) if sys.stdout.isatty() else 160)
    handler = f" {at}  {matcher:12} {runs}"
    if not trace.ran:
        print_line("  ", NOTE, handler)
        why = shorten_home_paths(trace.why_not or "no reason was given")
        print_line(dim(f"{DETAIL}{why if is_unevaluated(trace) else f'not run: {why}'}"), hang=len(DETAIL))
    else:
        mark = OK if trace.counted else WARNING if trace.ignored or trace.timed_out else dim("✓")
        print_line("  ", mark, f"{handler}  ", dim(", ".join(_format_run(trace))))
        _show_detail("said", escape_line(trace.said, 300))
    for words in trace.counted:
        kind, _, text = words.partition(": ")
        is_repeated = text in shown and len(text) > MAX_REPEATED
        _show_detail("counts", f"{kind}: the text above" if is_repeated else words, "green")
    for words in trace.ignored:
        if words != trace.why_not:
            _show_detail("ignored", shorten_home_paths(words), "yellow")


def _format_run(trace: Trace) -> Iterator[str]:
    if trace.ms is not None:
        yield f"{trace.ms:.0f} ms"
    if trace.exit_code is not None:
        yield f"{'status' if trace.type == 'http' else 'exit'} {trace.exit_code}"
    if trace.timed_out:
        yield "timed out"
    if trace.background:
        yield "in the background"


def _show_detail(label: str, text: str, colour: str = "dim") -> None:
    if text:
        print_line(DETAIL, Styled(f"{label:8}", colour), f" {escape_line(text, 400)}", hang=len(DETAIL) + 9)
