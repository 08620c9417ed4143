"""Where install, uninstall, undo, status and verify work: this directory, this user, this configuration.

command → [SettingsContext] → settings files, hooks and their values
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from hookwright.cli.config_context import ConfigContext
from hookwright.config import compiler
from hookwright.config.builtin_hooks import FORMER_SECTIONS
from hookwright.config.compiler import HookSpec
from hookwright.config.here_modes import read_modes
from hookwright.errors import UserError
from hookwright.git.directory import find_worktree_root
from hookwright.protocol.client_versions import Version
from hookwright.runtime import registration
from hookwright.settings.find import SearchPaths, Source, find_sources
from hookwright.settings.installed_client import (
    Client,
    SessionClient,
    describe_client,
    find_clients,
    read_stated_version,
    save_stated_version,
)
from hookwright.settings.load import read_source
from hookwright.store import paths
from hookwright.verify.check_environment import EnvironmentReport, inspect_environment, list_layers

SCOPES = ("user", "project", "local")
MANAGED = "managed"  # for everybody on this machine; only by its name, and only root


class SettingsContext:
    """The settings files that Claude Code would read here, and the hooks that we would register."""

    def __init__(self, settings: str | None = None, plugins: Sequence[str] = ()) -> None:
        try:
            self.project = os.getcwd()
        except FileNotFoundError:
            raise UserError("the current directory no longer exists", fix="cd") from None
        self.environment = dict(os.environ)
        state = paths.state_dir(os.environ.get)
        if state is None:
            raise UserError("HOME is not set, so there is no directory for backups and state", fix="export HOME")
        self.state = state
        self.places = SearchPaths.from_environment(
            os.environ, self.project, settings_flag=settings, plugin_dirs=plugins
        )
        self.config = ConfigContext()

    @cached_property
    def clients(self) -> list[Client]:
        """The installed clients."""
        return find_clients_here(self.environment, self.project)

    @cached_property
    def client(self) -> SessionClient:
        """The client that reads these settings: as the user said, or as it says itself."""
        return describe_client(self.clients, read_stated_version(self.state))

    def choose_client(self, stated: Version | None) -> SessionClient:
        """The client to install for: what the user says now, what it says itself, what the user said before."""
        if stated is None and not any(client.version for client in self.clients):
            stated = read_stated_version(self.state)
        self.client = describe_client(self.clients, stated)
        return self.client

    def save_client_choice(self) -> None:
        """Keep what the user said, so that verify and status speak of the same version."""
        save_stated_version(self.state, self.client.version if self.client.is_stated else None)

    def resolve_hooks(self, scope: str = "project") -> tuple[list[HookSpec], compiler.ResolvedOptions]:
        """Every hook and its values. User settings apply to all projects, so project files are left out there."""
        places = self.config.compiler_args()
        if scope in ("user", MANAGED):
            places.update({"project": "", "folder": "", "trust": "", "here": ""})
        if scope == MANAGED:  # nobody's own configuration, but the policy's
            places.update({"user": "", "hooks": ""})
        hooks, resolved = registration.load_hooks(**places)
        if scope == "user":
            self._enable_in_projects(hooks, resolved)
        return hooks, resolved

    def _enable_in_projects(self, hooks: list[HookSpec], resolved: compiler.ResolvedOptions) -> None:
        """A hook that is off, but not in some project (`hookwright on HOOK --here`), has to be registered."""
        modes = read_modes(os.path.dirname(self.config.here)) if self.config.here else {}
        for hook in hooks:
            value = resolved.values[hook.name]["mode"]
            turned_on = sorted(modes.get(hook.section, set()) - {"off"})
            if value.value == "off" and turned_on:
                resolved.values[hook.name]["mode"] = compiler.OptionValue(turned_on[0], "here")

    def list_scopes(self) -> list[str]:
        """The scopes with distinct files: in the home directory the project's file is the user's."""
        user = os.path.realpath(self.places.settings_file("user"))
        return [
            scope for scope in SCOPES if scope == "user" or os.path.realpath(self.places.settings_file(scope)) != user
        ]

    def list_sources(self) -> list[Source]:
        """Every settings file that Claude Code reads here, each once."""
        distinct = self.list_scopes()
        return [
            source for source in find_sources(self.places) if source.scope not in SCOPES or source.scope in distinct
        ]

    def inspect_environment(self, sources: Sequence[Source]) -> EnvironmentReport:
        """What the variables of this shell and of these settings files make of the options."""
        hooks, resolved = self.resolve_hooks()
        layers = list_layers(sources, self.environment)
        policy = self.config.load_policy()
        return inspect_environment(hooks, resolved.values, layers, policy, self.project, self.places.home)

    def our_handlers_in(self, scope: str) -> list[Mapping[str, Any]]:
        """Our handlers in the file of a scope, even if Claude Code rejects that file."""
        data = read_source(Source(scope, self.places.settings_file(scope))).data
        hooks = data.get("hooks") if isinstance(data, dict) else None
        groups = [group for groups in members_of(hooks) for group in members_of(groups)]
        handlers = [
            handler for group in groups if isinstance(group, dict) for handler in members_of(group.get("hooks"))
        ]
        return [handler for handler in handlers if isinstance(handler, dict) and registration.is_ours(handler)]


def find_clients_here(environment: Mapping[str, str], project: str) -> list[Client]:
    """The installed clients; files of this project, or of the repository that it is part of, are not asked."""
    projects = [folder for folder in (project, find_worktree_root(project)) if folder]
    return find_clients(environment, projects, paths.cache_dir(environment.get))


def members_of(container: Any) -> list[Any]:
    """The members of an object or a list; none of anything else."""
    return list(container.values() if isinstance(container, dict) else container if isinstance(container, list) else ())


def resolve_names(hooks: Sequence[HookSpec], asked: Sequence[str]) -> tuple[str, ...]:
    """The hooks that these words name: by hook or by configuration section, with dashes or underscores."""
    known = {hook.section: hook.name for hook in hooks} | {hook.name: hook.name for hook in hooks}
    known = {former: name for former, name in FORMER_SECTIONS.items() if name in known} | known
    found = []
    for word in (part for text in asked for part in text.split(",")):
        name = known.get(word.strip().replace("-", "_"))
        if name is None:
            close = get_close_matches(word.strip().replace("-", "_"), known, n=1)
            fix = f"did you mean {known[close[0]]}?" if close else f"one of {', '.join(hook.name for hook in hooks)}"
            raise UserError(f"there is no hook {word!r}", fix=fix)
        found.append(name)
    return tuple(dict.fromkeys(found))
