"""How much a command loads and executes before it does its work; the plain forms mean what click makes of them."""

import functools
import json
import os
import shutil
import subprocess
import sys
import time

import pytest

from hookwright.cli import run_log, start, statusline
from hookwright.cli.commands import log, why
from hookwright.protocol.json import dumps
from hookwright.store import background_tasks, journal
from hookwright.store.filter import Filter

HOOKWRIGHT = [sys.executable, "-m", "hookwright"]


@pytest.fixture
def home(tmp_path):
    """A home with a few events, whose ledger is up to date."""
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONHASHSEED": "1"}
    state = f"{tmp_path}/.local/state/hookwright"
    for number in range(30):
        record = {"event": "PreToolUse", "session_id": "s1", "tool": "Bash", "command": f"ls {number}"}
        said = {"hook": "command_guard", "verdict": "deny", "reason": "no", "us": 5, "mode": "on"}
        journal.append(state, time.time(), {**record, "decisions": [said], "answer": "deny", "changed": None}, dumps)
    subprocess.run([*HOOKWRIGHT, "log"], env=env, cwd=tmp_path, check=True, capture_output=True)
    return env


STDIN = json.dumps({"session_id": "s1", "workspace": {"project_dir": "/p"}, "model": {"display_name": "x"}}).encode()


@pytest.mark.parametrize("words", [["log"], ["why"], ["statusline"], ["log", "--json", "-n", "3"]], ids=" ".join)
def test_a_plain_command_loads_neither_click_nor_what_others_need(home, words):
    code = (
        "import sys; sys.argv[0] = 'hookwright'\nfrom hookwright.cli.start import main\ntry: main()\nfinally:\n"
        " print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    argv = [sys.executable, "-c", code, *words]
    done = subprocess.run(argv, env=home, cwd=home["HOME"], input=STDIN, capture_output=True, check=True)
    loaded = set(done.stderr.decode().split())
    heavy = (
        "click",
        "rich",
        "yaml",
        "tomllib",
        "asyncio",
        "subprocess",
        "shutil",
        "inspect",
        "dataclasses",
        "tempfile",
    )
    assert loaded.isdisjoint(heavy)
    ours = {name for name in loaded if name.startswith("hookwright.")}
    allowed = ("cli", "store", "proc", "errors", "protocol")
    assert {name.split(".")[1] for name in ours} <= set(allowed)
    assert "sqlite3" not in loaded or words != ["statusline"]


@functools.cache
def empty_instructions():
    return count_instructions((sys.executable, "-c", "pass"), (("PATH", "/usr/bin:/bin"), ("PYTHONHASHSEED", "1")), "/")


@functools.cache
def count_instructions(argv, env, folder):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *argv]
    done = subprocess.run(command, input=STDIN, capture_output=True, env=dict(env), cwd=folder, timeout=170, check=True)
    [line] = [line for line in done.stderr.decode().splitlines() if "Collected" in line]
    return int(line.split(":")[-1])


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
@pytest.mark.parametrize(
    ("words", "bar"),
    [(("--help",), 5.2), (("log",), 5), (("why",), 5), (("statusline",), 3)],
    ids=["--help", "log", "why", "statusline"],
)
def test_a_command_executes_few_instructions_beyond_an_empty_interpreter(home, words, bar):
    env = tuple(home.items())
    code = "import sys; sys.argv[0] = 'hookwright'; from hookwright.cli.start import main; main()"
    ratio = count_instructions((sys.executable, "-c", code, *words), env, home["HOME"]) / empty_instructions()
    print(f"{' '.join(words)}: {ratio:.2f} of an empty interpreter")
    assert ratio <= bar


