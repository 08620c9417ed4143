"""hookwright hook: the door, as Claude Code starts it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import click

from hookwright.door import bundle, launcher, plugin
from hookwright.door.entry import AS_PLUGIN
from hookwright.state import paths


@click.command(
    "hook",
    epilog='Example:  echo \'{"tool_input": {"command": "npm install"}}\' | hookwright hook',
)
@click.option("--print-argv", is_flag=True, help="Print the JSON list that the installer registers, and stop.")
@click.option("--as-plugin", is_flag=True, hidden=True, help="Stand aside where settings register the door.")
def command(*, print_argv: bool, as_plugin: bool) -> int:
    """Answer one event: payload on stdin, answer on stdout.

    Becomes exactly the process that the installer registers, so both always agree.
    """
    argv = launcher.argv()
    plugin.leave(argv, bundle.package_root(), paths.state_dir(os.environ.get))  # its next call finds the short way
    if print_argv:
        print(json.dumps(argv))
        return 0
    argv += [AS_PLUGIN] if as_plugin else []
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(argv[0], argv)  # noqa: S606  becoming that very process is the point
    return subprocess.run(argv, check=False).returncode
