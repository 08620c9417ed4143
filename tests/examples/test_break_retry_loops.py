"""break_retry_loops: told at the third failure, refused at the sixth, forgiven by a success or a new prompt."""

from hookwright.testing.builders import bash, bash_done, bash_failed, event


def fail(asked, times, command="make", **fields):
    return [asked(bash_failed(command, "Exit code 2", **fields)) for _ in range(times)]


def test_claude_is_told_once_at_the_third_failure(asked):
    said = fail(asked, 5)
    assert [decision is not None for decision in said] == [False, False, True, False, False]
    assert "failed 3 times" in said[2].context


def test_the_sixth_failure_is_the_last(asked):
    fail(asked, 5)
    assert asked(bash("make")) is None
    fail(asked, 1)
    assert asked.says(bash("make")) == "deny"
    assert asked(bash("make -k")) is None


def test_a_success_begins_anew(asked):
    fail(asked, 6)
    asked(bash_done("make"))
    assert asked(bash("make")) is None


def test_the_users_next_prompt_begins_anew_and_the_clients_own_does_not(asked):
    fail(asked, 6)
    asked(event("UserPromptSubmit", prompt="<task-notification>x</task-notification>"))
    assert asked.says(bash("make")) == "deny"
    asked(event("UserPromptSubmit", prompt="try again, the disk is free now"))
    assert asked(bash("make")) is None


def test_an_interrupted_command_has_not_failed(asked):
    fail(asked, 9, is_interrupt=True)
    assert asked(bash("make")) is None


def test_an_agent_counts_for_itself(asked):
    fail(asked, 6, agent_id="a1")
    assert asked(bash("make")) is None
    assert asked.says(bash("make", agent_id="a1")) == "deny"
