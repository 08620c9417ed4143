"""Compute the entries to register: one handler per event that an enabled hook listens to.

hooks + configuration + the user's choices → [build_entries] → entries for the settings editor
Also decides which entries are ours: by what they run, never by a mark that a rewrite of the file could lose.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from hookwright.config import compiler
from hookwright.config.compiler import HookSpec
from hookwright.errors import UserError
from hookwright.protocol import catalogue, client_versions
from hookwright.protocol.client_versions import Version
from hookwright.recipes import RECIPES, recipe_of
from hookwright.runtime.entry_match import AS_PLUGIN, FAIL_CLOSED, launcher_words, runs_hookwright
from hookwright.settings.desired_entry import DesiredEntry

GUARD = "command_guard"
GUARDED = "PreToolUse"
SLACK_S = 5  # the payload may arrive late; see runtime.main.STDIN_SECONDS
LONGEST_S = 600
PLAIN = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class InstallChoice:
    """The user's choices besides the defaults. `only` empty: every hook that is on."""

    only: tuple[str, ...] = ()
    recipes: tuple[str, ...] = ()
    strict: bool = False


def load_hooks(**places: Unpack[compiler.ConfigPaths]) -> tuple[list[HookSpec], compiler.ResolvedOptions]:
    """All hooks and their option values. `places`: as for `compiler.load_hook_set`."""
    every = compiler.load_hook_set_isolated(**places)
    return every.hooks, every.resolved


def filter_enabled(
    hooks: Iterable[HookSpec], resolved: compiler.ResolvedOptions, only: Sequence[str] = ()
) -> list[HookSpec]:
    """The hooks that are not off and, if `only` is given, named there."""
    hooks = list(hooks)
    for name in only:
        if name not in [hook.name for hook in hooks]:
            raise UserError(f"there is no hook {name}", fix=f"one of {', '.join(hook.name for hook in hooks)}")
    return [
        hook
        for hook in hooks
        if (hook.name in only if only else True) and resolved.values[hook.name]["mode"].value != "off"
    ]


def build_entries(
    hooks: Sequence[HookSpec],
    resolved: compiler.ResolvedOptions,
    choice: InstallChoice,
    argv: Sequence[str],
    client: Version | None = None,
) -> list[DesiredEntry]:
    """One entry per event, in the order of the client's event table, then the recipes.

    `client`: the version that these entries are for; None for the newest. Events that it does not know are left out.
    """
    if choice.strict and GUARD not in [hook.name for hook in hooks]:
        what = f"--strict needs {GUARD}, which is not among the hooks to be installed"
        raise UserError(what, fix="turn it on in config.toml, or name it with --only")
    found = [_build_entry(event, hooks, resolved, choice, argv, client) for event in list_events(hooks, client)]
    return found + [DesiredEntry(RECIPES[name]["event"], None, RECIPES[name]["handler"]) for name in choice.recipes]


def list_events(hooks: Iterable[HookSpec], client: Version | None = None) -> list[str]:
    """The events that these hooks listen to and that a client of this version knows."""
    listened = {event for hook in hooks for event in hook.on}
    known = [event for event in catalogue.list_events() if client_versions.knows_event(client, event)]
    return [event for event in known if event in listened]


def _build_entry(
    event: str,
    hooks: Sequence[HookSpec],
    resolved: compiler.ResolvedOptions,
    choice: InstallChoice,
    argv: Sequence[str],
    client: Version | None,
) -> DesiredEntry:
    here = [hook for hook in hooks if event in hook.on]
    strict = choice.strict and event == GUARDED and any(hook.name == GUARD for hook in here)
    words = [*argv, *choice.only, *([FAIL_CLOSED] if strict else [])]
    handler: dict[str, Any] = {"type": "command", **_format_command(words, client), "timeout": timeout_s(event, here)}
    message = next((hook.status[event] for hook in here if event in hook.status and _runs_commands(hook, resolved)), "")
    if message:
        handler["statusMessage"] = message
    if strict and client_versions.has(client, client_versions.ON_FAILURE):
        handler["onFailure"] = "block"
    return DesiredEntry(event, build_matcher(event, here), handler)


def _format_command(words: Sequence[str], client: Version | None) -> dict[str, Any]:
    """The exec form, or shell text. No key that the client does not know: when it rewrites the file, it drops them."""
    if client_versions.has(client, client_versions.EXEC_FORM):
        return {"command": words[0], "args": list(words[1:])}
    return {"command": shlex.join(words)}


def timeout_s(event: str, hooks: Iterable[HookSpec]) -> int:
    """The sum of the hooks' deadlines: a late hook must hit its own timeout before the client's."""
    longest = sum(hook.longest_s.get(event, hook.deadline_s) for hook in hooks)
    return min(LONGEST_S, math.ceil(longest) + SLACK_S)


def build_matcher(event: str, hooks: Sequence[HookSpec]) -> str | None:
    """A matcher for the tools that these hooks listen to; None for all tools."""
    if not catalogue.is_about_tools(event) or any(not hook.on[event] for hook in hooks):
        return None
    names = list(dict.fromkeys(name for hook in hooks for name in hook.on[event]))
    if all(PLAIN.fullmatch(name) for name in names):
        return "|".join(names)
    return f"^({'|'.join(name.replace('.', '[.]').replace('*', '.*') for name in names)})$"


def _runs_commands(hook: HookSpec, resolved: compiler.ResolvedOptions) -> bool:
    """True if the user configured commands for this hook to run."""
    values = resolved.values[hook.name]
    return any(option.kind == "tables" and values[name].value for name, option in hook.options.items())


# --- what is registered
def is_ours(handler: Mapping[str, Any]) -> bool:
    """True for the launcher in any form, and for an unchanged recipe."""
    return runs_hookwright(handler) or recipe_of(handler) is not None


def read_choice(handlers: Iterable[Mapping[str, Any]]) -> InstallChoice:
    """The choices that these entries were installed with."""
    only: dict[str, None] = {}
    recipes: dict[str, None] = {}
    strict = False
    for handler in handlers:
        name = recipe_of(handler)
        if name:
            recipes[name] = None
        elif runs_hookwright(handler):
            strict = strict or is_strict(handler)
            only.update(dict.fromkeys(hook_names(handler)))
    return InstallChoice(tuple(only), tuple(recipes), strict)


def is_strict(handler: Mapping[str, Any]) -> bool:
    """Was this entry of ours installed with --strict? The word stays where the client does not know `onFailure`."""
    return handler.get("onFailure") == "block" or FAIL_CLOSED in launcher_words(dict(handler))


def hook_names(handler: Mapping[str, Any]) -> list[str]:
    """The hooks that an entry was installed for; empty: all."""
    return [word for word in launcher_words(dict(handler)) if word not in (AS_PLUGIN, FAIL_CLOSED)]
