"""The variables of the Agent OS hooks, through the registered process: each does what its name says."""

import pytest

from hookwright.testing.builders import payload
from tests.hooks.kit import Desk

pytestmark = pytest.mark.slow

BLOCK = {"HOOKWRIGHT_STOP_GUARD_UNCOMMITTED": "block"}


@pytest.fixture
def session(hook_process, tmp_path):
    """A session that wrote a file in a repository, and wants to stop."""
    desk = Desk(tmp_path / "desk")
    path = desk.put("kept.py", "a = 2\n")
    wrote = {"tool_name": "Write", "tool_input": {"file_path": path}, "tool_response": {}}

    def stop(**env):
        env = {"CLAUDE_PROJECT_DIR": desk.project, **BLOCK, **env}
        hook_process(payload("PostToolUse", cwd=desk.project, **wrote), **env)
        return hook_process(payload("Stop", cwd=desk.project, stop_hook_active=False), **env)

    return stop


def test_without_them_the_answer_is_one_object(session):
    done = session()
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'"decision":"block"' in done.stdout


def test_no_json_gives_stderr_and_exit_code_2(session):
    done = session(AGENT_OS_STOP_NO_JSON="true")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"kept.py" in done.stderr


def test_quiet_says_nothing(session):
    done = session(AGENT_OS_HOOKS_QUIET="true")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_ttl_limits_the_rate(session):
    assert session(AGENT_OS_STOP_TTL="300").stdout
    assert session(AGENT_OS_STOP_TTL="300").stdout == b""
    assert session(AGENT_OS_STOP_TTL="0").stdout


def test_the_recent_window_decides_which_commit_is_recent(session):
    assert session(AGENT_OS_RECENT_WINDOW="20 years ago").stdout == b""
    assert session(AGENT_OS_RECENT_WINDOW="1 hour ago").stdout


def test_debug_gives_the_reason_on_stderr(session):
    done = session(AGENT_OS_DEBUG="true", HOOKWRIGHT_STOP_GUARD_UNCOMMITTED="shadow")
    assert done.stdout == b""
    assert b"hookwright stop_guard: nothing unfinished" in done.stderr


def test_a_value_that_makes_no_sense_is_passed_over(session, hook_process):
    assert session(AGENT_OS_STOP_TTL="soon").stdout
    assert any("AGENT_OS_STOP_TTL" in str(record.get("bad_environment")) for record in hook_process.journal)
