"""hookwright hook: answer one event, as the launcher does that Claude Code starts."""

from __future__ import annotations

import contextlib
import os
import sys

import click

from hookwright.cli.output import print_json
from hookwright.errors import UserError
from hookwright.runtime import launcher
from hookwright.runtime.entry_match import AS_PLUGIN


@click.command(
    "hook",
    epilog='Example:  echo \'{"tool_input": {"command": "npm install"}}\' | hookwright hook',
)
@click.option("--print-argv", is_flag=True, help="Print the command line that install registers, as a JSON list.")
@click.option("--as-plugin", is_flag=True, hidden=True, help="Do nothing where settings.json registers hookwright too.")
def command(*, print_argv: bool, as_plugin: bool) -> int:
    """Answer one event: payload on stdin, answer on stdout.

    Replaces itself with the command that install registers, so that both always give the same answer.
    """
    if print_argv:
        launcher.install_launcher()
        print_json(launcher.build_argv(), one_line=True)
        return 0
    words = [AS_PLUGIN] if as_plugin else []
    with contextlib.suppress(UserError, OSError):
        launcher.install_launcher(with_bundle=False)  # the launcher builds it, after its answer
        path = launcher.launcher_path()
        os.execv(path, [path, *words])  # noqa: S606  becoming that very process is the point
    # The launcher cannot be written or started: the same code, in this process.
    from hookwright.runtime.main import main  # noqa: PLC0415

    sys.argv[1:] = words
    return main(launcher.bundle_dir())
