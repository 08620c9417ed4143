"""From install to the first denial and the way on, in the real client: what a person sees, what an agent may not."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.client.kit.scripted_api import bash, call
from tests.client.test_install import Installed

PUSH = "git push --force origin main"
PROGRAM = f"{sys.executable} -m hookwright"


@pytest.fixture
def ours(lab):
    return Installed(lab)


def test_a_person_allows_what_was_denied_and_an_agent_cannot(ours):
    ours("install", "--yes")
    script = f"env -u CLAUDECODE {PROGRAM} allow last --yes"
    run = ours.lab.run(
        [
            bash(PUSH),
            bash(f"{PROGRAM} allow last --yes"),
            bash("uvx hookwright allow last --yes"),
            bash(f"bash -c '{PROGRAM} off command_guard --here'"),
            call("Write", file_path=f"{ours.lab.project}/helper.py", content=f"import os\nos.system({script!r})\n"),
            bash(f"{sys.executable} helper.py; echo ended"),
            bash(PUSH),
            "done",
        ],
        args=["--permission-mode", "bypassPermissions"],
        env={"IS_SANDBOX": "1"},
    )
    denied, allow, by_uvx, off, _, by_script, again = [result.text for result in run.tool_results]
    shown = denied[:199]  # what the client shows of it
    assert "[hookwright git-force-push]" in shown
    assert "Only the user can allow it: hookwright allow last." in shown
    assert all("[hookwright guard-off]" in text for text in (allow, by_uvx, off))
    assert "[hookwright " in by_script or "Only the user can run it" in by_script
    assert "[hookwright git-force-push]" in again
    assert not list(Path(ours.lab.home).glob(".config/hookwright/projects/*"))
    ours("allow", "last", "--yes")
    run = ours.lab.run([bash(PUSH), bash("git push --force origin develop"), "done"])
    assert "hookwright" not in run.tool_results[0].text  # git's own answer
    assert "[hookwright git-force-push]" in run.tool_results[1].text


def test_a_hook_is_off_in_one_project_and_on_in_another(ours):
    ours("install", "--yes")
    ours("off", "command_guard", "--here")
    assert "hookwright" not in ours.lab.run([bash(PUSH), "done"]).tool_results[0].text
    other = Path(ours.lab.root, "other")
    other.mkdir()
    here, ours.lab.project = ours.lab.project, str(other)
    try:
        assert "[hookwright git-force-push]" in ours.lab.run([bash(PUSH), "done"]).tool_results[0].text
    finally:
        ours.lab.project = here


def test_an_ask_about_a_file_reaches_the_person_as_a_notification(ours, tmux):
    ours("install", "--yes")
    ours.lab.write(".env", "TOKEN=1")
    raw = os.path.join(ours.lab.root, "raw")
    script = [call("Read", file_path=f"{ours.lab.project}/.env"), "all done"]
    args = ["--permission-mode", "default"]
    with ours.lab.terminal(script, args=args, env={"TERM_PROGRAM": "WezTerm"}) as screen:
        screen._tmux("pipe-pane", "-o", f"cat > {raw}")
        screen.say("go")
        screen.answer("Do you want to proceed?", "Enter")
        screen.wait("all done")
        screen.leave()
    sent = Path(raw).read_bytes().decode("utf-8", "replace")
    assert re.search(r"\x1b\]9;hookwright asks: [^\x07]*holds secrets", sent)


def test_the_denial_on_the_screen_names_rule_and_way_on(ours, tmux):
    ours("install", "--yes")
    with ours.lab.terminal([bash(PUSH), "all done"], size=(100, 50)) as screen:
        screen.say("go")
        screen.wait("all done")
        text = " ".join(screen.screen().replace("│", " ").split())
        screen.leave()
    assert "[hookwright git-force-push]" in text
    assert "hookwright allow last" in text
