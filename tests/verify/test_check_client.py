"""Which mods could answer before our guard: none where managed settings register it."""

import pytest

from hookwright.settings.client_validation import Entry
from hookwright.settings.find import Plugin, Source
from hookwright.settings.installed_client import SessionClient
from hookwright.settings.load import LoadedHooks, RegisteredHandler
from hookwright.settings.mods import Mod
from hookwright.verify.check_client import list_bypassing_mods

MOD = Mod(Plugin("theme@market", "/plug"), "/plug/hooks/hooks.json", "./register.mjs")
OURS = "/home/ann/.local/share/hookwright/hook"


@pytest.mark.parametrize(
    ("scope", "event", "command", "bypassed"),
    [
        ("managed", "PreToolUse", OURS, False),
        ("managed", "Stop", OURS, True),
        ("managed", "PreToolUse", "/usr/bin/their-guard", True),
        ("user", "PreToolUse", OURS, True),
        ("project", "PreToolUse", OURS, True),
    ],
)
def test_only_our_guard_in_managed_settings_comes_before_mods(scope, event, command, bypassed):
    entry = Entry(event, None, {"type": "command", "command": command, "args": []}, "/s.json:1", 0, 0)
    loaded = LoadedHooks([RegisteredHandler(Source(scope, "/s.json"), entry)])
    assert bool(list_bypassing_mods([MOD], loaded, SessionClient(version=(2, 1, 325)))) is bypassed
