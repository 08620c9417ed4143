"""Sets hookwright up for one user: an environment of its own, the `hookwright` command, then `hookwright install`.

    python3 scripts/setup_user.py [--yes]          make install
    python3 scripts/setup_user.py --remove         make uninstall

Needs Python 3.11 or newer and nothing else; Claude Code need not be there. The environment is separate from this
folder, so the folder may go afterwards. Run it again to upgrade. With a terminal it asks before the settings are
written; without one nobody can be asked, and the command itself is taken as the answer: what it will change is shown,
the hooks are proven, and the way back is printed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import venv

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
QUIET_S = 10  # between two signs of life, where they are not on a terminal


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036  this file is what an older Python would start
        print(f"hookwright needs Python 3.11 or newer, this is {sys.version.split()[0]}")
        print("     try: make PYTHON=python3.12 install")
        return 1
    home = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    folder = os.path.join(home, "hookwright", "venv")
    if "--remove" in sys.argv:
        return remove(os.path.join(folder, "bin", "hookwright"))
    python = os.path.join(folder, "bin", "python")
    print(f"1/3  environment  {folder}", flush=True)
    if not os.path.exists(python):
        maker = [
            sys.executable,
            "-c",
            "import sys, venv; venv.create(sys.argv[1], with_pip=True, symlinks=True)",
            folder,
        ]
        if os.name != "posix":
            venv.create(folder, with_pip=True)
        elif run_visibly(maker) != 0:
            print(
                "     Python's venv module is incomplete here; on Debian and Ubuntu try: sudo apt install python3-venv"
            )
            return 1
    print("2/3  package      and what it needs, from the package index", flush=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", HERE]
    if run_visibly(pip) != 0:
        print("     pip could not install the package; its message is above")
        return 1
    command = os.path.join(folder, "bin", "hookwright")
    link(command)
    print("3/3  hooks", flush=True)
    yes = ["--yes"] if "--yes" in sys.argv or not sys.stdin.isatty() else []
    # In the home directory: this folder has a configuration of its own, which is no part of what is set up.
    code = subprocess.run([command, "install", *yes], cwd=os.path.expanduser("~"), check=False).returncode
    if code == 0 and yes:
        print(f"Undo: {command} undo (only the settings), or make uninstall (everything)")
    return code


def run_visibly(argv: list[str]) -> int:
    """Run a program of some seconds; the elapsed time shows that it is at work."""
    is_terminal = sys.stdout.isatty()
    began = time.monotonic()
    told = 0
    with subprocess.Popen(argv) as process:
        while True:
            try:
                code = process.wait(1)
                break
            except subprocess.TimeoutExpired:
                seconds = round(time.monotonic() - began)
                if is_terminal:
                    print(f"\r     {seconds} s", end="", flush=True)
                elif seconds - told >= QUIET_S:
                    told = seconds
                    print(f"     {seconds} s", flush=True)
    if is_terminal:
        print("\r" + " " * 20 + "\r", end="", flush=True)
    return code


def remove(command: str) -> int:
    """Everything that `main` and `hookwright install` have made."""
    if not os.path.exists(command):
        print(f"nothing to remove: there is no {command}")
        return 0
    yes = ["--yes"] if "--yes" in sys.argv or not sys.stdin.isatty() else []
    home = os.path.expanduser("~")
    return subprocess.run([command, "uninstall", "--all", *yes], cwd=home, check=False).returncode


def link(command: str) -> None:
    """Put the command where shells look, unless something else has that name."""
    place = os.path.expanduser("~/.local/bin/hookwright")
    if os.path.lexists(place) and not (os.path.islink(place) and os.readlink(place) == command):
        print(f"     {place} is something else and stays; the command is {command}")
        return
    os.makedirs(os.path.dirname(place), exist_ok=True)
    if not os.path.lexists(place):
        os.symlink(command, place)


if __name__ == "__main__":
    sys.exit(main())
