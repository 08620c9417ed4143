"""What is registered: the events and tools of the hooks that are on, and nothing else."""

import pytest

from hookwright.config.compiler import HookSpec, declare_builtins
from hookwright.runtime.registration import build_matcher, list_events, timeout_s
from hookwright.settings import matcher_syntax


def hook(on, name="one", deadline_s=5.0, **fields):
    return HookSpec(name, name, "open", deadline_s, on, {}, "", **fields)


@pytest.mark.parametrize(
    ("event", "tools", "expected"),
    [
        ("PreToolUse", [("Bash",)], "Bash"),
        ("PreToolUse", [("Bash", "Write"), ("Write", "Edit")], "Bash|Write|Edit"),
        ("PreToolUse", [("Bash",), ()], None),
        ("PreToolUse", [("Bash", "mcp__*__AskUserQuestion")], "^(Bash|mcp__.*__AskUserQuestion)$"),
        ("PreToolUse", [("mcp__a.b__c",)], "^(mcp__a[.]b__c)$"),
        ("Notification", [("Bash",)], None),
        ("Stop", [()], None),
    ],
)
def test_the_matcher_is_what_the_hooks_care_for_together(event, tools, expected):
    found = build_matcher(event, [hook({event: names}) for names in tools])
    assert found == expected
    assert matcher_syntax.why_invalid(found) is None


def test_events_come_in_the_clients_order():
    hooks = [hook({"Stop": (), "PreToolUse": ("Bash",)}), hook({"SessionStart": ()})]
    assert list_events(hooks) == ["PreToolUse", "SessionStart", "Stop"]


def test_the_timeout_has_room_for_every_hooks_own_deadline():
    quick, slow = hook({"Stop": ()}, deadline_s=2), hook({"Stop": ()}, longest_s={"Stop": 585.0})
    assert timeout_s("Stop", [quick]) == 7
    assert timeout_s("Stop", [quick, quick]) == 9
    assert timeout_s("Stop", [quick, slow]) == 592
    assert timeout_s("Stop", [slow, slow]) == 600


def test_every_built_in_hook_gets_a_timeout_and_a_matcher_that_the_client_can_read():
    hooks = declare_builtins()
    for event in list_events(hooks):
        here = [one for one in hooks if event in one.on]
        assert 5 < timeout_s(event, here) <= 600
        assert matcher_syntax.why_invalid(build_matcher(event, here)) is None
