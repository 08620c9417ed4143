"""hookwright policy: show the administrator's policy, check its files, say where they are."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.config_context import ConfigContext
from hookwright.cli.groups import SentenceGroup
from hookwright.cli.output import print_json, print_line
from hookwright.cli.views.policy_view import show_check, show_policy
from hookwright.config import config_files

if TYPE_CHECKING:
    from hookwright.config.policy import Policy


@click.group(
    "policy", cls=SentenceGroup, epilog="Example:  hookwright policy check --json", invoke_without_command=True
)
@json_option
@click.pass_context
def command(context: click.Context, *, as_json: bool) -> int:
    """Show and check the administrator's policy: a floor that no user, project or variable goes below."""
    return 0 if context.invoked_subcommand else _show(as_json=as_json)


@command.command("show")
@json_option
def show_command(*, as_json: bool) -> int:
    """The policy that is in force: its revision and its values."""
    return _show(as_json=as_json)


@command.command("check")
@json_option
def check_command(*, as_json: bool) -> int:
    """Check owner, mode, syntax and values of the policy's files; exits 1 if something is wrong."""
    policy = ConfigContext().load_policy()
    if as_json:
        print_json(policy_as_json(policy))
    else:
        show_check(policy)
    return 1 if policy.problems else 0


@command.command("path")
@json_option
def path_command(*, as_json: bool) -> int:
    """Where the policy is, or would be."""
    policy = ConfigContext().load_policy()
    if as_json:
        print_json(policy_as_json(policy))
    else:
        for path in policy.files or (policy_path(policy),):
            print_line(f"{path}{'' if os.path.lexists(path) else '  (does not exist)'}")
    return 0


def _show(*, as_json: bool) -> int:
    policy = ConfigContext().load_policy()
    if as_json:
        print_json(policy_as_json(policy))
    else:
        show_policy(policy, list_values(policy))
    return 0


def policy_as_json(policy: Policy) -> dict[str, Any]:
    """The documented form; `path` is the main file, `files` are those that are there."""
    return {
        "path": policy_path(policy),
        "revision": policy.revision,
        "values": list_values(policy),
        "problems": [{"what": each.what, "where": each.where, "try": each.fix} for each in policy.problems],
        "files": list(policy.files),
        "in_force": None if policy.revision is None else policy.origin,
        "exceptions": "user" if policy.user_exceptions else "none",
    }


def policy_path(policy: Policy) -> str:
    is_directory = policy.source == config_files.POLICY_DIR or os.path.isdir(policy.source)
    return os.path.join(policy.source, "policy.toml") if is_directory else policy.source


def list_values(policy: Policy) -> dict[str, Any]:
    """Option → the least that counts; lists without an item are left out."""
    return {
        f"{hook}.{name}": value
        for hook, values in policy.values.items()
        for name, value in values.items()
        if value != ()
    }
