"""The configuration that is in force in this directory: its files, every option's value and where it comes from.

environment, working directory → [ConfigContext] → config.compiler → values with their origin
"""

from __future__ import annotations

import os
from typing import Any

from hookwright.config import command_hooks, compiler, config_files, policy_files
from hookwright.config.policy import ORIGIN, Policy
from hookwright.errors import UserError
from hookwright.options import BadValue, parse_env_value, raise_to_floor
from hookwright.store import paths


class ConfigContext:
    """The configuration files that apply in this directory."""

    def __init__(self) -> None:
        home = os.environ.get("HOME")
        config = paths.config_dir(os.environ.get)
        self.state = paths.state_dir(os.environ.get)
        self.user = config_files.user_file(config)
        self.hooks = config_files.hooks_folder(config)
        self.project, self.project_hooks, self.root = config_files.find_project(
            os.getcwd(), home.rstrip("/") if home else None
        )
        self.here = config_files.here_file(config, self.root, paths.project_key)
        self.name = config_files.project_name(self.project, self.project_hooks)
        self.trust = config_files.trust_file(self.state, self.name, paths.project_key)
        self.policy = config_files.policy_source(os.environ.get)

    def compiler_args(self) -> compiler.ConfigPaths:
        """The files as arguments of the compiler."""
        return {
            "user": self.user,
            "here": self.here,
            "project": self.project,
            "trust": self.trust,
            "hooks": self.hooks,
            "folder": self.project_hooks,
            "policy": self.policy,
            "last_good_policy": policy_files.last_good_policy(self.state),
        }

    def load_policy(self) -> Policy:
        """The administrator's policy that is in force."""
        return self.load_hooks(only_ours=True).policy

    def load_hooks(self, *, only_ours: bool = False) -> compiler.HookSet:
        """Every hook that applies here and its values; with `only_ours` without user hooks."""
        places = self.compiler_args()
        places["only_ours"] = only_ours
        return compiler.load_hook_set_isolated(**places)


def effective_values(every: compiler.HookSet) -> dict[str, dict[str, Any]]:
    """Option → value and origin; environment variables win over files."""
    values: dict[str, dict[str, Any]] = {}
    for hook in every.hooks:
        for name in hook.options:
            value = every.resolved.values[hook.name][name]
            values[f"{hook.section}.{name}"] = {"value": value.value, "from": value.origin}
        for variable, name, value in environment_values(hook, every.policy):
            values[f"{hook.section}.{name}"] = {"value": value, "from": variable}
    for name, value in every.resolved.values[command_hooks.SECTION].items():
        values[f"{command_hooks.SECTION}.{name}"] = {"value": value.value, "from": value.origin}
    return values


def environment_problems(hooks: list[compiler.HookSpec]) -> list[UserError]:
    """Environment variables whose value cannot be used."""
    problems = []
    for hook in hooks:
        for variable, name, kind, choices, spelling, *_ in compiler.list_variables(hook):
            text = os.environ.get(variable)
            if text is None or spelling is not None:
                continue
            try:
                value = parse_env_value(kind, choices, text)
                check = hook.options[name].check
                if check:
                    check(value)
            except BadValue as error:
                problems.append(UserError(f"{variable} {error}", where="environment", fix=f"unset {variable}"))
    return problems


def environment_values(hook: compiler.HookSpec, policy: Policy) -> list[tuple[str, str, Any]]:
    """Variable, option and value of every environment variable that sets an option of this hook.

    What would go below the policy is raised to it, and then "policy" stands for the variable.
    """
    floor = policy.floor_of(hook.name)
    found = []
    for variable, name, kind, choices, spelling, *_ in compiler.list_variables(hook):
        text = os.environ.get(variable)
        if text is None or (spelling is not None and text.strip().lower() not in spelling):
            continue
        try:
            value = parse_env_value(kind, choices, text) if spelling is None else spelling[text.strip().lower()]
        except BadValue:
            continue
        held = raise_to_floor(hook.options[name].tighter, floor[name], value) if name in floor else value
        found.append((variable if held == value else ORIGIN, name, held))
    return found
