"""The hot path: which modules a command loads. Each in a new interpreter, since this one has loaded all."""

import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
STRIPPED = {"hookwright", "hookwright.shell", "__future__"}  # packages, and what the bundle leaves out
ALWAYS = {"call", "command"}
PROGRAM = """
import sys
before = set(sys.modules)
sys.path.insert(0, sys.argv[1])
from hookwright.shell.command import Command
from hookwright.shell.project_scripts.find_script import Project
Command(sys.argv[2], cwd="/nowhere", scripts=Project() if sys.argv[3] else None).calls
print(*sorted(set(sys.modules) - before))
"""


def loaded(command, *, scripts=False):
    program = (
        PROGRAM
        if scripts
        else PROGRAM.replace("from hookwright.shell.project_scripts.find_script import Project\n", "")
    )
    arguments = [sys.executable, "-I", "-S", "-c", program, str(SOURCE), command, "yes" if scripts else ""]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=60)
    return {name.removeprefix("hookwright.shell.") for name in done.stdout.split()} - STRIPPED


@pytest.mark.parametrize(
    ("command", "modules"),
    [
        ("git status --short", ""),
        ("npm install", ""),
        ("docker ps -a", ""),
        ("npm ci && npm run build 2>&1 | tail -5", "fast_parser redirects"),
        ("git commit -m 'a b' && git push", "lexer parser evaluator"),
        ("rm -rf $X | head", "lexer parser evaluator"),
        ("sudo rm -rf /", "evaluator wrappers"),
        ("npx jest", "evaluator wrappers"),
        ("bash -c 'rm -rf /'", "lexer parser evaluator wrappers nested_commands"),
        ("echo {a,b}", "lexer parser evaluator expansion"),
        (
            "echo cm0= | base64 -d | sh",
            "binascii fast_parser lexer parser evaluator wrappers nested_commands simulated_output",
        ),
    ],
)
def test_a_command_loads_only_what_it_needs(command, modules):
    assert loaded(command) == ALWAYS | set(modules.split())


@pytest.mark.parametrize("command", ["npm run x", "make x", "just x", "nox -s x"])
def test_scripts_load_no_library(command):
    foreign = {
        name for name in loaded(command, scripts=True) if "." in name and not name.startswith("project_scripts.")
    }
    assert foreign <= {f"hookwright.{name}" for name in ("proc", "proc.safe_read", "protocol", "protocol.json")}
