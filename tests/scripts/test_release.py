"""A release is prepared whole, or not at all; nothing leaves the machine."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
IDENTITY = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
IDENTITY |= {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


@pytest.fixture
def checkout(tmp_path):
    """A copy of this checkout with a history of its own and one fragment."""
    for name in ("src", "scripts", "docs", "plugin", "devcontainer", "changelog", ".claude-plugin"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "CHANGELOG.md", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "changelog/quicker.fix.md").write_text("Everything is quicker.\n")
    run_git(tmp_path, "init", "--quiet")
    run_git(tmp_path, "add", "--all")
    run_git(tmp_path, "commit", "--quiet", "--message", "start")
    return tmp_path


def run_git(folder, *arguments):
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env={**os.environ, **IDENTITY}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def release(folder, *arguments):
    return subprocess.run(
        [sys.executable, "scripts/release.py", *arguments],
        cwd=folder,
        env={**os.environ, **IDENTITY},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_release_is_one_commit_with_version_changelog_and_tag(checkout):
    done = release(checkout, "prepare", "9.8.7")
    assert done.returncode == 0, done.stderr
    assert run_git(checkout, "tag", "--list") == "v9.8.7"
    assert run_git(checkout, "status", "--porcelain") == ""
    assert '__version__ = "9.8.7"' in (checkout / "src/hookwright/version.py").read_text()
    for file in (".claude-plugin/marketplace.json", "devcontainer/src/hookwright/devcontainer-feature.json"):
        assert '"9.8.7"' in (checkout / file).read_text()
    assert not (checkout / "changelog/quicker.fix.md").exists()
    notes = release(checkout, "notes").stdout
    assert notes.startswith("## 9.8.7 (")
    assert "- Everything is quicker." in notes


@pytest.mark.parametrize(
    ("spoil", "arguments", "code", "says"),
    [
        (lambda folder: (folder / "new").write_text("x"), ["prepare", "9.8.7"], 1, "has changes"),
        (lambda folder: run_git(folder, "tag", "v9.8.7"), ["prepare", "9.8.7"], 1, "exists"),
        (lambda folder: None, ["prepare", "next"], 2, "make release"),
        (lambda folder: None, [], 2, "make release"),
    ],
)
def test_a_release_that_cannot_be_prepared_changes_nothing(checkout, spoil, arguments, code, says):
    spoil(checkout)
    before = run_git(checkout, "rev-parse", "HEAD")
    done = release(checkout, *arguments)
    assert (done.returncode, says in done.stderr) == (code, True), done.stderr
    assert run_git(checkout, "rev-parse", "HEAD") == before
