"""hookwright run EVENT: play an event through every registered hook, and say what Claude Code would do."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click

from hookwright.cli import happening
from hookwright.cli.output import as_json, console, print_json
from hookwright.cli.past import plain
from hookwright.cli.registered import tilde, yes_option
from hookwright.door import launcher
from hookwright.door.entry import starts_the_door
from hookwright.engine import Engine
from hookwright.engine.handlers.conversation import transcript
from hookwright.engine.types import Handler, Outcome, Trace
from hookwright.errors import UserError
from hookwright.receipts.ours import is_current

BEHIND_S = 10.0  # for handlers that Claude Code does not wait for, and a reader wants to hear of


@click.command("run", epilog=f"Example:  {happening.EXAMPLE}")
@click.argument("event", callback=happening.known_event)
@click.option("--payload", "source", metavar="FILE", help="What a hook reads on stdin, as a file; - is stdin.")
@click.option("--tool", metavar="NAME", help="The tool that is called, with a harmless input.")
@click.option("--command", "shell", metavar="TEXT", help="The command that Bash is given.")
@yes_option
@as_json
def command(*, event: str, source: str | None, tool: str | None, shell: str | None, yes: bool, as_json: bool) -> int:
    """Play EVENT through every hook that is registered here and say what Claude Code would do.

    All handlers of the effective settings are matched and started as the client does it, side by side: commands, http,
    MCP tools, prompts and agents. You see the outcome, then each handler: whether it ran, or why not, what it said,
    what counted, and what Claude Code silently ignores. The hooks really run, so those that are not hookwright's
    are run only after your word.

    Without --payload a harmless event is made up, such as `git status` for Bash.
    """
    happened = happening.payload(event, source, tool, shell, os.environ)
    with _ending_with_us(), Engine.from_settings(project=happened["cwd"], env=os.environ) as engine:
        chosen = [choice.handler for choice in engine.choices(happened) if choice.why_not is None]
        _agree(event, [handler for handler in chosen if not _is_harmless(handler, engine)], engine, yes=yes)
        outcome = engine.fire_now(happened)
        engine.settle_now(BEHIND_S)
        dropped = [f"{finding.what}, at {tilde(finding.where)}" for finding in engine.settings.findings]
    if as_json:
        print_json(outcome.as_json())
        return 0
    from hookwright.cli import played  # noqa: PLC0415  a machine needs no screen

    notes = [*_notes(outcome, chosen, happened), *dropped]
    unknown = sum(map(played.is_open, outcome.handlers))
    if unknown:
        notes.insert(0, f"{unknown} of these could not be evaluated, and might have said otherwise")
    ours = {(handler.file, handler.line) for handler in chosen if _is_ours(handler)}
    played.show(outcome, happened, lambda trace: _name(trace, ours), notes)
    return 0


@contextmanager
def _ending_with_us() -> Iterator[None]:
    """Whoever ends us ends the hooks as well: the engine is closed on the way out."""

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- the user's word
def _is_ours(handler: Handler) -> bool:
    """To the letter: what only looks like ours may come with a cloned project."""
    # The first question is cheap; the second may have to make the bundle that our entry starts.
    return starts_the_door(handler.options) and is_current(handler.options, handler.event, launcher.argv())


def _is_harmless(handler: Handler, engine: Engine) -> bool:
    """Ours, and in the user's own environment: variables from a settings file could lead even us elsewhere."""
    return _is_ours(handler) and not engine.settings.environment


def _agree(event: str, strangers: Sequence[Handler], engine: Engine, *, yes: bool) -> None:
    """Nothing of somebody else is started before it was named and allowed."""
    if yes or not strangers:
        return
    told = [f"{_deed(handler, engine)}  ({tilde(handler.where)})" for handler in strangers]
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        what = "\n    ".join(["not run, for there is nobody to ask; this would happen:", *told])
        raise UserError(what, fix=f"hookwright run {event} --yes, if you mean it")
    out = console(stderr=True)
    out.print(f"On {event} these hooks run, and do what they do in a session:")
    for line in told:
        out.print(f"  {line}", markup=False, soft_wrap=True)
    click.confirm("Run them now?", default=False, abort=True, err=True)


def _deed(handler: Handler, engine: Engine) -> str:
    """What running it means."""
    options = handler.options
    if _is_ours(handler):
        return f"hookwright, with variables from settings: {plain(', '.join(engine.settings.environment), 200)}"
    match handler.type:
        case "http":
            return f"the event is posted to {plain(options['url'], 200)}"
        case "mcp_tool":
            server = engine.mcp_servers.get(str(options["server"]), {})
            words = " ".join(map(str, (server.get("command", "no such server"), *(server.get("args") or ()))))
            named = f"{plain(options['tool'])} of the MCP server {plain(options['server'])}"
            return f"{named} is called: $ {plain(words, 200)}"
        case "prompt" | "agent":
            looking = ", which may read this project's files" if handler.type == "agent" else ""
            return f"a model is sent the event{looking}: {plain(options['prompt'], 120)}"
    return f"$ {plain(handler.label, 200)}"


# --- what a reader should know
def _name(trace: Trace, ours: set[tuple[str, int | None]]) -> str:
    return "hookwright" if (trace.file, trace.line) in ours else trace.label


def _notes(outcome: Outcome, chosen: Sequence[Handler], happened: Mapping[str, Any]) -> Iterator[str]:
    if not outcome.handlers:
        yield f"no hook is registered for {outcome.event}; see: hookwright status"
    judged = outcome.event in ("Stop", "SubagentStop") and any(handler.type == "prompt" for handler in chosen)
    if judged and transcript(happened) is None:
        yield "a prompt judged this end without a conversation; give a payload whose transcript_path exists"
