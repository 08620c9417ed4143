"""What install, uninstall, undo, status and verify share: where we are, what is wanted, the diff, the question.

command → [here] → settings.change → the user's word → the file
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from hookwright.cli.config import Files
from hookwright.cli.output import console
from hookwright.cli.past import plain
from hookwright.door import registration
from hookwright.errors import UserError
from hookwright.plan import compiler, sources
from hookwright.plan.compiler import Declared
from hookwright.settings.change import Change, apply
from hookwright.settings.find import Places, Source, find
from hookwright.settings.load import read_source
from hookwright.state import paths

SCOPES = ("user", "project", "local")

yes_option = click.option("--yes", is_flag=True, help="Do not ask.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show the diff and change nothing.")


class Here:
    """This folder, this user, this configuration."""

    def __init__(self, settings: str | None = None, plugins: Sequence[str] = ()) -> None:
        try:
            self.project = os.getcwd()
        except FileNotFoundError:
            raise UserError("the folder that you are in is gone", fix="cd") from None
        self.environment = dict(os.environ)
        state = paths.state_dir(os.environ.get)
        if state is None:
            raise UserError("there is no place for backups: HOME is not set", fix="export HOME")
        self.state = state
        self.places = Places.of(os.environ, self.project, settings_flag=settings, plugin_dirs=plugins)
        self.files = Files()
        self.hooks_folder = sources.hooks_folder(paths.config_dir(os.environ.get))

    def hooks(self, scope: str = "project") -> tuple[list[Declared], compiler.Resolved]:
        """Every hook and its values. The user's own entries are for all projects, so no project's file counts there."""
        places = self.files.places()
        if scope == "user":
            places.update({"project": "", "folder": "", "trust": ""})
        return registration.hooks_and_modes(**places)

    def scopes(self) -> list[str]:
        """The scopes that are files of their own: in the home folder the project's file is the user's."""
        mine = os.path.realpath(self.places.settings_file("user"))
        return [
            scope for scope in SCOPES if scope == "user" or os.path.realpath(self.places.settings_file(scope)) != mine
        ]

    def sources(self) -> list[Source]:
        """Everything that the client reads here, each file once."""
        distinct = self.scopes()
        return [source for source in find(self.places) if source.scope not in SCOPES or source.scope in distinct]

    def ours_in(self, scope: str) -> list[Mapping[str, Any]]:
        """Our handlers in the file of a scope, whether the client keeps the file or not."""
        data = read_source(Source(scope, self.places.settings_file(scope))).data
        hooks = data.get("hooks") if isinstance(data, dict) else None
        groups = [group for groups in values(hooks) for group in values(groups)]
        handlers = [handler for group in groups if isinstance(group, dict) for handler in values(group.get("hooks"))]
        return [handler for handler in handlers if isinstance(handler, dict) and registration.is_ours(handler)]


def values(container: Any) -> list[Any]:
    """The members of whatever stands where an object or a list should."""
    return list(container.values() if isinstance(container, dict) else container if isinstance(container, list) else ())


def names_of(hooks: Sequence[Declared], asked: Sequence[str]) -> tuple[str, ...]:
    """The hooks that a user means: by name, by section of the configuration, with dashes or underscores."""
    known = {hook.section: hook.name for hook in hooks} | {hook.name: hook.name for hook in hooks}
    found = []
    for word in (part for text in asked for part in text.split(",")):
        name = known.get(word.strip().replace("-", "_"))
        if name is None:
            raise UserError(f"there is no hook {word}", fix=f"one of {', '.join(hook.name for hook in hooks)}")
        found.append(name)
    return tuple(dict.fromkeys(found))


def show_diff(change: Change) -> None:
    """The diff. For a person: coloured, no line longer than the screen, and our one command told once."""
    out = console()
    width = out.width - 1 if out.is_terminal else 0
    lines = change.diff.splitlines()
    for line in folded(lines) if out.is_terminal else lines:
        style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "dim")
        if line.startswith(("+++", "---")):
            style = "bold"
        out.print(plain(line, width), style=style, markup=False)


def folded(lines: Sequence[str]) -> Iterator[str]:
    """Every further copy of a command and its arguments as one line: an entry an event would fill the screen."""
    seen: set[tuple[str, ...]] = set()
    place = 0
    while place < len(lines):
        block = _command_at(lines, place)
        if len(block) > 2 and block in seen:
            indent = block[0][: len(block[0]) - len(block[0][1:].lstrip())]
            yield f"{indent}… the same command and arguments ({len(block)} lines)"
        else:
            yield from block or lines[place : place + 1]
        seen.add(block)
        place += max(1, len(block))


def _command_at(lines: Sequence[str], place: int) -> tuple[str, ...]:
    """The lines of a handler's type, command and arguments that begin here; none if there is no such thing here."""
    if lines[place][1:].strip() != '"type": "command",':
        return ()
    for end in range(place + 1, min(place + 40, len(lines))):
        if lines[end][1:].strip() == "],":
            return tuple(lines[place : end + 1])
        if lines[end][1:].strip().startswith("}"):
            break
    return ()


def ask(question: str, command: str, *, yes: bool) -> None:
    """The user's word, or an error that says how to give it."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise UserError(
            "nothing was changed: there is nobody to ask", fix=f"{command} --yes, or --dry-run to see the diff"
        )
    click.confirm(question, default=True, abort=True, err=True)


def write(changes: Sequence[Change], state: str) -> list[dict[str, Any]]:
    """Apply them, one row a file in the form that others build on."""
    return [row_of(change, apply(change, state)) for change in changes]


def row_of(change: Change, backup: str | None = None) -> dict[str, Any]:
    return {"path": change.path, "changed": change.changed, "backup": backup, "diff": change.diff}


def tilde(path: str) -> str:
    """A path as people write it."""
    home = os.environ.get("HOME", "").rstrip("/")
    return "~" + path[len(home) :] if home and (path == home or path.startswith(home + "/")) else path
