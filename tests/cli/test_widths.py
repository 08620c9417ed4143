"""Screens of 80 and 200 columns: nothing is wider, no word is broken; NO_COLOR and pipes get no escape at all."""

import re
import sys

import pytest

from hookwright.testing.builders import bash, tool_use

CODES = re.compile(r"\x1b\[[0-9;]*m")
SCREENS = [
    ["log"],
    ["log", "--all"],
    ["log", "--decision", "background"],
    ["why", "last"],
    ["config", "show"],
    ["config", "show", "--all"],
    ["config", "path"],
    ["config", "check"],
    ["explain", "cd web && npm ci && git push --force origin main"],
    ["install", "--dry-run"],
    ["questions", "--help"],
    ["--help"],
    ["allow", "--help"],
]
CHANGING = [  # times differ, long cells are shortened, or the second run says something else
    ["status"],
    ["stats"],
    ["verify"],
    ["uninstall", "--all", "--dry-run"],
    ["allow", "git push --force origin main", "--yes"],
    ["off", "notify", "--here"],
    ["undo", "--dry-run"],
]


class Screen:
    """Commands as a terminal of some width shows them."""

    def __init__(self, home):
        self.home = home

    def __call__(self, words, columns, *, terminal=True):
        self.home.monkeypatch.setenv("COLUMNS", str(columns))
        self.home.monkeypatch.setenv("TERM", "xterm-256color")
        for stream in (sys.stdout, sys.stderr):
            self.home.monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
        _, out, err = self.home(*words)
        return out + err

    def lines(self, words, columns):
        return [line for line in CODES.sub("", self(words, columns)).splitlines() if line.strip()]


@pytest.fixture
def screen(home):
    """A home with some past."""
    home.hook_process.config.write_text('[command_guard]\nask_paths = ["secrets/**", "deploy/production.toml"]\n')
    home("install", "--yes")
    long = "cp " + " ".join(f"some/rather/long/path/number{n}.txt" for n in range(9)) + " /etc"
    secret = tool_use("Read", {"file_path": str(home.project / ".env")})
    stop = {"hook_event_name": "Stop", "session_id": "s"}
    for event in (bash("git push --force origin main").raw, bash("npm install").raw, bash(long).raw, secret.raw, stop):
        home.hook_process({**event, "cwd": str(home.project)}, CLAUDE_PROJECT_DIR=str(home.project))
    return Screen(home)


@pytest.mark.slow
def test_a_screen_fits_and_breaks_between_words(screen):
    wrong = []
    for words in (*SCREENS, *CHANGING):
        whole = {word for line in screen.lines(words, 2000) for word in line.split()}
        for columns in (80, 200):
            lines = screen.lines(words, columns)
            assert lines, words
            # A single word that is too long, such as a path, stays whole: it can be copied.
            wrong += [(words, columns, line) for line in lines if len(line) > columns and " " in line.strip()]
            if words in SCREENS:
                broken = [word for line in lines for word in line.split() if word not in whole]
                wrong += [(words, columns, broken)] if broken else []
    assert wrong == []


def test_without_colour_or_in_a_pipe_there_is_no_escape_at_all(screen):
    for words in (["status"], ["stats"], ["log"], ["explain", "git push -f origin main"]):
        assert "\x1b[" in screen(words, 80), words
        assert "\x1b" not in screen(words, 80, terminal=False), words
    screen.home.monkeypatch.setenv("NO_COLOR", "1")
    for words in (["status"], ["stats"], ["log"], ["explain", "git push -f origin main"]):
        assert "\x1b" not in screen(words, 80), words


def test_empty_events_are_left_out_and_a_file_is_named(screen):
    shown = screen(["log"], 200, terminal=False)
    assert "Stop" not in shown
    assert "/.env" in shown
    assert "Stop" in screen(["log", "--all"], 200, terminal=False)
    moved = screen(["log", "--decision", "background"], 200, terminal=False).splitlines()
    assert len([line for line in moved if not line.startswith(" ")]) == 1
    assert "npm install" in moved[0]


def test_status_tells_first_whether_it_works(screen):
    first = screen(["status"], 80, terminal=False).splitlines()[0]
    assert first.startswith("✓ works: last event ")
    (screen.home.path / ".local/share/hookwright/hook").unlink()
    first = screen(["status"], 80, terminal=False).splitlines()[0]
    assert first == "✗ off: the launcher is missing; try: hookwright install"
    screen.home("uninstall", "--yes")
    first = screen(["status"], 80, terminal=False).splitlines()[0]
    assert first == "✗ off: not registered in Claude Code's settings; try: hookwright install"
