"""What the fixtures give has names that a test can import."""

import pytest

import hookwright.testing
from hookwright.errors import UserError
from hookwright.testing import Answer, Call, Claude, HookTrial
from hookwright.testing.builders import event


def test_the_types_of_the_fixtures_can_be_imported(hook, claude):
    assert (type(hook), type(claude)) == (HookTrial, Claude)
    assert (Answer.__name__, Call.__name__) == ("Answer", "Call")


def test_anything_else_is_no_name_of_ours():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        hookwright.testing.nothing  # noqa: B018


def test_a_test_of_silence_fails_if_the_hook_answers_what_its_event_cannot_carry(hook):
    @hookwright.hook(hookwright.UserPromptSubmit)
    def wrong_verb(event):
        return hookwright.deny("no")

    with pytest.raises(UserError, match="UserPromptSubmit cannot carry deny; it can carry block"):
        hook(wrong_verb, event("UserPromptSubmit", prompt="hello"))
