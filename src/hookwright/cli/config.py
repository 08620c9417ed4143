"""hookwright config: which values are in force, from where, and what is wrong with the files."""

from __future__ import annotations

import os
from typing import Any

import click

from hookwright.cli.output import as_json, console, print_json
from hookwright.errors import UserError
from hookwright.options import REQUIRED, WANTED, BadValue, Option, from_text
from hookwright.plan import commands, compiler, sources
from hookwright.state import paths


class Files:
    """The configuration files that count in this folder."""

    def __init__(self) -> None:
        home = os.environ.get("HOME")
        config = paths.config_dir(os.environ.get)
        self.state = paths.state_dir(os.environ.get)
        self.user = sources.user_file(config)
        self.hooks = sources.hooks_folder(config)
        self.project, self.folder = sources.project_places(os.getcwd(), home.rstrip("/") if home else None)
        self.name = sources.project_name(self.project, self.folder)
        self.trust = sources.trust_file(self.state, self.name, paths.project_key)

    def places(self) -> compiler.Places:
        """As the compiler takes them."""
        return {
            "user": self.user,
            "project": self.project,
            "trust": self.trust,
            "hooks": self.hooks,
            "folder": self.folder,
        }

    def everything(self, *, only_ours: bool = False) -> compiler.Everything:
        """Every hook that counts here, the user's own included, and its values."""
        places = self.places()
        places["only_ours"] = only_ours
        return compiler.examined(**places)


@click.group("config", epilog="Example:  hookwright config show")
def command() -> None:
    """Show, find and check the configuration."""


@command.command("show")
@as_json
def show(*, as_json: bool) -> int:
    """Every option, its value, and where the value comes from."""
    values = in_force(Files().everything())
    if as_json:
        print_json({"values": values})
        return 0
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, header_style="bold")
    for column in ("option", "value", "from"):
        table.add_column(column, overflow="fold")
    for name, row in values.items():
        shown = row["value"]
        table.add_row(name, str(shown) if shown != "" else "-", row["from"])
    console().print(table)
    return 0


@command.command("path")
@as_json
def path(*, as_json: bool) -> int:
    """Where the files are, or would be."""
    files = Files()
    found = {
        "user": files.user or None,
        "project": files.project or None,
        "hooks": files.hooks or None,
        "project_hooks": files.folder or None,
    }
    if as_json:
        print_json(found)
        return 0
    for name, file in found.items():
        note = "" if file and os.path.exists(file) else "  (not there)"
        missing = sources.PROJECT_HOOKS if name == "project_hooks" else sources.PROJECT_FILE
        print(f"{name.replace('_', ' '):14} {file or f'no {missing} here or above'}{note if file else ''}")
    return 0


@command.command("check")
@as_json
def check(*, as_json: bool) -> int:
    """Say what is wrong in the files and the environment: what, where, what to try."""
    every = Files().everything()
    problems = [*every.resolved.problems, *environment_problems(every.hooks)]
    if as_json:
        print_json(
            {"ok": not problems, "findings": [{"what": p.what, "where": p.where, "try": p.fix} for p in problems]}
        )
    elif problems:
        for problem in problems:
            print(problem)
    else:
        print("The configuration is sound.")
    return 1 if problems else 0


@command.command("schema")
def schema() -> int:
    """The JSON Schema of config.toml and .hookwright.toml, for editors."""
    print_json(json_schema())
    return 0


def in_force(every: compiler.Everything) -> dict[str, dict[str, Any]]:
    """Option → value and origin, the environment included."""
    values: dict[str, dict[str, Any]] = {}
    for hook in every.hooks:
        for name in hook.options:
            value = every.resolved.values[hook.name][name]
            values[f"{hook.section}.{name}"] = {"value": value.value, "from": value.origin}
        for variable, name, value in environment_values(hook):
            values[f"{hook.section}.{name}"] = {"value": value, "from": variable}
    for name, value in every.resolved.values[commands.SECTION].items():
        values[f"{commands.SECTION}.{name}"] = {"value": value.value, "from": value.origin}
    return values


def environment_problems(hooks: list[compiler.Declared]) -> list[UserError]:
    problems = []
    for hook in hooks:
        for variable, name, kind, choices, spelling in compiler.environment(hook):
            text = os.environ.get(variable)
            if text is None or spelling is not None:
                continue
            try:
                value = from_text(kind, choices, text)
                check = hook.options[name].check
                if check:
                    check(value)
            except BadValue as error:
                problems.append(UserError(f"{variable} {error}", where="environment", fix=f"unset {variable}"))
    return problems


def environment_values(hook: compiler.Declared) -> list[tuple[str, str, Any]]:
    found = []
    for variable, name, kind, choices, spelling in compiler.environment(hook):
        text = os.environ.get(variable)
        if text is None:
            continue
        if spelling is not None:
            if text.strip().lower() in spelling:
                found.append((variable, name, spelling[text.strip().lower()]))
            continue
        try:
            found.append((variable, name, from_text(kind, choices, text)))
        except BadValue:
            continue
    return found


def json_schema() -> dict[str, Any]:
    sections = {
        hook.section: {
            "type": "object",
            "description": hook.doc.splitlines()[0] if hook.doc else hook.name,
            "additionalProperties": False,
            "properties": {name: _property(option) for name, option in hook.options.items()},
        }
        for hook in [*compiler.declared(), commands.section()]
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "hookwright configuration",
        "type": "object",
        "additionalProperties": False,
        "properties": sections,
    }


_SCHEMA_TYPES: dict[str, dict[str, Any]] = {
    "switch": {"type": "boolean"},
    "whole": {"type": "integer"},
    "number": {"type": "number"},
    "text": {"type": "string"},
    "texts": {"type": "array", "items": {"type": "string"}},
    "words": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    "tables": {"type": "array", "items": {"type": "object"}},
}
assert _SCHEMA_TYPES.keys() == WANTED.keys()


def _property(option: Option) -> dict[str, Any]:
    described = {**_SCHEMA_TYPES[option.kind], "description": option.help}
    if option.default is not REQUIRED:
        described["default"] = option.default
    if option.choices:
        described["enum"] = list(option.choices)
    if option.columns:
        described["items"] = {
            "type": "object",
            "additionalProperties": False,
            "properties": {name: _property(column) for name, column in option.columns.items()},
            "required": [name for name, column in option.columns.items() if column.default is REQUIRED],
        }
    return described
