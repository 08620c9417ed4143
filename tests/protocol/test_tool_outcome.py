"""How a call ended, from the client's own words."""

import pytest

from hookwright.protocol import tool_outcome


@pytest.mark.parametrize(
    ("tool", "response", "facts"),
    [
        ("Bash", {"stdout": "x", "interrupted": False}, {"outcome": "ok", "exit_code": 0}),
        ("Bash", {"stdout": "", "backgroundTaskId": "b1"}, {"outcome": "background", "task_id": "b1"}),
        ("Bash", {"stdout": "x", "interrupted": True}, {"outcome": "interrupted"}),
        ("Bash", "text of an older client", {"outcome": "ok"}),
        ("Bash", {"exit_code": 0, "output": "x"}, {"outcome": "ok", "exit_code": 0}),
        ("Bash", {"exit_code": 3, "output": "x"}, {"outcome": "failed", "exit_code": 3}),
        ("Bash", {"exit_code": "unknown"}, {"outcome": "ok", "exit_code": 0}),
        ("Read", {"file": {}}, {"outcome": "ok"}),
        (None, None, {"outcome": "ok"}),
    ],
)
def test_a_result_says_how_it_ended(tool, response, facts):
    assert tool_outcome.read_success(tool, response) == facts


@pytest.mark.parametrize(
    ("error", "facts"),
    [
        ("Exit code 2\nls: cannot access", {"outcome": "failed", "exit_code": 2}),
        ("Exit code 127", {"outcome": "failed", "exit_code": 127}),
        ("Exit code 143\nCommand timed out after 2m 0s", {"outcome": "timed_out"}),
        ("Command timed out after 120s", {"outcome": "timed_out"}),
        ("Exit code 1\n" + "x" * 500 + "Command timed out after 1s", {"outcome": "failed", "exit_code": 1}),
        ("[Request interrupted by user for tool use]", {"outcome": "interrupted"}),
        ("File does not exist.", {"outcome": "failed"}),
        ("Exit code many", {"outcome": "failed"}),
        (None, {"outcome": "failed"}),
    ],
)
def test_an_error_says_how_it_ended(error, facts):
    assert tool_outcome.read_failure(error) == facts


def test_a_flag_of_the_client_outweighs_the_text():
    assert tool_outcome.read_failure("Exit code 1", interrupted=True) == {"outcome": "interrupted"}


def notice(status, summary, call="<tool-use-id>toolu_1</tool-use-id>\n"):
    return (
        f"<task-notification>\n<task-id>b1</task-id>\n{call}<output-file>/tmp/x</output-file>\n"
        f"<status>{status}</status>\n<summary>{summary}</summary>\n</task-notification>"
    )


@pytest.mark.parametrize(
    ("prompt", "facts"),
    [
        (
            notice("completed", 'Background command "make" completed (exit code 0)'),
            {"task_id": "b1", "task_status": "completed", "tool_use_id": "toolu_1", "exit_code": 0, "outcome": "ok"},
        ),
        (
            notice("failed", 'Background command "x (exit code 9)" failed with exit code 1'),
            {"task_id": "b1", "task_status": "failed", "tool_use_id": "toolu_1", "exit_code": 1, "outcome": "failed"},
        ),
        (notice("new word", "?", call=""), {"task_id": "b1", "task_status": "new word"}),
        ("please look at <task-notification> in the docs", {}),
        ("", {}),
        (None, {}),
    ],
)
def test_a_notice_tells_of_a_finished_background_command(prompt, facts):
    assert tool_outcome.read_task_notice(prompt) == facts


@pytest.mark.parametrize(
    ("tasks", "found"),
    [
        ([{"id": "b1", "status": "running", "command": "secret"}], [{"id": "b1", "status": "running"}]),
        ([None, 5, {}], [{"id": None, "status": None}]),
        ("tasks", []),
        (None, []),
    ],
)
def test_running_tasks_are_ids_and_states_only(tasks, found):
    assert tool_outcome.summarize_tasks(tasks) == found
