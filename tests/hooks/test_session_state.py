"""What a hook keeps within a session: read back as written, gone when forgotten, independent of the clock."""

import os

import pytest

from hookwright.hooks.base import Hook
from hookwright.hooks.context.hook import Context
from hookwright.hooks.session_state import forget_state, read_state, write_state
from hookwright.store import limits
from tests.hooks.kit import Desk


@pytest.mark.parametrize("text", ["", "1700000000.5", "two\nlines", "ä\0ö"])
def test_a_text_is_read_back_until_it_is_forgotten(tmp_path, text):
    scope = limits.scope(str(tmp_path), "s1")
    assert read_state(scope, "turn") is None
    assert write_state(scope, "turn", text)
    assert (read_state(scope, "turn"), read_state(scope, "busy")) == (text, None)
    assert read_state(limits.scope(str(tmp_path), "s1", "agent"), "turn") is None
    forget_state(scope, "turn")
    forget_state(scope, "turn")
    assert read_state(scope, "turn") is None


def test_a_state_that_cannot_be_written_is_none(tmp_path):
    (tmp_path / "sessions").write_text("a file where the directory should be")
    scope = limits.scope(str(tmp_path), "s1")
    assert not write_state(scope, "turn", "x")
    assert read_state(scope, "turn") is None


def test_a_clock_that_is_set_back_repeats_no_context(tmp_path):
    desk = Desk(tmp_path)
    assert desk.fire(Context, "SessionStart", source="startup")
    desk.later = -3600.0
    assert desk.fire(Context, "UserPromptSubmit", prompt="go on") is None


@pytest.mark.parametrize("damage", ["", "no time\n()\n{}", "one line"])
def test_a_damaged_state_means_that_nothing_was_told(tmp_path, damage):
    desk = Desk(tmp_path)
    first = desk.fire(Context, "SessionStart", source="startup")
    write_state(limits.scope(desk.state, desk.session), "context", damage)
    assert desk.fire(Context, "UserPromptSubmit", prompt="go on") == first
    assert desk.fire(Context, "UserPromptSubmit", prompt="go on") is None
    assert os.listdir(f"{limits.scope(desk.state, desk.session)}/state") == ["context"]


def test_debug_lines_bear_the_name_that_the_configuration_uses(capsys):
    class NoFridayDeploys(Hook):
        """Nothing."""

    NoFridayDeploys().log_debug("silent")
    NoFridayDeploys(debug=True).log_debug("one")
    NoFridayDeploys(debug=True).aside("two")
    assert capsys.readouterr().err == "hookwright no_friday_deploys: one\nhookwright no_friday_deploys: two\n"
