"""cli/output: one function prints lines; it escapes, wraps to the terminal and colours only there."""

import os
import pty
import subprocess
import sys

import pytest

from hookwright.cli import output

PROGRAM = """
from hookwright.cli.output import OK, dim, print_line
print_line(OK, " one two three four five six seven ", dim("eight \\x1b[2K nine"), hang=4)
"""


def on_a_terminal(columns, **env):
    ours, theirs = pty.openpty()
    env = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm", **env}
    try:
        subprocess.run([sys.executable, "-c", PROGRAM], stdout=theirs, env=env, check=True, timeout=60)
        return os.read(ours, 1 << 16).decode().replace("\r\n", "\n")
    finally:
        os.close(ours)
        os.close(theirs)


def test_in_a_pipe_a_line_is_whole_and_plain(capsys):
    output.print_line(output.OK, " a\nb ", output.dim("\x1b[2K" + "x " * 200))
    assert capsys.readouterr().out == "✓ a⏎b ·[2K" + ("x " * 200).rstrip() + "\n"


def test_on_a_terminal_it_is_wrapped_coloured_and_still_escaped():
    shown = on_a_terminal(26)
    assert shown.startswith("\x1b[32m✓\x1b[0m one two three four five\n    six seven ")
    assert "\x1b[2m" in shown
    assert "\x1b[2K" not in shown


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_refused(env):
    assert "\x1b" not in on_a_terminal(80, **env)


def test_a_table_in_a_pipe_is_not_cut_and_its_cells_are_escaped(capsys):
    output.print_table(("name", "n"), [("a" * 120, output.Styled("1", "red")), ("b\x1b[2K[bold]", "2")], right=("n",))
    shown = capsys.readouterr().out
    assert "a" * 120 in shown
    assert "b·[2K[bold]" in shown
    assert "\x1b" not in shown


@pytest.mark.parametrize("value", [{"a": "é"}, {"a": "\ud83d"}])
def test_json_is_one_line_also_with_half_a_character(capsys, value):
    output.print_json(value)
    shown = capsys.readouterr().out
    assert shown.count("\n") == 1
    assert __import__("json").loads(shown) == value
