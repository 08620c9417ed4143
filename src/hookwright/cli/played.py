"""How `hookwright run` shows an outcome: what Claude Code does, then each handler's part in it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence

from hookwright.cli.output import console
from hookwright.cli.past import plain
from hookwright.cli.proving import escaped
from hookwright.cli.registered import tilde
from hookwright.engine import Outcome, Trace
from hookwright.engine.types import Payload

TEXT = 2000  # characters of what a hook said
DECIDED = {
    "deny": ("[red]✗[/]", "denied"),
    "defer": ("[yellow]![/]", "deferred: a headless run ends here, a session with a person goes on"),
    "ask": ("[yellow]?[/]", "Claude Code asks you"),
    "allow": ("[green]✓[/]", "allowed without asking"),
    "none": ("[green]✓[/]", "goes on: no hook decides anything"),
}
NOT_EVALUATED = "not evaluated"  # how the engine begins its words about a handler that nobody could ask
BLOCKED = {
    "Stop": "Claude may not stop and works on",
    "SubagentStop": "the subagent may not stop and works on",
    "UserPromptSubmit": "the prompt is blocked and erased",
    "UserPromptExpansion": "the command is not expanded",
    "PostToolUse": "it is done; Claude is told that a hook objects",
    "PostToolUseFailure": "it has failed; Claude is told what a hook says",
    "PostToolBatch": "the turn ends before Claude is asked again",
    "PreCompact": "nothing is compacted",
    "ConfigChange": "the change is not applied",
    "TaskCreated": "the task is taken back",
    "TaskCompleted": "the task stays open",
}


def show(outcome: Outcome, payload: Payload, name_of: Callable[[Trace], str], notes: Sequence[str] = ()) -> None:
    """The whole story, for a screen or a pipe."""
    out = console()
    out.print(f"[bold]{escaped(title(payload))}[/]", soft_wrap=True)
    out.print()
    for line in outcome_lines(outcome):
        out.print(line, soft_wrap=True)
    for note in notes:
        out.print(f"[yellow]![/] {escaped(note)}", soft_wrap=True)
    files: dict[tuple[str, str], list[Trace]] = {}  # in the home folder one file is the user's and the project's
    for trace in outcome.handlers:
        files.setdefault((trace.file, trace.scope), []).append(trace)
    for (path, scope), traces in files.items():
        out.print()
        out.print(f"[bold]{escaped(tilde(path))}[/] [dim]{scope}[/]", soft_wrap=True)
        for trace in traces:
            for line in trace_lines(trace, name_of(trace), out.width if out.is_terminal else 0):
                out.print(line, soft_wrap=True)


def title(payload: Payload) -> str:
    """The event, and what it is about."""
    words = [str(payload["hook_event_name"])]
    if "tool_name" in payload:
        given = payload.get("tool_input")
        words.append(str(payload["tool_name"]))
        if isinstance(given, dict) and given:
            told = given.get("command") or given.get("file_path") or json.dumps(given, ensure_ascii=False)
            words.append(plain(told, 200))
    elif "prompt" in payload:
        words.append(plain(payload["prompt"], 200))
    return "  ".join(words)


# --- what Claude Code does
def outcome_lines(outcome: Outcome) -> Iterator[str]:
    mark, words = DECIDED.get(outcome.decision, ("[red]✗[/]", BLOCKED.get(outcome.event, "blocked")))
    quiet = outcome.decision == "none" and (not outcome.continue_ or outcome.goes_on or _changes(outcome))
    if not quiet:
        yield f"{mark} [bold]{words}[/]{f': {escaped(outcome.reason)}' if outcome.reason else ''}"
    if outcome.goes_on and outcome.decision == "none":
        yield f"[yellow]![/] [bold]{BLOCKED[outcome.event]}[/]"
    if not outcome.continue_:
        yield f"[yellow]![/] [bold]the turn ends[/]{f': {escaped(outcome.stop_reason)}' if outcome.stop_reason else ''}"
    if outcome.won:
        yield f"  [dim]{escaped(homely(outcome.won))}[/]"
    if outcome.updated_input is not None:
        yield from _told("the input becomes", json.dumps(outcome.updated_input, ensure_ascii=False))
    if outcome.updated_output is not None:
        yield from _told("the output becomes", json.dumps(outcome.updated_output, ensure_ascii=False))
    for text in outcome.context:
        yield from _told("Claude reads", text)
    for text in outcome.system_messages:
        yield from _told("you are told", text)
    for text in outcome.later:
        yield from _told("Claude reads later", text)
    for key, value in outcome.others.items():
        yield from _told(key, json.dumps(value, ensure_ascii=False))


def _changes(outcome: Outcome) -> bool:
    return outcome.updated_input is not None or outcome.updated_output is not None


def _told(what: str, text: str) -> Iterator[str]:
    first, *rest = text[:TEXT].splitlines() or [""]
    yield f"  {what:20} {escaped(first)}"
    yield from (f"  {'':20} {escaped(line)}" for line in rest)
    if len(text) > TEXT:
        yield f"  {'':20} [dim]… {len(text) - TEXT} more characters[/]"


# --- what each handler had to do with it
def is_open(trace: Trace) -> bool:
    """Would it have had a say, had it been possible to hear it?"""
    return (trace.why_not or "").startswith(NOT_EVALUATED)


def trace_lines(trace: Trace, name: str, width: int) -> Iterator[str]:
    """One handler: a line about its run, then what it said, what counted, what was passed over."""
    at = f"{trace.line if trace.line is not None else '-':>5}"
    matcher = plain(trace.matcher or "*", 24)
    runs = plain(f"{trace.type} {name}", max(30, width - 64) if width else 160)
    head = f"{at}  {escaped(f'{matcher:12} {runs}')}"
    if not trace.ran:
        yield f"  [dim]·[/] {head}"
        why = homely(trace.why_not or "nobody said why")
        yield f"           [dim]{escaped(why if is_open(trace) else f'not run: {why}')}[/]"
    else:
        mark = "[green]✓[/]" if trace.counted else "[yellow]![/]" if trace.ignored or trace.timed_out else "[dim]✓[/]"
        yield f"  {mark} {head}  [dim]{escaped(', '.join(_ended(trace)))}[/]"
        yield from _about("said", plain(trace.said, 300))
    for words in trace.counted:
        yield from _about("counts", words, "green")
    for words in trace.ignored:
        if words != trace.why_not:
            yield from _about("ignored", homely(words), "yellow")


def _ended(trace: Trace) -> Iterator[str]:
    if trace.ms is not None:
        yield f"{trace.ms:.0f} ms"
    if trace.exit_code is not None:
        yield f"{'status' if trace.type == 'http' else 'exit'} {trace.exit_code}"
    if trace.timed_out:
        yield "timed out"
    if trace.background:
        yield "in the background"


def homely(words: str) -> str:
    """Paths in a sentence as people write them."""
    home = os.environ.get("HOME", "").rstrip("/")
    return words.replace(home + "/", "~/") if home else words


def _about(what: str, text: str, colour: str = "dim") -> Iterator[str]:
    if text:
        yield f"           [{colour}]{what:8}[/] {escaped(plain(text, 400))}"
