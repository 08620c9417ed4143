"""A command is started as the client starts it: shell or exec form, its folder, its variables, its payload."""

import asyncio
import os

import pytest

from hookwright.engine.handlers.command import parse_async_line, run
from hookwright.engine.types import Handler, RunContext
from tests.engine.kit import BASH


def ran(options, tmp_path, event="PreToolUse", root="", **payload):
    said = []
    around = RunContext(
        project=str(tmp_path),
        cwd=str(tmp_path),
        env={"PATH": os.environ["PATH"], "HOME": "/home/of"},
        timeout_s=60,
        scratch=str(tmp_path),
        detach=lambda: said.append("detached"),
    )
    handler = Handler("command", event, "user", "f.json", 1, None, {"type": "command", **options}, root)
    raw = asyncio.run(run(handler, {**BASH, "hook_event_name": event, "session_id": "s-1", **payload}, around))
    return raw, said


@pytest.mark.parametrize(
    ("options", "stdout"),
    [
        ({"command": "echo $HOME ${CLAUDE_CODE_SESSION_ID}"}, "/home/of s-1\n"),
        ({"command": "echo", "args": ["$HOME", "${CLAUDE_PROJECT_DIR}/x"]}, "$HOME {project}/x\n"),
        ({"command": "echo ${CLAUDE_PROJECT_DIR}; pwd"}, "{project}\n{project}\n"),
        ({"command": "echo $CLAUDE_EFFORT $CLAUDECODE"}, "medium 1\n"),
        ({"command": "echo a b", "args": []}, None),
    ],
)
def test_a_command_runs_in_a_shell_or_with_an_argument_list(tmp_path, options, stdout):
    raw, _ = ran(options, tmp_path)
    if stdout is None:
        assert (raw.problem, raw.exit_code) == ("No such file or directory", None)
    else:
        assert raw.stdout.decode() == stdout.replace("{project}", str(tmp_path))


def test_a_plugin_knows_its_folders(tmp_path):
    raw, _ = ran({"command": "echo ${CLAUDE_PLUGIN_ROOT} $CLAUDE_PLUGIN_DATA"}, tmp_path, root="/plugin")
    assert raw.stdout.decode() == f"/plugin {tmp_path}\n"


def test_a_session_start_may_leave_variables(tmp_path):
    ran({"command": "echo 'export A=1' >> $CLAUDE_ENV_FILE"}, tmp_path, event="SessionStart")
    assert (tmp_path / "env").read_text() == "export A=1\n"


def test_the_effort_of_the_payload_is_told(tmp_path):
    raw, _ = ran({"command": "echo $CLAUDE_EFFORT"}, tmp_path, effort={"level": "high"})
    assert raw.stdout == b"high\n"


@pytest.mark.parametrize(
    ("line", "detached"),
    [('{"async": true}', ["detached"]), ('{"async": false}', []), ("async", []), ('{"async": true', [])],
)
def test_a_first_line_may_send_it_to_the_background(tmp_path, line, detached):
    _, said = ran({"command": f"echo '{line}'; echo more"}, tmp_path)
    assert said == detached


def test_the_word_for_the_background_is_an_object():
    assert parse_async_line(b' {"async": true, "asyncTimeout": 5}') == {"async": True, "asyncTimeout": 5}
    assert parse_async_line(b'["async"]') is None
