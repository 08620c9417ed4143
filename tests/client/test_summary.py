"""What the person sees of hookwright: the line at the end of a turn, and the segment in the status line."""

import re
import sys

import pytest

from tests.client.kit.scripted_api import bash
from tests.hook_kit import prepare_hook


@pytest.fixture
def ours(lab, monkeypatch, built_bundle):
    """The lab with our hook process and our status line."""
    monkeypatch.setenv("HOME", str(lab.home))
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    argv = prepare_hook(built_bundle)
    for event in ("PreToolUse", "PostToolUse", "Stop"):
        lab.handler(event, {"type": "command", "command": argv[0], "args": argv[1:], "timeout": 60})
    lab.settings["statusLine"] = {"type": "command", "command": f"{sys.executable} -m hookwright statusline"}
    lab.allow("Bash")
    return lab


def test_the_line_and_the_segment_are_on_the_screen(ours, tmux):
    """One session: a force push is stopped, a long command is moved, and both are told once."""
    script = [bash("git push --force origin main"), bash("tail -f /dev/null"), "all done", "second turn done"]
    with ours.terminal(script, args=["--permission-mode", "default"]) as screen:
        screen.say("go on please")
        screen.wait("all done")
        shown = screen.wait("this session: 1 call stopped, 1 command moved to the background")
        assert re.search(r"Stop says: \[hookwright summary\] this session", shown)
        screen.wait("hookwright · 1 stopped · 1 moved")
        screen.say("and again")
        screen.wait("second turn done")
        screen.until(lambda: len(screen.run.requests) >= 4, "the second turn")
        assert screen.screen().count("this session:") == 1
