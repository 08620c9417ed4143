"""Git is asked without locks or prompts; whatever is wrong, the answer is "unknown"."""

import os
import subprocess

import pytest

from hookwright.git import query


@pytest.fixture
def shop(tmp_path):
    folder = tmp_path / "shop"
    folder.mkdir()
    run(folder, "init", "-q", "-b", "main")
    for name in ("kept", "changed ü", "staged"):
        (folder / name).write_text("1")
    (folder / ".gitignore").write_text("*.log\n")
    run(folder, "add", ".")
    run(folder, "commit", "-q", "-m", "first")
    (folder / "changed ü").write_text("2")
    (folder / "staged").write_text("2")
    run(folder, "add", "staged")
    (folder / "new").write_text("1")
    (folder / "a.log").write_text("1")
    return folder


def run(folder, *words):
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"]
    subprocess.run(["git", *identity, *words], cwd=folder, env=env, check=True, capture_output=True)


def test_what_git_knows_is_told(shop):
    top = str(shop)
    assert query.tracked_changes(top) == {"changed ü", "staged"}
    assert query.untracked_of(top, ["new", "a.log", "kept", "*"]) == {"new"}
    assert query.untracked_of(top, []) == set()
    assert query.branch_of(top) == "main"
    assert query.committed_since(top, "1 hour ago")
    assert not query.committed_since(top, "2099-01-01")
    assert (query.is_ignored(top, "a.log"), query.is_ignored(top, "new")) == (True, False)


def test_the_variables_of_a_git_hook_do_not_lead_elsewhere(shop, monkeypatch, tmp_path):
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "nowhere"))
    assert query.branch_of(str(shop)) == "main"


@pytest.mark.parametrize("case", ["no repository", "no directory", "no git", "no time"])
@pytest.mark.slow
def test_what_cannot_be_asked_is_unknown(shop, tmp_path, monkeypatch, case):
    folder = {"no repository": str(tmp_path), "no directory": str(tmp_path / "gone")}.get(case, str(shop))
    if case in ("no git", "no time"):
        (tmp_path / "bin").mkdir()
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    if case == "no time":
        (tmp_path / "bin" / "git").write_text("#!/bin/sh\nexec /bin/sleep 300\n")
        (tmp_path / "bin" / "git").chmod(0o755)
    assert query.run_git(folder, "status", seconds=0.2 if case == "no time" else query.SECONDS) is None
