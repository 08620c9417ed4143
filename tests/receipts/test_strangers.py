"""A stranger's hook gets what the client would give it."""

import json
from pathlib import Path

import pytest

from hookwright.receipts.strangers import Session
from hookwright.settings.find import Source
from hookwright.settings.load import Registered
from hookwright.settings.rules import Entry

RECORDED = json.loads((Path(__file__).parent.parent / "payloads/2.1.325/_env_names.json").read_text())
# Of the shell that started the client, and of the test's own client; the messaging pair is a secret of a session.
NOT_OURS = ("ANTHROPIC_", "DISABLE_", "CLAUDE_CODE_DISABLE_", "CLAUDE_CODE_MESSAGING_", "IS_SANDBOX")
INHERITED = {"HOME", "LANG", "PATH", "PWD", "SHELL", "TERM", "SHLVL", "_", "OLDPWD", "TMPDIR", "USER"}


def registered(event, root="", **handler):
    source = Source("plugin" if root else "user", "/x/hooks.json", root=root)
    return Registered(
        source, Entry(event, None, {"type": "command", "command": "x", **handler}, "/x/hooks.json:1", 0, 0)
    )


@pytest.mark.parametrize("event", [event for event, names in RECORDED.items() if isinstance(names, list)])
def test_every_variable_that_the_client_sets_is_set(event):
    root = "/plugin" if "CLAUDE_PLUGIN_ROOT" in RECORDED[event] else ""
    env = Session("/project", {}).env(registered(event, root), "/scratch", "id")
    wanted = {name for name in RECORDED[event] if not name.startswith(NOT_OURS)} - INHERITED
    assert wanted - env.keys() == set()


@pytest.mark.parametrize(
    ("event", "handler", "seconds"),
    [
        ("PreToolUse", {}, 30.0),
        ("PreToolUse", {"timeout": 5}, 5.0),
        ("PreToolUse", {"timeout": 500}, 30.0),
        ("SessionEnd", {}, 1.5),
        ("MessageDisplay", {}, 10.0),
    ],
)
def test_the_clock_is_the_clients_but_nobody_waits_for_ever(event, handler, seconds):
    assert Session("/project", {}, patience_s=30.0).timeout_s(registered(event, **handler)) == seconds
