"""50,000 files: the working hooks come to an end and say what they know."""

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from hookwright.hooks.context.hook import Context
from hookwright.hooks.stop_guard.hook import StopGuard
from hookwright.options import validate_option
from tests.hooks.kit import Desk, git

pytestmark = pytest.mark.slow

FILES = 50_000


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


def test_the_context_says_what_it_learns_in_its_time(huge):
    huge.put("d0/f0.py", "a = 2\n")
    decision = huge.fire(Context, "SessionStart", {}, source="startup")
    late = huge.facts.get("context_without", {})
    assert decision is None if "status" in late else "d0/f0.py" in decision.context


def test_the_stop_guard_judges_it_whole(huge):
    options = {
        "uncommitted": "off",
        "checks": validate_option(StopGuard.checks, [{"command": "exit 1", "files": ["*.py"]}]),
    }
    huge.session = "s3"
    huge.write(StopGuard, "d1/f1.py", "a = 3\n", options)
    assert huge.fire(StopGuard, "Stop", options).permission == "block"
    huge.session = "s4"
    huge.write(StopGuard, "d1/f1.py", "a = 4\n")
    assert "d1/f1.py" in huge.fire(StopGuard, "Stop", {"uncommitted": "block"}).reason
