"""Sets hookwright up for one user: an environment of its own, the `hookwright` command, then `hookwright install`.

    python3 scripts/setup_user.py [--yes]          make install

Needs Python 3.11 or newer and nothing else; Claude Code need not be there. The environment is separate from this
folder, so the folder may go afterwards. Run it again to upgrade. Without a terminal nobody can be asked: the command is
then taken as the answer, after the diff has been shown.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036  this file is what an older Python would start
        print(f"hookwright needs Python 3.11 or newer, this is {sys.version.split()[0]}")
        print("     try: make PYTHON=python3.12 install")
        return 1
    home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    folder = os.path.join(home, "hookwright", "venv")
    python = os.path.join(folder, "bin", "python")
    print(f"1/3  environment  {folder}", flush=True)
    try:
        if not os.path.exists(python):
            venv.create(folder, with_pip=True, symlinks=os.name == "posix")
    except subprocess.CalledProcessError:
        print("     Python's venv module is incomplete here; on Debian and Ubuntu try: sudo apt install python3-venv")
        return 1
    print("2/3  package", flush=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", HERE]
    if subprocess.run(pip, check=False).returncode != 0:
        print("     pip could not install the package; its message is above")
        return 1
    command = os.path.join(folder, "bin", "hookwright")
    link(command)
    print("3/3  hooks", flush=True)
    yes = ["--yes"] if "--yes" in sys.argv or not sys.stdin.isatty() else []
    # In the home directory: this folder has a configuration of its own, which is no part of what is set up.
    return subprocess.run([command, "install", *yes], cwd=os.path.expanduser("~"), check=False).returncode


def link(command: str) -> None:
    """Put the command where shells look, unless something else has that name."""
    place = os.path.expanduser("~/.local/bin/hookwright")
    if os.path.lexists(place) and not (os.path.islink(place) and os.readlink(place) == command):
        print(f"     {place} is something else and stays; the command is {command}")
        return
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if not os.path.lexists(place):
        os.symlink(command, place)
    if os.path.dirname(place) not in os.environ.get("PATH", "").split(":"):
        print(f"     command: {place} (its folder is not in your PATH)")


if __name__ == "__main__":
    sys.exit(main())
