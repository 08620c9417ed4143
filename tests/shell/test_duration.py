"""How long a command keeps the foreground: a table of commands, and the bars over the labelled corpus."""

from pathlib import Path

import pytest

from hookwright.shell.command import Command
from hookwright.shell.duration import judge

HERE = Path(__file__).parent


def rows():
    for line in (HERE / "durations.txt").read_text().splitlines():
        verdict, _, command = line.partition(" ")
        if verdict in ("force", "suggest", "none"):
            yield pytest.param(verdict, command.strip().replace("\\n", "\n"), id=command.strip())


@pytest.mark.parametrize(("verdict", "command"), list(rows()))
def test_a_command_is_as_long_as_its_longest_foreground_call(verdict, command):
    assert judge(Command(command))[0] == verdict
