"""log, why and stats: lines for people, objects for machines, words instead of tracebacks."""

import json
import os
import signal
import subprocess
import sys
import time

import click
import pytest

from hookwright.cli import progress
from hookwright.errors import UserError

DENY = {"hook": "command_guard", "verdict": "deny", "reason": "erases all", "us": 80, "mode": "on"}


@pytest.fixture
def busy(past):
    past.clock = time.time() - 600
    past.ran("git status", 0.1)
    past.pre("rm -rf / \x1b[31mred", said=[DENY], answer="deny")
    past.moved("npm install", ends_after=300.0)
    return past


def test_log_prints_a_line_an_event_and_the_reason_under_it(busy, hookwright):
    code, out, err = hookwright("log")
    assert (code, err) == (0, "")
    assert "git status" in out
    assert "command_guard: deny (erases all)" in out
    assert "[background]" in out


@pytest.mark.parametrize(
    ("row", "line"),
    [
        ({**DENY, "mode": "shadow"}, "command_guard: deny [shadow: not sent] (erases all)"),
        ({**DENY, "verdict": "none", "reason": "", "failure": "KeyError: x"}, "command_guard: failed (KeyError: x)"),
        (
            {**DENY, "verdict": "ask", "reason": "you decide", "failure": "it took too long"},
            "command_guard: failed (it took too long), so command_guard: ask (you decide)",
        ),
    ],
)
def test_log_says_what_was_not_sent_and_what_failed(past, hookwright, row, line):
    past.clock = time.time() - 600
    past.pre("ls", said=[row], answer=None)
    assert line in hookwright("log")[1]


def test_nothing_that_a_command_holds_reaches_the_terminal_as_control(busy, hookwright):
    for words in (["log"], ["why", "toolu_2"], ["stats"]):
        assert "\x1b" not in hookwright(*words)[1]


def test_log_json_is_one_object_a_line_oldest_first(busy, hookwright):
    lines = [json.loads(line) for line in hookwright("log", "--json")[1].splitlines()]
    assert [line["event"] for line in lines][:2] == ["PreToolUse", "PostToolUse"]
    assert [line["time"] for line in lines] == sorted(line["time"] for line in lines)


@pytest.mark.parametrize(
    ("words", "count"),
    [
        (["--decision", "deny"], 1),
        (["--hook", "auto_background"], 1),
        (["--session", "s"], 6),
        (["--since", "1h"], 6),
        (["--since", "1m"], 0),
        (["-n", "2"], 2),
        (["--project", "/home/ann/shop"], 6),
        (["--project", "/nowhere"], 0),
        (["--event", "PreToolUse"], 3),
    ],
)
def test_log_filters(busy, hookwright, words, count):
    assert len(hookwright("log", "--json", *words)[1].splitlines()) == count


def test_why_names_the_hooks_in_order_and_what_happened_then(busy, hookwright):
    _, out, _ = hookwright("why", "last")
    assert "1. auto_background" in out
    assert "2. observer" in out
    assert "Sent: rewrite (changed: run_in_background)" in out
    assert "the background command ended: ok, exit code 0" in out


def test_why_a_denied_call_says_that_it_did_not_run(busy, hookwright):
    assert "Then: it did not run." in hookwright("why", "toolu_2")[1]


def test_why_json_has_its_form(busy, hookwright):
    found = json.loads(hookwright("why", "last", "--json")[1])
    assert list(found) == ["record", "hooks", "answer", "afterwards"]
    assert list(found["hooks"][0]) == ["hook", "order", "verdict", "reason", "us", "mode"]


@pytest.mark.parametrize("words", [["why", "last"], ["why", "nonsense"]])
def test_why_of_nothing_is_an_error_with_a_way_on(past, hookwright, words):
    with pytest.raises(UserError) as error:
        hookwright(*words)
    assert error.value.fix == "hookwright log"


def test_stats_show_tables_and_json_the_same_figures(busy, hookwright):
    _, out, _ = hookwright("stats")
    assert "command_guard: deny" in out
    assert "erases all" in out
    assert "1 command moved to the background, 115 s of waiting saved" in out
    found = json.loads(hookwright("stats", "--json")[1])
    assert found["decisions"]["command_guard"] == {"deny": 1}
    assert found["background"] == {"moved": 1, "seconds_saved": 115.0}


def test_stats_say_what_is_missing_of_the_journal(busy, hookwright):
    assert "journal:" not in hookwright("stats")[1]
    with open(f"{busy.state}/journal/.failures", "wb") as file:
        file.write(b"..")
    assert "journal: 2 records not written" in hookwright("stats")[1]


@pytest.mark.parametrize("words", [["log"], ["stats"], ["log", "--json"], ["stats", "--json"]])
def test_an_empty_or_damaged_ledger_is_no_traceback(past, hookwright, words, tmp_path):
    assert hookwright(*words)[0] == 0
    with open(f"{past.state}/ledger.db", "wb") as file:
        file.write(b"damage" * 1000)
    assert hookwright(*words)[0] == 0


@pytest.mark.parametrize("text", ["", "yesterday", "5", "1y", "2026-13-01"])
def test_a_span_that_means_nothing_is_wrong_usage(past, hookwright, text):
    with pytest.raises(click.BadParameter):
        hookwright("log", "--since", text)


def test_following_shows_what_happens_and_ends_with_an_interrupt(past, tmp_path):
    past.clock = time.time()
    past.pre("echo before")
    env = {**os.environ, "HOOKWRIGHT_STATE_HOME": past.state, "HOME": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    argv = [sys.executable, "-m", "hookwright", "log", "-f"]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) as follower:
        assert "echo before" in follower.stdout.readline()
        past.pre("echo after")
        assert "echo after" in follower.stdout.readline()
        follower.send_signal(signal.SIGINT)
        _, err = follower.communicate(timeout=60)
    assert "Traceback" not in err


def test_a_bar_appears_only_where_somebody_looks_and_work_lasts(monkeypatch, capsys):
    with progress.progress_bar(after_seconds=0) as tell:
        tell("reading", 1, 2)
    assert capsys.readouterr().err == ""  # no terminal
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress.progress_bar(after_seconds=60) as tell:
        tell("reading", 1, 2)
    assert capsys.readouterr().err == ""
