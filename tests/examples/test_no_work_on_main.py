"""no_work_on_main: edits and commits wait for a branch of their own."""

import pytest

from hookwright.testing.builders import bash, tool_use


@pytest.fixture
def repository(asked):
    asked.git("init", "-q", "-b", "main")
    asked.write("src/app.py")
    asked.git("add", "-A")
    asked.git("commit", "-q", "-m", "first")
    return asked


def edit(repository, file="src/app.py"):
    return repository.says(tool_use("Edit", {"file_path": str(repository.project / file)}))


def test_edits_wait_for_a_branch(repository):
    assert edit(repository) == "deny"
    repository.git("switch", "-q", "-c", "topic")
    assert edit(repository) == ""


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("git commit -m x", "deny"),
        ("git switch -c topic && git commit -m x", ""),
        ("git checkout -b topic && git commit -m x", ""),
        ("git checkout . && git commit -m x", "deny"),
        ("git status", ""),
        ("cd / && git commit -m x", ""),
    ],
)
def test_commits_on_main_are_refused_too(repository, command, says):
    assert repository.says(bash(command, cwd=str(repository.project / "src"))) == says


def test_a_worktree_has_a_branch_of_its_own(repository):
    repository.git("worktree", "add", "-q", "../elsewhere", "-b", "topic")
    assert edit(repository, "../elsewhere/src/app.py") == ""
    assert edit(repository) == "deny"


def test_a_folder_without_git_is_left_alone(asked):
    assert edit(asked, "notes.txt") == ""


def test_the_protected_branches_can_be_configured(repository):
    on = tool_use("Edit", {"file_path": str(repository.project / "src/app.py")})
    assert repository.says(on, branches=("release",)) == ""
