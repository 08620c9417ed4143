"""hookwright status: which hooks are on, where they are registered, what they did lately."""

from __future__ import annotations

import time
from typing import Any

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.hook_snapshot import update_snapshot
from hookwright.cli.ledger_context import open_ledger, require_state_dir
from hookwright.cli.output import print_json, print_line
from hookwright.cli.settings_context import SettingsContext
from hookwright.cli.views.background_view import show_tasks
from hookwright.cli.views.client_view import show_client, show_mods
from hookwright.cli.views.status_view import show_status
from hookwright.config.compiler import HookSpec
from hookwright.protocol.client_versions import knows_event
from hookwright.protocol.event_matcher import fits_value
from hookwright.runtime import registration
from hookwright.runtime.entry_match import runs_hookwright
from hookwright.settings.installed_client import SessionClient
from hookwright.settings.load import RegisteredHandler, load_sources
from hookwright.settings.matcher_syntax import compile_matcher
from hookwright.settings.mods import find_mods
from hookwright.store.background_list import describe_tasks
from hookwright.store.queries import format_iso
from hookwright.verify.check_client import list_bypassing_mods
from hookwright.verify.check_environment import EnvironmentReport
from hookwright.verify.usage import HookUsage, read_usage


@click.command("status", epilog="Example:  hookwright status --json")
@json_option
def command(*, as_json: bool) -> int:
    """Show every hook: on, off or shadow, where it is registered, when it last ran, its cost and its failures.

    Background commands that run are shown with what is left of their expected time.
    """
    context = SettingsContext()
    sources = context.list_sources()
    loaded = load_sources(sources)
    hooks, resolved = context.resolve_hooks()
    entries = [registered for registered in loaded.entries if runs_hookwright(registered.entry.handler)]
    past = read_usage(open_ledger())
    client = context.client
    policy = context.config.load_policy()
    environment = context.inspect_environment(sources)
    rows = [_build_row(hook, environment, entries, past.get(hook.name, HookUsage()), client) for hook in hooks]
    mods = list_bypassing_mods(find_mods(context.places, sources, loaded), loaded, client)
    changed = update_snapshot(context, loaded)
    tasks = describe_tasks(require_state_dir(), time.time())
    if as_json:
        found = {"policy": policy.revision, "client": client.as_json(), "mods": [mod.as_json() for mod in mods]}
        found["background"] = tasks
        found["findings"] = [finding.as_json() for finding in environment.findings]
        print_json({"hooks": [_row_as_json(row) for row in rows], "changed_since_last_look": changed, **found})
    else:
        files = dict.fromkeys((entry.source.path, entry.source.scope) for entry in entries)
        show_status(rows, list(files), changed, resolved.problems, environment.findings, policy)
        show_client(client)
        show_mods(mods)
        if tasks:
            print_line()
            show_tasks(tasks)
    return 0


def _build_row(
    hook: HookSpec,
    environment: EnvironmentReport,
    entries: list[RegisteredHandler],
    past: HookUsage,
    client: SessionClient,
) -> dict[str, Any]:
    running = [entry for entry in entries if entry.entry.event in hook.on and _entry_runs_hook(entry, hook.name)]
    reached = {entry.entry.event for entry in running}
    return {
        "hook": hook.name,
        "mode": environment.values[hook.name, "mode"],
        "events": list(hook.on),
        "unregistered": [
            *(event for event in hook.on if event not in reached and knows_event(client.oldest, event)),
            *_list_unmatched_tools(hook, running),
        ],
        "scope": running[0].source.scope if running else None,
        "file": running[0].source.path if running else None,
        "past": past,
    }


def _list_unmatched_tools(hook: HookSpec, running: list[RegisteredHandler]) -> list[str]:
    """`PreToolUse (WebFetch, mcp__*)`: tools that the hook listens to and the matcher of its entry leaves out."""
    found = []
    for event, tools in hook.on.items():
        matchers = [compile_matcher(event, one.entry.matcher) for one in running if one.entry.event == event]
        missing = [
            tool
            for tool in tools
            if matchers and not any(one is None or fits_value(one, tool.replace("*", "x__y")) for one in matchers)
        ]
        found += [f"{event} ({', '.join(missing)})"] if missing else []
    return found


def _entry_runs_hook(entry: RegisteredHandler, hook: str) -> bool:
    only = registration.hook_names(entry.entry.handler)
    return not only or hook in only


def _row_as_json(row: dict[str, Any]) -> dict[str, Any]:
    past: HookUsage = row["past"]
    return {
        **{key: value for key, value in row.items() if key != "past"},
        "last_fired": format_iso(past.last) if past.last is not None else None,
        "calls": past.calls,
        "median_us": past.median_us,
        "failures": past.failures,
    }
