"""What a command line runs, as its calls tell it."""

import json
from pathlib import Path

import pytest

from hookwright.shell.command import Command

CORPORA = Path(__file__).parent.parent / "corpora"


def texts(command: str) -> list[str]:
    read = Command(command)
    calls = [call.text for call in read.calls]
    assert read.problem is None
    return calls


@pytest.mark.parametrize(
    ("command", "calls"),
    [
        ("git status", ["git status"]),
        ("a && b || c; d & e", ["a", "b", "c", "d", "e"]),
        ("X=/; rm -rf $X", ["rm -rf /"]),
        ("for d in / /home; do rm -rf $d; done", ["rm -rf /", "rm -rf /home"]),
        ("echo {a,b}{1..3}", ["echo a1 a2 a3 b1 b2 b3"]),
        ("f() { rm -rf $1; }; f /", ["f /", "rm -rf /"]),
        ("bash -c 'rm -rf \"$1\"' _ /", ['bash -c rm -rf "$1" _ /', "rm -rf /"]),
        ("echo cm0gLXJmIC8= | base64 -d | sh", ["echo cm0gLXJmIC8=", "base64 -d", "sh", "rm -rf /"]),
        ("bash <<EOF\nrm -rf /\nEOF", ["bash", "rm -rf /"]),
        ("cat <<'EOF' > x\nrm -rf /\nEOF", ["cat"]),
        ("timeout 5m env A=1 nice -n 5 npx --yes prisma@5 migrate", ["prisma migrate"]),
        ("python -m pytest -q", ["pytest -q"]),
        ("echo / | xargs rm -rf", ["echo /", "rm -rf /"]),
        ("(cd / && rm -rf .)", ["cd /", "rm -rf ."]),
        ("git commit -m 'npm install'", ["git commit -m npm install"]),
    ],
)
def test_a_command_line_is_the_calls_it_makes(command, calls):
    assert texts(command) == calls


@pytest.mark.parametrize("corpus", ["danger_dev", "long_dev"])
def test_every_command_of_the_corpora_is_read(corpus):
    for line in (CORPORA / f"{corpus}.jsonl").read_text().splitlines():
        assert texts(json.loads(line)["cmd"])
