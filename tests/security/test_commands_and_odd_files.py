"""A fifo, a directory, a device or a link loop where a file of ours or of the client should be: no command hangs.

Each ends by itself with 0 (done) or 1 (the user can fix it), never with a traceback.
"""

import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hookwright.store.paths import project_key
from hookwright.testing.builders import bash

pytestmark = pytest.mark.slow

WAIT_S = 300
STATE = ".local/state/hookwright"
COMMANDS = {
    "install": ["install", "--yes"],
    "uninstall": ["uninstall", "--yes"],
    "status": ["status"],
    "verify": ["verify"],
    "run": ["run", "PreToolUse", "--command", "rm -rf /", "--yes"],
    "log": ["log", "--json"],
    "config check": ["config", "check"],
}
# The commands that read the file; {day} is today's.
PLACES = {
    ".claude/settings.json": ("install", "uninstall", "status", "verify", "run"),
    ".claude.json": ("install", "status", "verify"),
    "project/.claude/settings.json": ("install", "status", "verify", "run"),
    "project/.claude/settings.local.json": ("status", "run"),
    "project/.hookwright.toml": ("status", "run", "config check"),
    ".config/hookwright/config.toml": ("install", "status", "run", "config check"),
    f"{STATE}/trust/{{trust}}.json": ("status", "run", "config check"),
    f"{STATE}/journal/{{day}}.jsonl": ("log", "status"),
    f"{STATE}/journal/.failures": ("log",),
    f"{STATE}/ledger.db": ("log", "status"),
    f"{STATE}/ingest.lock": ("log",),
    ".local/share/hookwright/hook": ("install", "status", "verify", "uninstall"),
}


def make_loop(path):
    path.symlink_to(path)


def make_device(path):
    path.symlink_to("/dev/zero")


MAKES = {"fifo": os.mkfifo, "directory": Path.mkdir, "loop": make_loop, "device": make_device}
# All with a fifo, since waiting is what it does; the others with the first command of each.
CASES = [(place, command, "fifo") for place, commands in PLACES.items() for command in commands]
CASES += [(place, commands[0], kind) for place, commands in PLACES.items() for kind in ("directory", "loop", "device")]


def run_command(hook_process, words):
    (hook_process.home / "project").mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-m", "hookwright", *words],
        env=hook_process.env,
        cwd=hook_process.home / "project",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )


@pytest.mark.parametrize(("place", "command", "kind"), CASES, ids=lambda text: text.rpartition("/")[2])
def test_no_command_hangs_or_crashes(hook_process, place, command, kind):
    hook_process(bash("rm -rf /", cwd=str(hook_process.home / "project")).raw)
    project = hook_process.home / "project/.hookwright.toml"
    project.parent.mkdir()
    if "trust" in place:
        project.write_text("[auto_background]\nmode = 'off'\n")
    day = datetime.now(tz=UTC).strftime("%Y-%m-%d")
    path = hook_process.home / place.format(day=day, trust=project_key(str(project)))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    MAKES[kind](path)
    done = run_command(hook_process, COMMANDS[command])
    assert done.returncode in (0, 1), done
    assert "Traceback" not in done.stderr, done
    assert os.path.lexists(path) or "install" in command  # which may put a launcher there, or remove it
