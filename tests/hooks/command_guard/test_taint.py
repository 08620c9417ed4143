"""After content from outside: attacks are judged more strictly, ordinary work is not disturbed."""

import json
import os

import pytest

from hookwright.hooks.command_guard.hook import CommandGuard
from hookwright.hooks.observer.hook import Observer
from tests.hooks.command_guard.taint_sessions import ATTACKS, HARMLESS
from tests.hooks.kit import Desk

STRICTNESS = (None, "ask", "deny")


class Player(Desk):
    """A session whose calls go through guard and observer; nothing runs."""

    calls = 0

    def place(self, given):
        text = json.dumps(given).replace("{home}", self.home).replace("{project}", self.project)
        return json.loads(text)

    def play(self, tool, given, taint):
        Player.calls += 1
        fields = {"tool_name": tool, "tool_input": self.place(given), "tool_use_id": f"t{Player.calls}"}
        world = self.world()
        world.alone = True
        decision = CommandGuard(world, taint=taint).decide(self.event("PreToolUse", **fields))
        verdict = decision.permission if decision else None
        if verdict != "deny":
            self.fire(Observer, "PostToolUse", None, tool_response={}, **fields)
        self.facts = world.facts
        return verdict, decision.reason if decision else ""


@pytest.fixture
def player(tmp_path, monkeypatch):
    monkeypatch.setattr("hookwright.hooks.command_guard.path_kinds.TEMP_DIRS", ("/nowhere/",))
    return Player(tmp_path, repository=False)


@pytest.mark.parametrize("calls", ATTACKS.values(), ids=ATTACKS)
def test_what_an_injected_text_wants_is_judged_one_step_more_strictly(player, calls):
    usual = None
    for tool, given in calls:
        usual, _ = player.play(tool, given, "off")
    player.session = "tainted"
    for tool, given in calls:
        verdict, reason = player.play(tool, given, "on")
    assert verdict in ("ask", "deny")
    assert STRICTNESS.index(verdict) == min(STRICTNESS.index(usual) + 1, 2)
    assert usual == "deny" or "because content from outside entered this session (" in reason


@pytest.mark.parametrize("calls", ATTACKS.values(), ids=ATTACKS)
def test_in_shadow_nothing_changes_and_all_is_recorded(player, calls):
    for tool, given in calls:
        usual, _ = player.play(tool, given, "off")
    player.session = "tainted"
    for tool, given in calls:
        verdict, _ = player.play(tool, given, "shadow")
    assert verdict == usual
    if usual != "deny":
        assert player.facts["taint"]["mode"] == "shadow"
        assert player.facts["taint"]["verdict"] in ("ask", "deny")


@pytest.mark.parametrize(("calls", "asked"), HARMLESS.values(), ids=HARMLESS)
def test_ordinary_work_is_not_disturbed(player, calls, asked):
    usual = [player.play(tool, given, "off")[0] for tool, given in calls]
    player.session = "tainted"
    tainted = [player.play(tool, given, "on")[0] for tool, given in calls]
    assert "deny" not in tainted
    assert sum(one != other for one, other in zip(usual, tainted, strict=True)) == asked


def test_there_are_as_many_sessions_as_promised():
    assert len(ATTACKS) >= 50
    assert len(HARMLESS) >= 20


def test_a_session_without_content_from_outside_is_judged_as_ever(player):
    for calls in ATTACKS.values():
        tool, given = calls[-1]
        player.session = f"alone {Player.calls}"
        usual = player.play(tool, given, "off")[0]
        player.session += "x"
        assert player.play(tool, given, "on")[0] == usual


def test_what_was_refused_brings_nothing_in(player):
    """No PostToolUse: the page was never read."""
    fields = {"tool_name": "WebFetch", "tool_input": {"url": "https://x.example"}, "tool_use_id": "no"}
    player.fire(CommandGuard, "PreToolUse", {"taint": "on"}, **fields)
    assert player.play("Bash", {"command": "git push"}, "on")[0] is None


def test_a_read_that_was_let_pass_before_is_asked_about_again(player):
    player.put(".env", "K=1")
    assert player.play("Bash", {"command": "cat .env"}, "on")[0] == "ask"
    assert player.play("Bash", {"command": "cat .env"}, "on")[0] is None
    player.play("WebFetch", {"url": "https://x.example"}, "on")
    assert player.play("Bash", {"command": "cat .env"}, "on")[0] == "deny"


def test_what_the_user_set_to_ask_stays_a_question(player):
    player.play("WebFetch", {"url": "https://x.example"}, "on")
    world = player.world()
    event = player.event("PreToolUse", tool_name="Bash", tool_input={"command": "npm publish"}, tool_use_id="x")
    assert CommandGuard(world, taint="on", ask=("publish",)).decide(event).permission == "ask"
    event = player.event("PreToolUse", tool_name="Bash", tool_input={"command": "git push"}, tool_use_id="x")
    assert CommandGuard(world, taint="on", off=("taint-send",)).decide(event) is None


@pytest.mark.slow
def test_the_whole_table_through_the_hook_process(hook_process, tmp_path):
    """The registered process, one start per event, as the client would; nothing runs."""
    project = tmp_path / "project"
    project.mkdir()
    hook_process.config.write_text('[command_guard]\ntaint = "on"\n')
    wrong = []
    sessions = [(name, calls, None) for name, calls in ATTACKS.items()]
    sessions += [(name, calls, asked) for name, (calls, asked) in HARMLESS.items()]
    for number, (name, calls, asked) in enumerate(sessions):
        verdicts = []
        for step, (tool, given) in enumerate(calls):
            text = json.dumps(given).replace("{home}", str(hook_process.home)).replace("{project}", str(project))
            event = {"session_id": f"s{number}", "cwd": str(project), "tool_name": tool, "tool_input": json.loads(text)}
            event |= {"tool_use_id": f"c{number}-{step}", "transcript_path": "", "permission_mode": "default"}
            answer = hook_process.answer({**event, "hook_event_name": "PreToolUse"})
            said = ((answer or {}).get("hookSpecificOutput") or {}).get("permissionDecision")
            verdicts.append(said)
            assert said != "allow"
            if said != "deny" and step < len(calls) - 1:
                hook_process({**event, "hook_event_name": "PostToolUse", "tool_response": {}})
        if (asked is None and verdicts[-1] not in ("ask", "deny")) or (asked is not None and "deny" in verdicts):
            wrong.append((name, verdicts))
    assert wrong == []
    assert os.listdir(project) == []
