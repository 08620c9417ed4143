"""hookwright explain: how a shell command is parsed, how each call is classified, what every hook would decide."""

from __future__ import annotations

import json
import os
import shlex
import sys
from typing import TYPE_CHECKING, Any

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.output import print_json, print_line
from hookwright.errors import UserError

if TYPE_CHECKING:
    from hookwright.cli.explainer import Explainer


@click.command("explain", epilog="Example:  hookwright explain 'cd web && npm ci && rm -rf ~/old'")
@click.argument("text", metavar="[COMMAND]", default="")
@click.option("--cwd", metavar="DIR", default="", help="Where it would run. [default: this directory]")
@click.option("--jsonl", is_flag=True, help='Read lines {"command", "cwd"} from stdin, print a JSON line for each.')
@click.option("--all", "everything", is_flag=True, help="Also name the rules that checked a call and let it pass.")
@json_option
def command(*, text: str, cwd: str, jsonl: bool, everything: bool, as_json: bool) -> int:
    """Show how a command is parsed, how each call is classified, and what would be decided.

    Uses your configuration and answers as in an interactive session. Nothing is run and nothing is recorded.
    """
    folder = _resolve_cwd(cwd)
    if jsonl:
        if text:
            raise click.UsageError("give either COMMAND or --jsonl, not both")
        return _explain_stdin(folder)
    if not text.strip():
        raise click.UsageError("COMMAND is missing; quote it: hookwright explain 'npm ci && npm test'")
    found = _load_explainer().explain(text, folder, include_passed=everything and not as_json)
    if as_json:
        print_json(found.as_json())
        return 0
    from hookwright.cli.views.explain_view import show_explanation  # noqa: PLC0415  not needed for --json

    show_explanation(found, folder)
    directories = _find_user_hooks(folder)
    if directories:
        print_line()
        print_line(f"User hooks are not run by explain (they may have side effects): {', '.join(directories)}")
        print_line(f"  try: hookwright run PreToolUse --command {shlex.quote(text)}", wrap=False)
    return 0


def _find_user_hooks(folder: str) -> list[str]:
    """The directories with user hooks that could decide here."""
    from hookwright.cli.text import shorten_home  # noqa: PLC0415  not needed for --json
    from hookwright.config import config_files  # noqa: PLC0415
    from hookwright.config.discover_files import list_python_files  # noqa: PLC0415
    from hookwright.store import paths  # noqa: PLC0415

    own = config_files.hooks_folder(paths.config_dir(os.environ.get))
    project = config_files.find_project_config(folder, os.environ.get("HOME"))[1]
    return [shorten_home(path) for path in (own, project) if path and list_python_files(path)]


def _resolve_cwd(cwd: str) -> str:
    if cwd and not os.path.isdir(cwd):
        raise UserError("no such directory", where=cwd, fix="hookwright explain --cwd DIR 'COMMAND'")
    return os.path.abspath(cwd or os.getcwd())


def _load_explainer() -> Explainer:
    from hookwright.cli.explainer import build_explainer  # noqa: PLC0415  not needed for --help

    return build_explainer()


def _explain_stdin(folder: str) -> int:
    """Print a JSON line for each line of stdin; a line without a command gets an error, and the exit code is 1 then."""
    explainer = _load_explainer()
    status = 0
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip():
            continue
        try:
            text, cwd = _parse_request(line)
        except ValueError as error:
            status = 1
            found: dict[str, Any] = {"command": None, "error": f"line {number}: {error}"}
        else:
            found = explainer.explain(text, cwd or folder).as_json()
        print_json(found, one_line=True)
    return status


def _parse_request(line: str) -> tuple[str, str]:
    try:
        request = json.loads(line)
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(request, dict) or not isinstance(request.get("command"), str):
        raise ValueError('not an object with a text "command"')  # noqa: TRY004  one kind of wrong line
    cwd = request.get("cwd")
    return request["command"], cwd if isinstance(cwd, str) else ""