@pytest.mark.parametrize(
    "words",
    [
        *(
            [],
            ["-f"],
            ["--follow", "--json"],
            ["-n", "5"],
            ["--limit", "1", "--json"],
            ["-n", "0"],
            ["-n"],
            ["-n", "x"],
        ),
        *(["--json", "-n", "7", "-f"], ["--since", "1h"], ["-n5"], ["extra"], ["--help"], ["-n", "-1"], ["-n", "٣"]),
    ],
    ids=" ".join,
)
def test_a_plain_log_is_what_click_would_have_run(monkeypatch, words):
    calls = []
    for module in (run_log, log):
        monkeypatch.setattr(module, "run_log", lambda which, **options: calls.append((which, options)) or 0)
    plain = start.find_plain_command(["log", *words])
    if plain is None:
        return
    plain()
    log.command.main(words, standalone_mode=False)
    assert calls[0] == calls[1]
    assert calls[0][0] == Filter(spoken="--json" not in words)


@pytest.mark.parametrize(
    "words", [[], ["last"], ["abc", "--json"], ["--json"], ["--json", "abc"], ["a", "b"], ["-x"], [""]]
)
def test_a_plain_why_is_what_click_would_have_run(monkeypatch, words):
    calls = []
    for module in (run_log, why):
        monkeypatch.setattr(module, "run_why", lambda name, **options: calls.append((name, options)) or 0)
    plain = start.find_plain_command(["why", *words])
    if plain is None:
        return
    plain()
    why.command.main(words, standalone_mode=False)
    assert calls[0] == calls[1]


@pytest.mark.parametrize("words", [[], ["stats"], ["statusline", "--help"], ["--help"], ["nonsense"]])
def test_everything_else_is_left_to_click(words):
    assert start.find_plain_command(words) is None


@pytest.mark.parametrize("words", [["log", "-n", "x"], ["why", "zzz"], ["log", "--nonsense"]])
def test_errors_are_told_the_same_way(home, words):
    done = subprocess.run(
        [*HOOKWRIGHT, *words], env=home, cwd=home["HOME"], capture_output=True, text=True, check=False
    )
    assert done.returncode in (1, 2)
    assert "Traceback" not in done.stderr
    assert done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("stdin", "line"),
    [
        (STDIN, "hookwright · 30 stopped\n"),
        (json.dumps({"session_id": "other"}).encode(), "hookwright\n"),
        *[
            (data, "hookwright\n")
            for data in (b"", b"{", b"[]", b"null", b'{"session_id": 5}', b"\xff\xfe", b"[" * 99999)
        ],
        (json.dumps({"session_id": "../../etc"}).encode(), "hookwright\n"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_the_status_line_says_at_least_its_name(home, stdin, line):
    done = subprocess.run([*HOOKWRIGHT, "statusline"], env=home, input=stdin, capture_output=True, check=True)
    assert done.stdout.decode() == line
    assert done.stderr == b""


def test_the_status_line_names_what_runs_and_how_long_it_takes(tmp_path):
    state, now = str(tmp_path / "state"), time.time()
    env = {"HOOKWRIGHT_STATE_HOME": state}.get
    os.makedirs(state, mode=0o700)
    past = (5, 60.0, 90.0, None, 0.5)
    what = {"project": "/p", "command": "make", "key": "make", "past": past, "endless": False, "serves": False}
    assert background_tasks.add_start(state, "s1", "b1", now - 10, **what)
    assert statusline.format_segment({"session_id": "s1"}, env, now).startswith("hookwright · 1 running, about ")
    assert statusline.format_segment({"session_id": "s1"}, env, now + 9000) == "hookwright · 1 running, 1 overdue"


def test_follow_shows_an_event_within_three_tenths_of_a_second_of_work(home):
    """Processor time: the clock of a loaded machine says nothing."""
    state = f"{home['HOME']}/.local/state/hookwright"
    process = subprocess.Popen([*HOOKWRIGHT, "log", "-f", "-n", "1", "--json"], env=home, stdout=subprocess.PIPE)
    try:
        process.stdout.readline()
        before = read_cpu(process.pid)
        journal.append(state, time.time(), {"event": "Stop", "session_id": "new"}, dumps)
        assert json.loads(process.stdout.readline())["session_id"] == "new"
        assert read_cpu(process.pid) - before <= 0.3
        assert run_log.POLL_S <= 0.15  # the rest of the waiting
    finally:
        process.kill()
        process.communicate()


def read_cpu(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
