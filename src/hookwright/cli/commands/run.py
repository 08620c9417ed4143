"""hookwright run EVENT: run every registered hook on an event, and show what Claude Code would do."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click

from hookwright.cli import run_payload
from hookwright.cli.arguments import json_option, yes_option
from hookwright.cli.output import ask_yes_or_no, print_json, print_line
from hookwright.cli.settings_context import find_clients_here
from hookwright.cli.text import count, escape_line, shorten_home
from hookwright.engine import Engine
from hookwright.engine.handlers.conversation import find_transcript
from hookwright.engine.types import Handler, Outcome, Trace
from hookwright.errors import UserError
from hookwright.protocol.client_versions import Version, format_version, newest_version
from hookwright.runtime import launcher
from hookwright.runtime.config_notice import FAILED
from hookwright.runtime.entry_match import runs_hookwright
from hookwright.settings.find import SearchPaths, find_sources
from hookwright.settings.installed_client import SessionClient, describe_client, read_stated_version
from hookwright.settings.load import load_sources
from hookwright.settings.mods import Mod, find_mods
from hookwright.store import paths
from hookwright.verify.check_client import list_bypassing_mods
from hookwright.verify.check_ours import is_current

BACKGROUND_WAIT_S = 10.0  # for async handlers: Claude Code does not wait for them, but their result is shown here


@click.command("run", epilog=f"Example:  {run_payload.EXAMPLE}")
@click.argument("event", callback=run_payload.validate_event)
@click.option("--payload", "source", metavar="FILE", help="The JSON that a hook reads on stdin; - reads it from stdin.")
@click.option("--tool", metavar="NAME", help="The tool that is called; its input is a harmless sample.")
@click.option("--command", "shell", metavar="TEXT", help="The Bash command.")
@yes_option
@json_option
def command(*, event: str, source: str | None, tool: str | None, shell: str | None, yes: bool, as_json: bool) -> int:
    """Run every hook that is registered here on EVENT, and show what Claude Code would do.

    The handlers of the effective settings are matched and started as Claude Code does it, in parallel: commands, http,
    MCP tools, prompts and agents. You see the outcome, then each handler: whether it ran, or why not, what it answered,
    which part of the answer counts, and what Claude Code silently ignores. The hooks really run, so hooks of other
    tools need your confirmation.

    Without --payload a harmless sample is sent, such as `git status` for Bash.
    """
    event_payload = run_payload.build_payload(event, source, tool, shell, os.environ)
    client, mods = _find_client_and_mods(event_payload["cwd"])
    version = speaks_for(client.version)
    opened = Engine.from_settings(project=event_payload["cwd"], env=os.environ, client=version)
    with _exit_on_signals(), opened as engine:
        chosen = [choice.handler for choice in engine.choices(event_payload) if choice.why_not is None]
        _confirm_run(event, [handler for handler in chosen if not _is_harmless(handler, engine)], engine, yes=yes)
        outcome = engine.fire_now(event_payload)
        engine.settle_now(BACKGROUND_WAIT_S)
        dropped = [f"{finding.what}, at {shorten_home(finding.where)}" for finding in engine.settings.findings]
    ours = {(handler.file, handler.line) for handler in chosen if _is_ours(handler)}
    failures = list(_list_failures(outcome, ours))
    if as_json:
        spoken = {"client": format_version(version), "failures": failures}
        print_json({**outcome.as_json(), **spoken, "mods": [mod.as_json() for mod in mods]})
        return 1 if failures else 0
    from hookwright.cli.views import run_view  # noqa: PLC0415  not needed for --json
    from hookwright.cli.views.client_view import describe_mod  # noqa: PLC0415

    notes = [*(f"failed: {failure}" for failure in failures), *_format_notes(outcome, chosen, event_payload), *dropped]
    notes += [
        *(f"{describe_mod(mod)}: the real outcome may differ" for mod in mods),
        *_format_client_note(client, version),
    ]
    unknown = sum(map(run_view.is_unevaluated, outcome.handlers))
    if unknown:
        notes.insert(0, f"{count(unknown, 'hook')} could not be evaluated; the real outcome may differ")
    run_view.show_outcome(outcome, event_payload, lambda trace: _display_name(trace, ours), notes)
    return 1 if failures else 0


@contextmanager
def _exit_on_signals() -> Iterator[None]:
    """On SIGTERM and SIGHUP leave through SystemExit, so that the engine is closed and its child processes end."""

    def raise_exit(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, raise_exit) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# --- confirmation
def _is_ours(handler: Handler) -> bool:
    """Exactly our argv: an entry that only looks like ours may come with a cloned project."""
    # The first check is cheap; the second may have to build the bundle.
    return runs_hookwright(handler.options) and is_current(handler.options, handler.event, launcher.build_argv())


def _is_harmless(handler: Handler, engine: Engine) -> bool:
    """Ours, and no settings file sets environment variables: these could make even our process run other code."""
    return _is_ours(handler) and not engine.settings.environment


def _confirm_run(event: str, third_party: Sequence[Handler], engine: Engine, *, yes: bool) -> None:
    """Name the hooks of other tools and ask before they are run."""
    if yes or not third_party:
        return
    effects = [f"{_describe_effect(handler, engine)}  ({shorten_home(handler.where)})" for handler in third_party]
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        what = "\n    ".join(["nothing was run: confirmation needs a terminal. These hooks would run:", *effects])
        raise UserError(what, fix=f"hookwright run {event} --yes")
    print_line(f"These hooks run on {event}, with the same side effects as in a session:", stderr=True)
    for line in effects:
        print_line(f"  {line}", stderr=True)
    ask_yes_or_no("Run them now?")


def _describe_effect(handler: Handler, engine: Engine) -> str:
    """What running this handler does."""
    options = handler.options
    if _is_ours(handler):
        return f"hookwright, with variables from settings: {escape_line(', '.join(engine.settings.environment), 200)}"
    match handler.type:
        case "http":
            return f"posts the event to {escape_line(options['url'], 200)}"
        case "mcp_tool":
            server = engine.mcp_servers.get(str(options["server"]), {})
            argv = " ".join(map(str, (server.get("command", "no such server"), *(server.get("args") or ()))))
            named = f"{escape_line(options['tool'])} of the MCP server {escape_line(options['server'])}"
            return f"calls {named}: $ {escape_line(argv, 200)}"
        case "prompt" | "agent":
            may_read = ", which may read this project's files" if handler.type == "agent" else ""
            return f"sends the event to a model{may_read}: {escape_line(options['prompt'], 120)}"
    return f"$ {escape_line(handler.label, 200)}"


# --- notes
def _list_failures(outcome: Outcome, ours: set[tuple[str, int | None]]) -> Iterator[str]:
    """Hooks of ours and of the user that failed, or answered what the event cannot carry."""
    for trace in outcome.handlers:
        if (trace.file, trace.line) in ours:
            yield from (line.removeprefix(FAILED) for line in trace.stderr.splitlines() if line.startswith(FAILED))


def _display_name(trace: Trace, ours: set[tuple[str, int | None]]) -> str:
    return "hookwright" if (trace.file, trace.line) in ours else trace.label


def _find_client_and_mods(project: str) -> tuple[SessionClient, list[Mod]]:
    """The installed client, and the mods that it would ask before our hooks."""
    state = paths.state_dir(os.environ.get)
    stated = read_stated_version(state) if state else None
    client = describe_client(find_clients_here(os.environ, project), stated)
    places = SearchPaths.from_environment(os.environ, project)
    sources = find_sources(places)
    loaded = load_sources(sources)
    return client, list_bypassing_mods(find_mods(places, sources, loaded), loaded, client)


def speaks_for(installed: Version | None) -> Version:
    """The version whose behaviour is shown: that of the installed client, at most the newest that was measured."""
    return min(installed or newest_version(), newest_version())


def _format_client_note(client: SessionClient, version: Version) -> Iterator[str]:
    """For which version this speaks, where that is not plainly the newest."""
    if client.version is not None and client.version > newest_version():
        newest = format_version(version)
        yield f"{client.name} is installed; this shows what {newest} does, the newest that was measured"
    elif version < newest_version():
        yield f"this shows what Claude Code {format_version(version)} does, the installed version"


def _format_notes(outcome: Outcome, chosen: Sequence[Handler], event_payload: Mapping[str, Any]) -> Iterator[str]:
    if not outcome.handlers:
        yield f"no hook is registered for {outcome.event}; see: hookwright status"
    reads_conversation = outcome.event in ("Stop", "SubagentStop") and any(one.type == "prompt" for one in chosen)
    if reads_conversation and find_transcript(event_payload) is None:
        yield "the prompt hook had no conversation to read; give a payload whose transcript_path exists"
