"""What the client gives to a hook; tests/verify/test_check_third_party.py checks that every variable is set."""

import pytest

from hookwright.engine.environment import build_environment, choose_timeout_s


def test_variables_of_telemetry_are_withheld_and_others_are_passed_on():
    base = {"OTEL_TOKEN": "x", "ANTHROPIC_API_KEY": "k", "CLAUDE_PROJECT_DIR": "outer"}
    env = build_environment("PreToolUse", base=base, project="/p", session_id="s", scratch="/t", effort="high")
    assert "OTEL_TOKEN" not in env
    assert (env["ANTHROPIC_API_KEY"], env["CLAUDE_PROJECT_DIR"], env["CLAUDE_EFFORT"]) == ("k", "/p", "high")
    assert "CLAUDE_ENV_FILE" not in env
    assert "CLAUDE_PLUGIN_ROOT" not in env


@pytest.mark.parametrize(
    ("event", "kind", "own", "env", "plugin", "seconds"),
    [
        ("PreToolUse", "command", None, {}, False, 600),
        ("PreToolUse", "http", 0.5, {}, False, 0.5),
        ("PreToolUse", "prompt", None, {}, False, 30),
        ("PreToolUse", "agent", None, {}, False, 60),
        ("UserPromptSubmit", "command", None, {}, False, 30),
        ("UserPromptSubmit", "agent", None, {}, False, 60),
        ("MessageDisplay", "http", None, {}, False, 10),
        ("SessionEnd", "command", None, {}, False, 1.5),
        ("SessionEnd", "command", 10, {}, False, 10),
        ("SessionEnd", "command", 600, {}, False, 60),
        ("SessionEnd", "command", 10, {}, True, 1.5),
        ("SessionEnd", "command", 10, {"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": "250"}, False, 0.25),
        ("SessionEnd", "command", None, {"CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS": "soon"}, False, 1.5),
    ],
)
def test_how_long_the_client_waits(event, kind, own, env, plugin, seconds):
    assert choose_timeout_s(event, kind, own, environment=env, is_plugin=plugin) == seconds
