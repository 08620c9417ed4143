"""How the user can type our command: by its name, or by its path and with the line that puts it into PATH.

install → [find_own_command] → "hookwright" or a path, and hints
"""

from __future__ import annotations

import os
import shutil
import sys

from hookwright.cli.text import shorten_home
from hookwright.runtime.package_copy import find_ephemeral

NAME = "hookwright"
INSTALL_COMMAND = "to keep the command as well: uv tool install hookwright (or: pipx install hookwright)"


def find_own_command(package: str, data: str) -> tuple[str, list[str]]:
    """What to type for this command, and hints: a line for PATH, or how to install it for good."""
    if find_ephemeral(package, data):
        return NAME, [INSTALL_COMMAND]
    path = _find_program()
    found = shutil.which(NAME)
    if not path or (found and os.path.realpath(found) == os.path.realpath(path)):
        return NAME, []
    link = os.path.expanduser(f"~/.local/bin/{NAME}")
    if os.path.realpath(link) == os.path.realpath(path):
        path = link
    folder = os.path.dirname(path)
    if folder in os.environ.get("PATH", "").split(os.pathsep):
        return shorten_home(path), []
    home = os.path.expanduser("~")
    shown = f"$HOME{folder[len(home) :]}" if f"{folder}/".startswith(home + "/") else folder
    return shorten_home(path), [f'{shorten_home(folder)} is not in your PATH; to add it:\nexport PATH="{shown}:$PATH"']


def _find_program() -> str:
    """The script that was started; "" if this is `python -m hookwright` without one."""
    started = os.path.abspath(sys.argv[0]) if sys.argv and "/" in sys.argv[0] else shutil.which(sys.argv[0]) or ""
    if os.path.basename(started) == NAME and os.access(started, os.X_OK):
        return started
    beside = os.path.join(os.path.dirname(sys.executable), NAME)
    return beside if os.access(beside, os.X_OK) else ""
