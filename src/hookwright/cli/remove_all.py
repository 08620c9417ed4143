"""Remove everything that hookwright put on this machine for this user, and say what it was.

uninstall --all → [list_belongings] → shown, confirmed → [remove_belongings]
Settings entries are removed before, by uninstall itself. The user's own configuration stays: they wrote it.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass

from hookwright.runtime import launcher
from hookwright.runtime.package_copy import PACKAGES, find_ephemeral
from hookwright.store import paths

VENV = "venv"  # below the data directory; made by `make install`


@dataclass(frozen=True)
class Belonging:
    """A file or directory of ours."""

    path: str
    what: str

    @property
    def size(self) -> int:
        """In bytes, of the files in it."""
        if not os.path.isdir(self.path) or os.path.islink(self.path):
            return os.lstat(self.path).st_size
        found = 0
        for base, _, files in os.walk(self.path):
            for name in files:
                try:
                    found += os.lstat(os.path.join(base, name)).st_size
                except OSError:
                    continue
        return found


def list_belongings() -> list[Belonging]:
    """What is there of ours besides settings entries, in the order in which it is removed."""
    data = launcher.data_home()
    venv = f"{data}/{VENV}"
    found = [
        Belonging(launcher.launcher_path(), "launcher"),
        Belonging(f"{data}/{PACKAGES}", "copy of the package"),
        Belonging(paths.cache_dir(os.environ.get) or "", "cache"),
        Belonging(paths.state_dir(os.environ.get) or "", "journal, ledger and what was learned"),
    ]
    link = os.path.expanduser("~/.local/bin/hookwright")
    if os.path.islink(link) and os.path.realpath(link).startswith(os.path.realpath(venv) + "/"):
        found.append(Belonging(link, "command"))
    # Last: this very process may run from it.
    found.append(Belonging(venv, "environment"))
    return [each for each in found if each.path and os.path.lexists(each.path)]


def remove_belongings(belongings: list[Belonging]) -> list[str]:
    """Remove them; returns what could not be removed, with the reason."""
    failed = []
    for each in belongings:
        try:
            if os.path.isdir(each.path) and not os.path.islink(each.path):
                shutil.rmtree(each.path)
            else:
                os.unlink(each.path)
        except FileNotFoundError:
            continue  # what was removed before has taken it along
        except OSError as error:
            failed.append(f"{each.path}: {error.strerror}")
    for folder in (launcher.data_home(),):
        try:
            os.rmdir(folder)
        except OSError:
            continue
    return failed


def find_package_command() -> str:
    """How to remove the package itself, which a package manager has installed; "" if nothing is left of it."""
    package = launcher.package_root()
    data = launcher.data_home()
    if package.startswith(f"{data}/") or find_ephemeral(package, data):
        return ""
    if "/uv/tools/" in package:
        return "uv tool uninstall hookwright"
    if "/pipx/venvs/" in package:
        return "pipx uninstall hookwright"
    return f"{sys.executable} -m pip uninstall hookwright"
