"""hookwright config: show which values are in force and where they come from, and check the files."""

from __future__ import annotations

import json
import os
from typing import Any

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.config_context import ConfigContext, effective_values, environment_problems
from hookwright.cli.output import OK, print_json, print_line, print_table


@click.group("config", epilog="Example:  hookwright config show")
def command() -> None:
    """Show, find and check the configuration."""


@command.command("show")
@json_option
def show_command(*, as_json: bool) -> int:
    """Every option, its value, and where the value comes from."""
    values = effective_values(ConfigContext().load_hooks())
    if as_json:
        print_json({"values": values})
        return 0
    rows = [(name, _format_value(row["value"]), row["from"]) for name, row in values.items()]
    print_table(("option", "value", "from"), rows)
    return 0


def _format_value(value: Any) -> str:
    """As in a configuration file: `true`, `["a", "b"]`; strings without quotes, "-" for an empty one."""
    if isinstance(value, str):
        return value or "-"
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
        print_line(OK, " no problems in the configuration")
    return 1 if problems else 0


@command.command("schema")
def schema_command() -> int:
    """The JSON Schema of config.toml and .hookwright.toml, for editors."""
    from hookwright.cli.config_schema import json_schema  # noqa: PLC0415

    print_json(json_schema())
    return 0
