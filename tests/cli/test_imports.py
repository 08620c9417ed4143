"""What a command imports: printing costs nothing, and no command loads another one's work."""

import subprocess
import sys

import pytest

HEAVY = ("sqlite3", "rich", "asyncio", "hookwright.settings.edit", "hookwright.settings.load", "hookwright.engine")
PROGRAM = """
import sys
from hookwright.cli.main import program
try:
    program.main(sys.argv[1:], standalone_mode=False)
finally:
    print(*sorted(sys.modules), sep="\\n", file=sys.stderr)
"""


def modules_of(tmp_path, *words):
    argv = [sys.executable, "-c", PROGRAM, *words]
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(argv, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=120)
    return set(done.stderr.split())


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        (("explain", "git status"), ()),
        (("explain", "--json", "git status"), ()),
        (("--help",), ()),
        (("verify", "--help"), ()),
        (("test", "--help"), ()),
        (("config", "path"), ()),
        (("log",), ("sqlite3",)),
        (("why", "--help"), ("sqlite3",)),
        (("stats", "--json"), ("sqlite3",)),
        (("status",), ("sqlite3", "rich", "hookwright.settings.load")),
        (("status", "--json"), ("sqlite3", "hookwright.settings.load")),
    ],
)
def test_a_command_loads_only_what_it_needs(tmp_path, words, allowed):
    loaded = modules_of(tmp_path, *words)
    assert "hookwright.cli.main" in loaded
    assert sorted(loaded.intersection(HEAVY) - set(allowed)) == []


def test_printing_helpers_import_nothing_of_hookwright(tmp_path):
    program = "import sys, hookwright.cli.output; print(*(n for n in sys.modules if n.startswith('hookwright.')))"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert set(shown.split()) == {"hookwright.cli", "hookwright.cli.output", "hookwright.cli.text"}
