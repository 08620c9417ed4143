"""`stats` for people: bars that fit 80 columns, plain in a pipe."""

import json
import os
import pty
import re
import subprocess
import sys
import time

import pytest

from hookwright.cli.table_layout import lay_out, measure_text
from hookwright.cli.text import render_bar
from hookwright.protocol.json import dumps
from hookwright.store import journal


@pytest.fixture
def home(tmp_path):
    state = f"{tmp_path}/state"
    deny = {
        "hook": "command_guard",
        "verdict": "deny",
        "reason": "数据 " + "deletes a directory " * 6,
        "us": 9,
        "mode": "on",
    }
    for day in range(25):
        for number in range(3 + day):
            record = {
                "event": "PostToolUse",
                "session_id": f"s{day}",
                "project": "/p",
                "tool": "Bash",
                "answer": "deny",
            }
            record |= {"command": f"python scripts/a_rather_long_name.py --with many --flags {number}", "outcome": "ok"}
            record |= {"duration_ms": 900 * number, "decisions": [deny], "tool_use_id": f"t{day}-{number}"}
            assert journal.append(state, time.time() - day * 86400, record, dumps)
    return {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "HOOKWRIGHT_STATE_HOME": state, "TERM": "xterm"}


COMMAND = [sys.executable, "-m", "hookwright", "stats"]


def on_a_terminal(columns, env):
    """What a terminal of so many columns gets."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        COMMAND, stdin=theirs, stdout=theirs, stderr=theirs, env={**env, "COLUMNS": str(columns)}
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
    process.wait()
    os.close(ours)
    return shown.decode()


@pytest.mark.parametrize("columns", [80, 100])
def test_it_fits_the_screen_and_shows_the_weeks(home, columns):
    shown = on_a_terminal(columns, home)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown).replace("\r", "")
    assert max(measure_text(line) for line in plain.splitlines()) <= columns
    assert "\x1b[" in shown
    weeks = re.findall(r"^ \d{4}-\d\d-\d\d +[█▏▎▍▌▋▊▉]+ +(\d+)", plain, flags=re.MULTILINE)
    assert len(weeks) == 4
    assert sum(map(int, weeks)) == sum(3 + day for day in range(25))


def test_colour_can_be_refused(home):
    assert "\x1b" not in on_a_terminal(80, {**home, "NO_COLOR": "1"})


def test_in_a_pipe_every_row_is_one_plain_line(home):
    shown = subprocess.run(COMMAND, env=home, capture_output=True, text=True, check=True).stdout
    assert "\x1b" not in shown
    assert len(re.findall(r"^ command_guard: deny .*deletes a directory", shown, flags=re.MULTILINE)) == 1
    assert "python scripts/a_rather_long_name.py" in shown


def test_json_has_the_weeks_too(home):
    found = json.loads(subprocess.run([*COMMAND, "--json"], env=home, capture_output=True, check=True).stdout)
    assert len(found["weeks"]) == 12
    assert found["weeks"][-1].keys() == {"from", "events", "stopped", "asked", "moved", "seconds_saved"}


@pytest.mark.parametrize(
    ("value", "bar"), [(0, ""), (-1, ""), (1, "▏"), (100, "████"), (50, "██"), (200, "████"), (1e-9, "▏")]
)
def test_a_bar_is_as_long_as_its_value(value, bar):
    assert render_bar(value, 100, 4) == bar


@pytest.mark.parametrize("screen", [20, 40, 79])
def test_cells_are_folded_never_cut(screen):
    cells = ("a long text with several words", "12", "ein-Wort-das-nicht-zu-trennen-ist", "数据库数据库数据库数据库")
    [_, lines] = lay_out(("a", "b", "c", "d"), [cells], ("b",), screen)
    for place, cell in enumerate(cells):
        assert "".join(line[place] for line in lines).replace(" ", "") == cell.replace(" ", "")
    widths = {measure_text("  ".join(line)) for line in lines}
    assert max(widths) < max(screen, 4 * 8 + 3 * 2 + 1)
