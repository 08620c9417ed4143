"""hookwright install: say what will change, ask, write, and prove that it works."""

from __future__ import annotations

import dataclasses
from typing import Any

import click

from hookwright.cli import managed_install
from hookwright.cli.arguments import json_option, yes_option
from hookwright.cli.hook_snapshot import diff_snapshot
from hookwright.cli.learning import has_transcripts, learn_durations
from hookwright.cli.output import NOTE, print_json, print_line
from hookwright.cli.own_command import find_own_command
from hookwright.cli.progress import step_line
from hookwright.cli.prompts import confirm_or_show, wants_it
from hookwright.cli.settings_context import MANAGED, SCOPES, SettingsContext, resolve_names
from hookwright.cli.text import shorten_home
from hookwright.cli.views.client_view import show_client
from hookwright.cli.views.diff_view import change_as_json, show_diff
from hookwright.cli.views.install_view import (
    ALL,
    NONE,
    show_choice,
    show_launcher,
    show_next,
    show_package,
    show_plan,
    show_written,
)
from hookwright.cli.views.learn_view import show_result
from hookwright.cli.views.verify_view import show_ours
from hookwright.errors import UserError
from hookwright.protocol.client_versions import (
    ON_FAILURE,
    Version,
    format_version,
    has,
    knows_event,
    least_version,
    parse_version,
    since,
)
from hookwright.recipes import RECIPES
from hookwright.runtime import launcher, managed_launcher, registration
from hookwright.runtime.registration import InstallChoice
from hookwright.settings.change import Change, apply, plan_install
from hookwright.settings.installed_client import SessionClient
from hookwright.settings.write import ChangedMeanwhileError

CLIENT_VERSION_HELP = "Register for this version of Claude Code, instead of asking the installed one."


