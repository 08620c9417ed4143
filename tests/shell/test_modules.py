"""The hot path: which modules a command loads. A new interpreter each, since this one has seen everything."""

import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
STRIPPED = {"hookwright", "hookwright.shell", "__future__"}  # packages, and what the bundle leaves out
PROGRAM = """
import sys
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
from hookwright.shell.command import Command
from hookwright.shell.scripts.project import Project
Command(sys.argv[2], cwd="/nowhere", scripts=Project() if sys.argv[3] else None).calls
print(*sorted(set(sys.modules) - before))
"""


def loaded(command, *, scripts=False):
    program = PROGRAM if scripts else PROGRAM.replace("from hookwright.shell.scripts.project import Project\n", "")
    arguments = [sys.executable, "-I", "-S", "-c", program, str(SOURCE), command, "yes" if scripts else ""]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=60)
    return {name.removeprefix("hookwright.shell.") for name in done.stdout.split()} - STRIPPED


@pytest.mark.parametrize(
    ("command", "modules"),
    [
        ("git status --short", "command"),
        ("npm install", "command"),
        ("docker ps -a", "command"),
        ("npm ci && npm run build 2>&1 | tail -5", "command plain parts"),
        ("git commit -m 'a b' && git push", "command words reader walk"),
        ("rm -rf $X | head", "command words reader walk"),
        ("sudo rm -rf /", "command walk wrappers"),
        ("npx jest", "command walk wrappers"),
        ("bash -c 'rm -rf /'", "command words reader walk wrappers carriers"),
        ("echo {a,b}", "command words reader walk values"),
        ("echo cm0= | base64 -d | sh", "binascii command plain words reader walk wrappers carriers values"),
    ],
)
def test_a_command_loads_only_what_it_needs(command, modules):
    assert loaded(command) == set(modules.split())


@pytest.mark.parametrize("command", ["npm run x", "make x", "just x", "nox -s x"])
def test_scripts_load_no_library(command):
    foreign = {name for name in loaded(command, scripts=True) if "." in name and not name.startswith("scripts.")}
    assert foreign <= {"hookwright.protocol", "hookwright.protocol.json"}
