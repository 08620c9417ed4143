"""50,000 files: the working hooks stay within their budgets."""

import os
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from hookwright.hooks.context.hook import Context
from hookwright.hooks.stop_guard.hook import StopGuard
from hookwright.options import validate_option
from tests.hooks.kit import Desk, git

pytestmark = pytest.mark.slow

FILES = 50_000
SLACK_S = 8.0  # for a loaded machine: starting programs, ending them


@pytest.fixture(scope="module")
def huge():
    """A checked-out repository; the files' content is one and the same blob, which git does not mind."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # so many files take a disk its time
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield repository_in(Path(folder))


def repository_in(folder):
    project = folder / "project"
    project.mkdir()
    git(project, "init", "-q", "-b", "main")
    lines = ["blob\nmark :1\ndata 6\na = 1\n\n", "commit refs/heads/main\ncommitter Ann <a@b> 1577880000 +0000\n"]
    lines.append("data 5\nfirst\n")
    lines += [f"M 100644 :1 d{number % 250}/f{number}.py\n" for number in range(FILES)]
    subprocess.run(["git", "fast-import", "--quiet"], input="".join(lines).encode(), cwd=project, check=True)
    git(project, "reset", "-q", "--hard")
    desk = Desk(folder, repository=False)
    assert sum(len(files) for _, _, files in os.walk(project / "d0")) == FILES / 250
    return desk


def timed(action):
    began = time.monotonic()
    return action(), time.monotonic() - began


def test_the_context_keeps_to_its_time_and_says_what_it_knows(huge):
    huge.put("d0/f0.py", "a = 2\n")
    decision, spent = timed(lambda: huge.fire(Context, "SessionStart", {}, source="startup"))
    assert spent < Context().seconds + SLACK_S
    late = huge.facts.get("context_without", {})
    assert decision is None if "status" in late else "d0/f0.py" in decision.context
    huge.session = "s2"
    _, spent = timed(lambda: huge.fire(Context, "SessionStart", {"seconds": 0.1, "ttl": 0}, source="clear"))
    assert spent < 0.1 + SLACK_S


def test_the_stop_guard_judges_it_whole(huge):
    options = {
        "uncommitted": "off",
        "checks": validate_option(StopGuard.checks, [{"command": "exit 1", "files": ["*.py"]}]),
    }
    huge.session = "s3"
    huge.write(StopGuard, "d1/f1.py", "a = 3\n", options)
    decision, spent = timed(lambda: huge.fire(StopGuard, "Stop", options))
    assert decision.permission == "block"
    assert spent < 20
    huge.session = "s4"
    huge.write(StopGuard, "d1/f1.py", "a = 4\n")
    asked, _ = timed(lambda: huge.fire(StopGuard, "Stop", {"uncommitted": "block"}))
    assert "d1/f1.py" in asked.reason
