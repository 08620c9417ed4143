"""require_tests: a commit waits for tests that passed after the last change."""

import pytest

from hookwright.testing.builders import bash, bash_done, event

COMMIT = bash("git commit -m x")


def test_a_commit_of_unchanged_code_passes(asked):
    assert asked.says(COMMIT) == ""


def test_changed_code_waits_for_the_tests(asked):
    asked(asked.edited("app.py"))
    assert asked.says(COMMIT) == "deny"
    asked(bash_done("pytest -q"))
    assert asked.says(COMMIT) == ""
    asked(asked.edited("app.py", tool="Write"))
    assert asked.says(COMMIT) == "deny"


@pytest.mark.parametrize("file", ["README.md", "notes.txt"])
def test_other_files_need_no_tests(asked, file):
    asked(asked.edited(file))
    assert asked.says(COMMIT) == ""


@pytest.mark.parametrize(
    ("command", "counts"),
    [
        ("pytest", True),
        ("uv run pytest -x tests", True),
        ("python -m pytest", True),
        ("cd web && npm test", True),
        ("pytest && echo fine", True),
        ("pytest | tail -5", False),
        ("pytest || true", False),
        ("pytest; echo done", False),
        ("pytest &", False),
        ("echo pytest", False),
        ("if pytest; then echo fine; fi", False),
    ],
)
def test_only_a_run_whose_exit_code_counts_is_a_proof(asked, command, counts):
    asked(asked.edited("app.py"))
    asked(bash_done(command))
    assert (asked.says(COMMIT) == "") is counts


def test_a_run_that_was_only_started_proves_nothing(asked):
    asked(asked.edited("app.py"))
    begun = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b1"}
    asked(bash_done("pytest").replace(tool_response=begun))
    assert asked.says(COMMIT) == "deny"


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("pytest && git commit -m x", ""),
        ("pytest && git commit -m \"$(cat <<'E'\nfix: y\nE\n)\"", ""),
        ("pytest; git commit -m x", "deny"),
        ("git add -A && git commit -m x", "deny"),
        ("git commit -m 'pytest && all'", "deny"),
        ("git status", ""),
        ("echo git commit", ""),
    ],
)
def test_tests_and_commit_in_one_command(asked, command, says):
    asked(asked.edited("app.py"))
    assert asked.says(bash(command)) == says


def test_claude_is_sent_back_once_if_you_want_it(asked):
    asked(asked.edited("app.py"))
    assert asked.says(event("Stop", stop_hook_active=False)) == ""
    assert asked.says(event("Stop", stop_hook_active=False), at_stop=True) == "block"
    assert asked.says(event("Stop", stop_hook_active=True), at_stop=True) == ""
    running = [{"id": "b1", "type": "shell", "status": "running", "description": "pytest"}]
    assert asked.says(event("Stop", stop_hook_active=False, background_tasks=running), at_stop=True) == ""
