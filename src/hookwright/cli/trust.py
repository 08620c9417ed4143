"""hookwright trust: the user has read this project's files; from now on exactly these bytes count in full."""

from __future__ import annotations

import json
import os
import sys

import click

from hookwright.cli.config import Files
from hookwright.cli.output import as_json, print_json
from hookwright.errors import UserError
from hookwright.plan import projects, sources
from hookwright.plan.projects import Project
from hookwright.state import paths


@click.command("trust", epilog="Example:  cd my-project && hookwright trust")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--revoke", is_flag=True, help="Take the trust back.")
@as_json
def command(*, yes: bool, revoke: bool, as_json: bool) -> int:
    """Let this project's own hooks run, and its configuration do more than tighten.

    The .hookwright.toml of a cloned repository may only turn hooks on and lower limits, and Python files in its
    .hookwright/hooks do not run at all. This shows all of them, asks, and records their hashes for this folder. When
    one changes, appears or goes, or the folder moves, they have to be trusted again. --json without --yes only tells.
    """
    files = Files()
    here = projects.look(files.project, files.folder)
    if not here.contents:
        what = f"no {sources.PROJECT_FILE} and no {sources.PROJECT_HOOKS}/*.py here or above"
        raise UserError(what, where=os.getcwd(), fix="hookwright config path")
    if not files.state:
        raise UserError("there is no place to remember it: HOME is not set", fix="export HOME")
    if revoke:
        if os.path.exists(files.trust):
            os.unlink(files.trust)
    else:
        _refuse_links(here)
        if not as_json:
            _ask(here, files.trust, yes=yes)
        if yes or not as_json:
            _write(here, files.trust)
    if as_json:
        trusted = projects.is_trusted(here, files.trust)
        print_json({"project": files.name, "trusted": trusted, "files": here.hashes})
    else:
        count = len(here.hashes)
        what = os.path.dirname(files.name)
        print(f"{'no longer trusted' if revoke else 'trusted'}: {what} ({count} {'file' if count == 1 else 'files'})")
    return 0


def _refuse_links(here: Project) -> None:
    if here.links:
        what = "a link cannot be trusted: what it points at can change unseen"
        raise UserError(what, where=here.links[0], fix="put the file itself there")


def _ask(here: Project, trust: str, *, yes: bool) -> None:
    if yes:
        return
    known = projects.recorded(trust)
    for path, found in here.hashes.items():
        if known.get(path) == found:
            print(f"--- {path} (as you trusted it)")
            continue
        text = here.contents[path].decode("utf-8", "replace")
        print(f"--- {path}{' (changed)' if path in known else ''}\n{_visible(text).rstrip()}")
    for path in known.keys() - here.hashes.keys():
        print(f"--- {path} (gone)")
    print("---")
    if not sys.stdin.isatty():
        raise UserError("trusting needs your word", where=next(iter(here.contents)), fix="hookwright trust --yes")
    click.confirm(f"Trust exactly {'this file' if len(here.hashes) == 1 else 'these files'}?", abort=True)


def _visible(text: str) -> str:
    """Nothing in a stranger's file may hide from the reader: no escape sequence, no reversed direction of writing."""
    return "".join(c if c.isprintable() or c in "\n\t" else f"\\u{ord(c):04x}" for c in text.replace("\r\n", "\n"))


def _write(here: Project, trust: str) -> None:
    """Exactly what was read and shown; a file that changed meanwhile is not it."""
    paths.make_private(os.path.dirname(trust))
    temporary = f"{trust}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as file:
        json.dump({"files": here.hashes}, file)
    os.replace(temporary, trust)
