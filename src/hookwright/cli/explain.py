"""hookwright explain: how a command is read, what each call is, and what every hook would say about it."""

from __future__ import annotations

import json
import os
import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from hookwright.cli.output import as_json, print_json
from hookwright.errors import UserError

if TYPE_CHECKING:
    from hookwright.cli.explained import Explainer


@click.command("explain", epilog="Example:  hookwright explain 'cd web && npm ci && rm -rf ~/old'")
@click.argument("text", metavar="[COMMAND]", default="")
@click.option("--cwd", metavar="FOLDER", default="", help="Where it would run; this folder if not given.")
@click.option("--jsonl", is_flag=True, help='Many: read lines {"command", "cwd"} from stdin, print a line for each.')
@as_json
def command(*, text: str, cwd: str, jsonl: bool, as_json: bool) -> int:
    """Show how a command is read, what each call is, and what would be decided; nothing runs, nothing is recorded.

    The answer is the one that a session with a person would get with your configuration.
    """
    folder = _folder(cwd)
    if jsonl:
        if text:
            raise click.UsageError("give either COMMAND or --jsonl with commands on stdin")
        return _many(folder)
    if not text.strip():
        raise click.UsageError("which command? Quote it: hookwright explain 'npm ci && npm test'")
    found = _explainer().explain(text, folder, near=not as_json)
    if as_json:
        print_json(found.as_json())
        return 0
    from hookwright.cli.output import console  # noqa: PLC0415
    from hookwright.cli.tree import drawn  # noqa: PLC0415  rich, for people only

    screen = console()
    for line in drawn(found, folder, screen.width if sys.stdout.isatty() else 0):
        screen.print(line)
    own = _own_hooks(folder)
    if own:
        asked = f"hookwright run PreToolUse --command {shlex.quote(text)}"
        screen.print(f"\nNot asked, since they may do something: {own}\n  try: {asked}", markup=False, soft_wrap=True)
    return 0


def _own_hooks(folder: str) -> str:
    """The user's own hooks that could have a word here, by the places where they are; "" if there are none."""
    from hookwright.cli.registered import tilde  # noqa: PLC0415  for people only
    from hookwright.plan import sources  # noqa: PLC0415
    from hookwright.plan.folder import python_files  # noqa: PLC0415
    from hookwright.state import paths  # noqa: PLC0415

    own = sources.hooks_folder(paths.config_dir(os.environ.get))
    places = [place for place in (own, sources.project_places(folder, os.environ.get("HOME"))[1]) if place]
    return ", ".join(f"the hooks in {tilde(place)}" for place in places if python_files(place))


def _folder(cwd: str) -> str:
    if cwd and not os.path.isdir(cwd):
        raise UserError("there is no such folder", where=cwd, fix="hookwright explain --cwd FOLDER 'COMMAND'")
    return os.path.abspath(cwd or os.getcwd())


def _explainer() -> Explainer:
    from hookwright.cli.explained import here  # noqa: PLC0415  not needed for --help

    return here()


def _many(folder: str) -> int:
    """A line for each line; one that holds no command says so, and the exit code is 1 then."""
    explainer = _explainer()
    status = 0
    write = sys.stdout.write
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip():
            continue
        try:
            text, cwd = _asked(line)
        except ValueError as error:
            status = 1
            found: dict[str, Any] = {"command": None, "error": f"line {number}: {error}"}
        else:
            found = explainer.explain(text, cwd or folder).as_json()
        write(json.dumps(found, ensure_ascii=False) + "\n")
    return status


def _asked(line: str) -> tuple[str, str]:
    try:
        asked = json.loads(line)
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(asked, dict) or not isinstance(asked.get("command"), str):
        raise ValueError('not an object with a text "command"')  # noqa: TRY004  one kind of wrong line
    cwd = asked.get("cwd")
    return asked["command"], cwd if isinstance(cwd, str) else ""
