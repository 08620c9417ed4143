"""hookwright config: show which values are in force and where they come from, and check the files."""

from __future__ import annotations

import json
import os
from typing import Any

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.config_context import ConfigContext, effective_values, environment_problems
from hookwright.cli.groups import SentenceGroup
from hookwright.cli.output import OK, dim, print_json, print_line
from hookwright.cli.text import count

BUILT_IN = "built-in"


@click.group("config", cls=SentenceGroup, epilog="Example:  hookwright config show")
def command() -> None:
    """Show, find and check the configuration."""


@command.command("show")
@click.option("--all", "everything", is_flag=True, help="Every option, also those that have their built-in value.")
@json_option
def show_command(*, everything: bool, as_json: bool) -> int:
    """The options that you, a project, the environment or a policy have set, and where. --json prints all of them."""
    values = effective_values(ConfigContext().load_hooks())
    if as_json:
        print_json({"values": values})
        return 0
    shown = {name: row for name, row in values.items() if everything or row["from"] != BUILT_IN}
    for name, row in shown.items():
        print_line(f"{name} = {format_toml(row['value'])}  ", dim(f"# {row['from']}"))
    if not everything:
        rest = count(len(values) - len(shown), "more option" if shown else "option")
        print_line(dim(f"# {rest} with their built-in value: hookwright config show --all"))
    return 0


def format_toml(value: Any) -> str:
    """The value as it stands in a configuration file, on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name} = {format_toml(item)}" for name, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(format_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False, default=str)


@command.command("path")
@json_option
def path_command(*, as_json: bool) -> int:
    """Where the configuration files and hook directories are, or would be."""
    from hookwright.config import config_files  # noqa: PLC0415

    files = ConfigContext()
    found = {
        "user": files.user or None,
        "here": files.here or None,
        "project": files.project or None,
        "hooks": files.hooks or None,
        "project_hooks": files.project_hooks or None,
    }
    if as_json:
        print_json(found)
        return 0
    for name, file in found.items():
        missing = config_files.PROJECT_HOOKS if name == "project_hooks" else config_files.PROJECT_FILE
        note = "" if not file or os.path.exists(file) else "  (does not exist)"
        print_line(f"{name.replace('_', ' '):14} {file or f'no {missing} in this directory or above'}{note}")
    return 0


@command.command("check")
@json_option
def check_command(*, as_json: bool) -> int:
    """Check the files and environment variables: what is wrong, where, what to do."""
    every = ConfigContext().load_hooks()
    problems = [*every.resolved.problems, *environment_problems(every.hooks)]
    notes = every.resolved.notes
    if as_json:
        rows = {"findings": problems, "notes": notes}
        listed = {key: [{"what": p.what, "where": p.where, "try": p.fix} for p in some] for key, some in rows.items()}
        print_json({"ok": not problems, **listed})
    for problem in () if as_json else (*problems, *notes):
        for line in str(problem).splitlines():
            print_line(line)
    if not problems and not as_json:
        print_line(OK, " Configuration OK.")
    return 1 if problems else 0


@command.command("schema")
def schema_command() -> int:
    """The JSON Schema of config.toml and .hookwright.toml, for editors."""
    from hookwright.cli.config_schema import json_schema  # noqa: PLC0415

    print_json(json_schema())
    return 0
