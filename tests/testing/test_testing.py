"""What the fixtures give has names that a test can import."""

import pytest

import hookwright.testing
from hookwright.testing import Answer, Call, Claude, HookTrial


def test_the_types_of_the_fixtures_can_be_imported(hook, claude):
    assert (type(hook), type(claude)) == (HookTrial, Claude)
    assert (Answer.__name__, Call.__name__) == ("Answer", "Call")


def test_anything_else_is_no_name_of_ours():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        hookwright.testing.nothing  # noqa: B018
