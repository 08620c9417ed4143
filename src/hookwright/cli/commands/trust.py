"""hookwright trust: the user has reviewed this project's files; exactly these bytes are trusted from now on."""

from __future__ import annotations

import json
import os
import sys

import click

from hookwright.cli.arguments import json_option, yes_option
from hookwright.cli.config_context import ConfigContext
from hookwright.cli.output import ask_yes_or_no, print_block, print_json, print_line
from hookwright.cli.require_person import require_person
from hookwright.cli.text import count, escape_name
from hookwright.config import config_files, trust as projects
from hookwright.config.trust import ProjectFiles
from hookwright.errors import UserError
from hookwright.proc.atomic_write import write_atomic
from hookwright.store import paths


@click.command("trust", epilog="Example:  cd my-project && hookwright trust")
@yes_option
@click.option("--revoke", is_flag=True, help="No longer trust this project.")
@json_option
def command(*, yes: bool, revoke: bool, as_json: bool) -> int:
    """Trust this project: its hooks may run, and its configuration may loosen limits.

    Without trust the .hookwright.toml of a repository can only turn hooks on and lower limits, and Python files in its
    .hookwright/hooks do not run. This command shows these files, asks, and records their hashes for this directory.
    When a file changes, appears or vanishes, or the directory moves, the project must be trusted again. --json without
    --yes only reports.
    """
    files = ConfigContext()
    project_files = projects.read_project(files.project, files.project_hooks)
    if not project_files.contents:
        what = f"no {config_files.PROJECT_FILE} and no {config_files.PROJECT_HOOKS}/*.py in this directory or above"
        raise UserError(what, where=os.getcwd(), fix="hookwright config path")
    if not files.state:
        raise UserError("trust cannot be recorded: HOME is not set", fix="export HOME")
    if revoke:
        require_person("hookwright trust")
        if os.path.exists(files.trust):
            os.unlink(files.trust)
    else:
        _refuse_unsafe(project_files)
        if not as_json:
            require_person("hookwright trust")
            _confirm_trust(project_files, files.trust, yes=yes)
        if yes or not as_json:
            require_person("hookwright trust")
            _write_hashes(project_files, files.trust)
    if as_json:
        trusted = projects.is_trusted(project_files, files.trust)
        print_json({"project": files.name, "trusted": trusted, "files": project_files.hashes})
    else:
        number = count(len(project_files.hashes), "file")
        print_line(f"{'no longer trusted' if revoke else 'trusted'}: {os.path.dirname(files.name)} ({number})")
    return 0


def _refuse_unsafe(project_files: ProjectFiles) -> None:
    if project_files.links:
        what = "a symlink cannot be trusted: its target can change unnoticed"
        raise UserError(what, where=project_files.links[0], fix="replace it with the file itself")
    if project_files.unreadable:
        what = f"what cannot be read cannot be trusted: {project_files.unreadable}"
        raise UserError(what, where=project_files.folder, fix="take these files out of the project")


def _confirm_trust(project_files: ProjectFiles, trust: str, *, yes: bool) -> None:
    if yes:
        return
    known = projects.read_trusted_hashes(trust)
    for path, found in project_files.hashes.items():
        if known.get(path) == found:
            print_line(f"--- {escape_name(path)} (unchanged, trusted before)", wrap=False)
            continue
        text = project_files.contents[path].decode("utf-8", "replace")
        print_line(f"--- {escape_name(path)}{' (changed)' if path in known else ''}", wrap=False)
        print_block(text)
    for path in known.keys() - project_files.hashes.keys():
        print_line(f"--- {escape_name(path)} (removed)", wrap=False)
    print_line("---")
    if not sys.stdin.isatty():
        raise UserError("nothing was trusted: confirmation needs a terminal", fix="hookwright trust --yes")
    ask_yes_or_no(f"Trust exactly {'this file' if len(project_files.hashes) == 1 else 'these files'}?")


def _write_hashes(project_files: ProjectFiles, trust: str) -> None:
    """Record the hashes of what was shown; a file that changed meanwhile stays untrusted."""
    paths.make_private(os.path.dirname(trust))
    write_atomic(trust, json.dumps({"files": project_files.hashes}).encode(), durable=True)
