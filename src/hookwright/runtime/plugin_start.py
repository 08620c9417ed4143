"""The first event of a plugin that carries its own copy of the package: write a launcher, become it.

plugin/start.sh → [start] → $CLAUDE_PLUGIN_DATA/hook as-plugin
Not the launcher of `hookwright install`: the data directory goes with the plugin, and the copy's path changes with each
update, which start.sh notices. Needs the standard library only.
"""

from __future__ import annotations

import contextlib
import os
import sys

from hookwright.errors import UserError
from hookwright.runtime import launcher
from hookwright.runtime.entry_match import AS_PLUGIN, LAUNCHER


def start(package: str, data: str) -> None:
    """Answer the event on stdin with the package in this directory. `data`: the plugin's own, "" if unknown."""
    if data:
        path = f"{data}/{LAUNCHER}"
        with contextlib.suppress(UserError, OSError):
            os.makedirs(data, mode=0o700, exist_ok=True)
            text = launcher.render_launcher(launcher.find_interpreter(), package, launcher.bundle_prefix(package))
            launcher.write_launcher(path, text)
            os.execv(path, [path, AS_PLUGIN])  # noqa: S606  becoming that very process is the point
    # The launcher cannot be written or started: the same code, in this process.
    from hookwright.runtime.main import main  # noqa: PLC0415

    sys.argv[1:] = [AS_PLUGIN]
    main(launcher.bundle_prefix(package) + str(sys.implementation.cache_tag))
