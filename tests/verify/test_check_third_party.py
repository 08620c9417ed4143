"""A hook of another tool gets what the client would give it."""

import json
from pathlib import Path

import pytest

from hookwright.engine.handlers.command import environment_of
from hookwright.engine.select import build_handler
from hookwright.settings.client_validation import Entry
from hookwright.settings.find import Source
from hookwright.settings.load import RegisteredHandler
from hookwright.verify.check_third_party import Session

RECORDED = json.loads((Path(__file__).parent.parent / "payloads/2.1.325/_env_names.json").read_text())
# Of the shell that started the client, and of the test's own client; the messaging pair is a secret of a session.
NOT_OURS = ("ANTHROPIC_", "DISABLE_", "CLAUDE_CODE_DISABLE_", "CLAUDE_CODE_MESSAGING_", "IS_SANDBOX")
INHERITED = {"HOME", "LANG", "PATH", "PWD", "SHELL", "TERM", "SHLVL", "_", "OLDPWD", "TMPDIR", "USER"}


def handler(event, root="", **options):
    source = Source("plugin" if root else "user", "/x/hooks.json", root=root)
    entry = Entry(event, None, {"type": "command", "command": "x", **options}, "/x/hooks.json:1", 0, 0)
    return build_handler(RegisteredHandler(source, entry))


@pytest.mark.parametrize("event", [event for event, names in RECORDED.items() if isinstance(names, list)])
def test_every_variable_that_the_client_sets_is_set(event):
    hook = handler(event, "/plugin" if "CLAUDE_PLUGIN_ROOT" in RECORDED[event] else "")
    env = environment_of(hook, {"session_id": "id"}, Session("/project", {}).build_context(hook, "/scratch"))
    expected = {name for name in RECORDED[event] if not name.startswith(NOT_OURS)} - INHERITED
    assert expected - env.keys() == set()


@pytest.mark.parametrize(
    ("event", "options", "seconds"),
    [
        ("PreToolUse", {}, 30.0),
        ("PreToolUse", {"timeout": 5}, 5.0),
        ("PreToolUse", {"timeout": 500}, 30.0),
        ("SessionEnd", {}, 1.5),
        ("MessageDisplay", {}, 10.0),
    ],
)
def test_the_timeout_is_the_clients_but_limited(event, options, seconds):
    assert Session("/project", {}, max_wait_s=30.0).timeout_s(handler(event, **options)) == seconds
