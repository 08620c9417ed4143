"""hookwright trust: the user has read this project's file; from now on exactly these bytes count in full."""

from __future__ import annotations

import json
import os
import sys

import click

from hookwright.cli.config import Files
from hookwright.cli.output import as_json, print_json
from hookwright.errors import UserError
from hookwright.plan import compiler, sources
from hookwright.state import paths


@click.command("trust", epilog="Example:  cd my-project && hookwright trust")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--revoke", is_flag=True, help="Take the trust back.")
@as_json
def command(*, yes: bool, revoke: bool, as_json: bool) -> int:
    """Let this project's .hookwright.toml do more than tighten.

    A project file from a cloned repository may only turn hooks on and lower limits. This shows the file, asks,
    and records its hash; when the file changes, it has to be trusted again.
    """
    files = Files()
    if not files.project:
        raise UserError(f"no {sources.PROJECT_FILE} here or above", where=os.getcwd(), fix="hookwright config path")
    if not files.state:
        raise UserError("there is no place to remember it: HOME is not set", fix="export HOME")
    if revoke:
        if os.path.exists(files.trust):
            os.unlink(files.trust)
    else:
        _ask(files.project, yes=yes or as_json)
        _write(files)
    if as_json:
        print_json({"project": files.project, "trusted": not revoke})
    else:
        print(f"{'no longer trusted' if revoke else 'trusted'}: {files.project}")
    return 0


def _ask(project: str, *, yes: bool) -> None:
    if yes:
        return
    with open(project, encoding="utf-8", errors="replace") as file:
        print(f"--- {project}\n{file.read().rstrip()}\n---")
    if not sys.stdin.isatty():
        raise UserError("trusting needs your word", where=project, fix="hookwright trust --yes")
    click.confirm("Trust exactly this file?", abort=True)


def _write(files: Files) -> None:
    assert files.state
    paths.make_private(os.path.dirname(files.trust))
    temporary = f"{files.trust}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump({"files": {files.project: compiler.fingerprint(files.project)}}, file)
    os.replace(temporary, files.trust)
