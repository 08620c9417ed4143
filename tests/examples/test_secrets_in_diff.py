"""secrets_in_diff: what the commit would take is looked at, as it is in the repository."""

import pytest

from hookwright.testing.builders import bash

TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def repository(asked):
    asked.git("init", "-q", "-b", "main")
    asked.write("app.py", "x = 1\n")
    asked.git("add", "-A")
    asked.git("commit", "-q", "-m", "first")
    return asked


def commit(repository, command="git commit -m x"):
    return repository(bash(command, cwd=str(repository.project)))


def test_a_staged_token_is_found_and_not_repeated(repository):
    repository.write("app.py", f"x = 1\ny = 2\nKEY = '{TOKEN}'\n")
    repository.git("add", "-A")
    decision = commit(repository)
    assert decision.permission == "deny"
    assert "app.py:3 (token)" in decision.reason
    assert TOKEN not in decision.reason


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("git commit -m x", ""),  # not staged, not taken
        ("git commit -am x", "deny"),
        ("git add -A && git commit -m x", "deny"),
        ("git status", ""),
        ("echo git commit -am x", ""),
    ],
)
def test_what_the_commit_would_take_is_what_counts(repository, command, says):
    repository.write("app.py", f"KEY = '{TOKEN}'\n")
    assert repository.says(bash(command, cwd=str(repository.project))) == says


def test_a_new_file_counts_once_it_is_added(repository):
    repository.write("new/keys.py", f"a = 1\nKEY = '{TOKEN}'\n")
    assert commit(repository, "git commit -am x") is None
    repository.write("new/schlüssel.py", f"KEY = '{TOKEN}'\n")
    said = commit(repository, "git add . && git commit -m x").reason
    assert "new/keys.py:2 (token)" in said
    assert "new/schlüssel.py:1 (token)" in said


def test_the_first_commit_is_looked_at_too(asked):
    asked.git("init", "-q", "-b", "main")
    asked.write("keys.py", f"KEY = '{TOKEN}'\n")
    asked.git("add", "-A")
    assert "keys.py:1 (token)" in commit(asked, "git commit -am first").reason


@pytest.mark.parametrize(
    ("file", "text", "found"),
    [
        ("app.py", "self.token = token", False),
        ("app.py", "password = 'hunter22'", False),
        (".env", "DB_PASSWORD=hunter22", True),
        ("deploy/prod.ini", "password = hunter22", True),
        ("app.py", "URL = 'postgres://ann:hunter22@db/shop'", True),
        ("app.py", f"EXAMPLE = '{TOKEN}'  # pragma: allowlist secret", False),
        ("key.txt", "-----BEGIN OPENSSH PRIVATE KEY-----", True),
    ],
)
def test_a_guess_by_name_counts_only_where_settings_live(repository, file, text, found):
    repository.write(file, text + "\nabc\n")
    repository.git("add", "-A")
    assert (commit(repository) is not None) is found


def test_a_removed_secret_may_be_committed(repository):
    repository.write("app.py", f"KEY = '{TOKEN}'\n")
    repository.git("commit", "-qam", "oops")
    repository.write("app.py", "KEY = os.environ['KEY']\n")
    assert commit(repository, "git commit -am fix") is None


def test_another_folder_is_looked_at_where_the_commit_happens(repository):
    repository.write("app.py", f"KEY = '{TOKEN}'\n")
    repository.git("add", "-A")
    elsewhere = str(repository.project.parent)
    assert repository.says(bash("cd shop && git commit -m x", cwd=elsewhere)) == "deny"
    assert repository.says(bash(f"git -C {repository.project} commit -m x", cwd="/")) == "deny"
