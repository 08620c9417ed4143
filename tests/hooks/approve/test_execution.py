"""What is approved does nothing but read: random commands are proven, and those that pass are run and watched."""

import random
import subprocess

import pytest

from tests.hooks.approve.random_commands import draw_command
from tests.hooks.approve.test_prove import PATH, READ_COMMANDS, is_approved
from tests.hooks.approve.watch_execution import run_watched, why_not

pytestmark = pytest.mark.slow
DRAWN = 20_000  # commands; about one in ten is approved
RUN = 150  # of those that are approved, each a few hundredths of a second
GIT_IDENTITY = ["-c", "user.name=a", "-c", "user.email=a@example.org"]


def make_repository(root):
    """A project with a commit, a tag and a change."""
    for name in ("a.txt", "b.txt", "src/app.py", "src/util.py", "docs/readme.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("def a:\n  x = 1\nfoo bar\n" * 3)
    (root / "data.json").write_text('{"scripts": {"a": 1}}')
    git = ["git", *GIT_IDENTITY, "-C", str(root)]
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "one"], ["tag", "v1"]):
        subprocess.run([*git, *words], check=True, env={"PATH": PATH, "HOME": str(root)})
    (root / "a.txt").write_text("changed\n")
    return root


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return make_repository(tmp_path_factory.mktemp("copied") / "project")


@pytest.fixture
def watched(project, tmp_path):
    refusal = why_not()
    if refusal:
        pytest.skip(f"commands cannot be watched: {refusal}")
    return lambda commands: run_watched(commands, project, tmp_path)


def test_everyday_reading_only_reads(watched):
    assert watched([line.replace("\x01", "\n") for line in READ_COMMANDS]) == {}


def test_what_is_watched_would_be_seen(watched):
    commands = ["touch x", "cat a.txt > y", "sort -o a.txt a.txt", "find . -name x -delete", "sed -n 'w z' a.txt",
                "awk 'BEGIN{system(\"id\")}'", "exec 3<>/dev/tcp/127.0.0.1/9"]  # fmt: skip
    assert len(watched(commands)) == len(commands)


def test_random_commands_that_are_approved_only_read(watched, project):
    chance = random.Random(20261118)
    approved = {command for command in (draw_command(chance) for _ in range(DRAWN)) if is_approved(command, project)}
    assert len(approved) > RUN
    assert watched(chance.sample(sorted(approved), RUN)) == {}
