"""commit_message: read from the command, however it is given."""

import pytest

from hookwright.testing.builders import bash


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("git commit -m 'fix: the cart forgets'", ""),
        ("git commit -m 'feat(cart)!: forget nothing'", ""),
        ("git commit -m 'fixed stuff'", "deny"),
        ("git commit -am 'wip'", "deny"),
        ("git commit -m 'fix:no blank'", "deny"),
        ('git commit --message="update: x"', "deny"),
        ("git commit --message 'docs: x'", ""),
        ("git add -A && git commit -m \"$(cat <<'EOF'\nfix: the cart\n\nBecause.\nEOF\n)\"", ""),
        ("git add -A && git commit -m \"$(cat <<'EOF'\nThe cart\nEOF\n)\"", "deny"),
        ("git commit -F - <<'E'\nchore: y\nE", ""),
        ("git commit -F - <<'E'\ny\nE", "deny"),
        ("git commit", ""),
        ("git commit --amend --no-edit", ""),
        ('git commit -m "$MESSAGE"', ""),
        ("git log -m", ""),
        ("echo git commit -m wip", ""),
    ],
)
def test_a_commit_message_of_another_form_is_refused(asked, command, says):
    assert asked.says(bash(command)) == says


def test_the_first_line_has_a_length(asked):
    decision = asked(bash(f"git commit -m 'fix: {'x' * 80}'"))
    assert "the first line has 85 characters, 72 are allowed" in decision.reason


def test_the_commit_types_can_be_configured(asked):
    assert asked.says(bash("git commit -m 'wip: x'"), types=("wip",)) == ""
