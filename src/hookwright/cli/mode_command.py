"""The commands on, off and shadow: set the mode of one hook, everywhere or in this project only.

hookwright on|off|shadow HOOK [--here] → [build_mode_command] → config.toml, or the private file for this project
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.config_choice import choose_file, write_choice
from hookwright.cli.config_context import effective_values
from hookwright.cli.output import OK, WARNING, dim, print_json, print_line
from hookwright.cli.require_person import require_person
from hookwright.cli.settings_context import SettingsContext, resolve_names
from hookwright.cli.text import shorten_home
from hookwright.config import config_edit
from hookwright.errors import UserError
from hookwright.options import raise_to_floor
from hookwright.runtime import registration

if TYPE_CHECKING:
    from hookwright.config.compiler import HookSpec

NOTE = """Without --here this counts in every project. With --here it counts in this project only, for you alone: it is
    kept in a file of yours, outside of the repository. `hookwright undo` reverts it."""
HELP = {
    "on": "Turn a hook on.",
    "off": "Turn a hook off: it is not run.",
    "shadow": "Let a hook decide without sending its decision; `hookwright log` shows what it would have done.",
}


def build_mode_command(mode: str) -> click.Command:
    @click.command(
        mode, help=f"{HELP[mode]}\n\n    {NOTE}", epilog=f"Example:  hookwright {mode} auto_background --here"
    )
    @click.argument("hook", metavar="HOOK")
    @click.option("--here", is_flag=True, help="Only in this project, for you alone.")
    @click.option("--yes", is_flag=True, hidden=True, help="Accepted for symmetry: nothing is asked.")
    @json_option
    def command(*, hook: str, here: bool, yes: bool, as_json: bool) -> int:
        return _set_mode(mode, hook, here=here, as_json=as_json)

    return command


def _set_mode(mode: str, hook: str, *, here: bool, as_json: bool) -> int:
    require_person(f"hookwright {mode}")
    context = SettingsContext()
    hooks, _ = context.resolve_hooks()
    [name] = resolve_names(hooks, [hook])
    spec = next(each for each in hooks if each.name == name)
    _refuse_by_policy(context, spec, mode)
    choice = choose_file(context.config, everywhere=not here)
    change = config_edit.plan_mode(choice.path, spec.section, mode, choice.about)
    write_choice(change, choice)
    if as_json:
        print_json({"hook": name, "mode": mode, "file": choice.path, "changed": change.changed})
        return 0
    done = "is" if change.changed else "was already"
    print_line(OK, f" {name} {done} {mode} {choice.where}", dim(f"  ({shorten_home(choice.path)})"))
    _show_what_differs(SettingsContext(), spec, mode)
    if change.changed:
        print_line(dim("Undo: hookwright undo"))
    return 0


def _refuse_by_policy(context: SettingsContext, spec: HookSpec, mode: str) -> None:
    policy = context.config.load_policy()
    floor = policy.floor_of(spec.name).get("mode")
    if floor is not None and raise_to_floor(spec.options["mode"].tighter, floor, mode) != mode:
        what = f"the administrator's policy keeps {spec.name} {floor}; nothing was changed"
        raise UserError(what, where=policy.source, fix="hookwright policy show")


def _show_what_differs(context: SettingsContext, spec: HookSpec, mode: str) -> None:
    """Another layer that still wins, and events that no settings file registers yet."""
    found = effective_values(context.config.load_hooks())[f"{spec.section}.mode"]
    if found["value"] != mode:
        print_line(WARNING, f" in this project it is {found['value']} all the same, by: {found['from']}", hang=2)
    if mode != "off" and not _is_registered(context, spec):
        print_line(WARNING, " its events are not registered yet; run: hookwright install", hang=2)


def _is_registered(context: SettingsContext, spec: HookSpec) -> bool:
    """True if every event of the hook is registered somewhere here, or hookwright is not installed at all."""
    from hookwright.runtime.entry_match import runs_hookwright  # noqa: PLC0415
    from hookwright.settings.load import load_sources  # noqa: PLC0415

    entries = [each for each in load_sources(context.list_sources()).entries if runs_hookwright(each.entry.handler)]
    reached = {
        each.entry.event
        for each in entries
        if not registration.hook_names(each.entry.handler) or spec.name in registration.hook_names(each.entry.handler)
    }
    return not entries or set(registration.list_events([spec], context.client.oldest)) <= reached