def _parse_version(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Version | None:
    version = parse_version(value or "")
    if value is not None and (version is None or format_version(version) != value):
        raise click.BadParameter(f"{value!r} is no version such as 2.1.325")
    return version


@click.command("install", epilog="Example:  hookwright install --scope project --dry-run")
@click.option(
    "--scope", type=click.Choice((*SCOPES, MANAGED)), default="user", show_default=True, help="Which settings file."
)
@click.option("--only", multiple=True, metavar="HOOK", help=f"Only this hook; repeatable. `--only {ALL}`: every hook.")
@click.option(
    "--with",
    "recipes",
    multiple=True,
    type=click.Choice([*RECIPES, NONE]),
    help="Also register a prompt hook that Claude Code runs itself; it asks a model, which costs tokens.",
)
@click.option(
    "--strict/--no-strict",
    default=None,
    help="Block a call when the guard cannot run, instead of letting it pass.",
)
@click.option("--client-version", "stated", metavar="X.Y.Z", callback=_parse_version, help=CLIENT_VERSION_HELP)
@click.option("--force-old-client", is_flag=True, help="Install although the client is older than what is supported.")
@click.argument("more", nargs=-1, metavar="")
@click.option("--learn/--no-learn", "learns", default=None, help="Learn durations from past sessions. [default: ask]")
@click.option("--diff", "with_diff", is_flag=True, help="Show the diff as well.")
@click.option("--dry-run", is_flag=True, help="Say what would change, and change nothing.")
@yes_option
@json_option
def command(
    *,
    more: tuple[str, ...],
    scope: str,
    only: tuple[str, ...],
    recipes: tuple[str, ...],
    strict: bool | None,
    stated: Version | None,
    force_old_client: bool,
    learns: bool | None,
    with_diff: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Register hookwright in Claude Code's settings.

    Says what will change, asks, writes, then proves that the hooks work. Running it again changes nothing, or updates
    older entries; --only, --with and --strict keep their last values until you give them again. `hookwright undo`
    reverts it.
    `--scope managed` registers it for everybody on this machine, as root.
    """
    if more and not only:
        raise click.UsageError(f"Got unexpected extra arguments ({' '.join(more)})")
    context = SettingsContext()
    managed_install.require_root(context, scope, "hookwright install", dry_run=dry_run)
    client = context.choose_client(stated)
    if client.supported is False and not client.is_stated and not force_old_client:
        raise _too_old(client)
    choice = _resolve_choice(context, scope, only + more, recipes, strict)
    change = _plan_change(context, scope, choice)
    client_row = {**client.as_json(), "note": "; ".join(_list_limits(context, scope, choice)) or None}
    if not as_json:
        _show_plan(context, scope, choice, change)
        if with_diff:
            show_diff(change)
    if dry_run:
        return _end_dry_run(change, client_row, as_json=as_json)
    before = diff_snapshot(context)
    if change.changed:
        question = f"Write this to {shorten_home(change.path)}?"
        confirm_or_show(question, "hookwright install", lambda: show_diff(change), yes=yes)
    # The launcher first: running sessions pick the settings up at once.
    with step_line("preparing the launcher and its cache"):
        is_new, launcher_path = managed_install.install_launcher(scope, change.path)
    row, change = _write_change(context, scope, choice, change, yes=yes)
    context.save_client_choice()
    with step_line("starting every hook once, to prove that it works"):
        report = managed_install.report_after_install(context, scope, before)
    if as_json:
        learned = learn_durations(None).as_json() if learns else None
        print_json({"files": [row], "client": client_row, "verify": report.as_json(), "learn": learned})
        return 0 if report.ours_work else 1
    _show_files(scope, launcher_path if is_new else "", change, row["backup"])
    show_choice(choice)
    show_client(client, _list_limits(context, scope, choice))
    show_ours(report, changed=change.changed)
    if not report.ours_work:
        return 1
    if scope != MANAGED:
        _offer_learning(learns, yes=yes)
    show_next(*find_own_command(launcher.package_root(), launcher.data_home()))
    return 0


def _end_dry_run(change: Change, client_row: dict[str, Any], *, as_json: bool) -> int:
    if as_json:
        print_json({"files": [change_as_json(change, text=True)], "client": client_row, "verify": None})
    elif not change.changed:
        print_line(f"{shorten_home(change.path)} is up to date; nothing would change.")
    return 0


def _show_files(scope: str, new_launcher: str, change: Change, backup: str | None) -> None:
    if new_launcher:
        show_launcher(new_launcher)
    ephemeral = launcher.find_ephemeral() if scope != MANAGED else ""
    if ephemeral:
        show_package(launcher.started_root(), ephemeral)
    show_written(change, backup)


def _show_plan(context: SettingsContext, scope: str, choice: InstallChoice, change: Change) -> None:
    if not change.changed:
        return
    hooks, resolved = context.resolve_hooks(scope)
    if scope == MANAGED:
        on = managed_install.select_hooks(hooks, choice.only)
    else:
        on = registration.filter_enabled(hooks, resolved, choice.only)
    names = [hook.name for hook in on]
    path = managed_launcher.managed_launcher_path() if scope == MANAGED else launcher.launcher_path()
    show_plan(change, names, [hook.name for hook in hooks if hook.name not in names], path)


def _offer_learning(learns: bool | None, *, yes: bool) -> None:
    """Learn from past sessions, so that durations are known on the first day; only if there are any."""
    if learns is False or not has_transcripts():
        return
    if learns is None and (yes or not wants_it("Learn from your past sessions how long commands take?")):
        print_line(NOTE, " your past sessions tell how long commands take: hookwright learn", hang=2)
        return
    show_result(learn_durations(None), dry_run=False)


def _resolve_choice(
    context: SettingsContext, scope: str, only: tuple[str, ...], recipes: tuple[str, ...], strict: bool | None
) -> InstallChoice:
    """The options of this call; what it does not mention stays as it was installed before."""
    choice = registration.read_choice(context.our_handlers_in(scope))
    hooks, _ = context.resolve_hooks(scope)
    known = [hook.name for hook in hooks]
    choice = dataclasses.replace(choice, only=tuple(name for name in choice.only if name in known))
    if only:
        names = () if ALL in only else resolve_names(hooks, only)
        choice = dataclasses.replace(choice, only=names)
    if recipes:
        choice = dataclasses.replace(choice, recipes=tuple(name for name in dict.fromkeys(recipes) if name != NONE))
    if strict is not None:
        choice = dataclasses.replace(choice, strict=strict)
    return choice


def _plan_change(context: SettingsContext, scope: str, choice: InstallChoice) -> Change:
    if scope == MANAGED:
        return managed_install.plan_managed_install(context, choice)
    hooks, resolved = context.resolve_hooks(scope)
    on = registration.filter_enabled(hooks, resolved, choice.only)
    wanted = registration.build_entries(on, resolved, choice, launcher.build_argv(), context.client.oldest)
    return plan_install(context.places.settings_file(scope), wanted, registration.is_ours, context.state)


def _too_old(client: SessionClient) -> UserError:
    least = format_version(least_version())
    what = f"{client.name} is older than {least}, the oldest version that hookwright supports; nothing was written"
    return UserError(what, where=client.path or "", fix="claude update (or: hookwright install --force-old-client)")


def _list_limits(context: SettingsContext, scope: str, choice: InstallChoice) -> list[str]:
    """What this client does not support of what is installed, in the user's words."""
    client = context.client
    found = [client.note] if client.note else []
    if client.oldest is None:
        return found
    name = f"Claude Code {format_version(client.oldest)}"
    hooks, resolved = context.resolve_hooks(scope)
    on = registration.filter_enabled(hooks, resolved, choice.only)
    unknown = [event for event in registration.list_events(on) if not knows_event(client.oldest, event)]
    if unknown:
        found.append(f"not registered, since {name} does not know it: {', '.join(unknown)}")
    if choice.strict and not has(client.oldest, ON_FAILURE):
        since_version = format_version(since(ON_FAILURE))
        found.append(f"--strict has no effect in {name}: it needs {since_version}; if the guard cannot run, calls pass")
    return found


def _write_change(
    context: SettingsContext, scope: str, choice: InstallChoice, change: Change, *, yes: bool
) -> tuple[dict[str, Any], Change]:
    """Write what was shown. If the file changed meanwhile, only --yes tries again: the new diff was not confirmed."""
    write = managed_install.write_managed if scope == MANAGED else apply
    try:
        return change_as_json(change, write(change, context.state)), change
    except ChangedMeanwhileError:
        if not yes:
            raise
    change = _plan_change(context, scope, choice)
    return change_as_json(change, write(change, context.state)), change
