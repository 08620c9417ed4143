"""Options: declared once, read from TOML and environment, tightened by strangers only."""

import pytest

from hookwright.options import MODES, BadValue, check_value, is_tighter, option, parse_env_value


class Thing:
    patience = option(30, help="seconds")


def test_an_option_is_its_default_until_an_instance_has_its_own():
    thing = Thing()
    assert thing.patience == 30
    thing.__dict__["patience"] = 5
    assert (thing.patience, Thing.patience.name, Thing.patience.kind) == (5, "patience", "whole")


@pytest.mark.parametrize(
    ("kind", "choices", "value", "result"),
    [
        ("switch", (), True, True),
        ("whole", (), 5, 5),
        ("number", (), 5, 5.0),
        ("text", (), "x", "x"),
        ("text", MODES, "shadow", "shadow"),
        ("text", MODES, False, "off"),
        ("texts", (), ["a", "b"], ("a", "b")),
        ("tables", (), [{"a": 1}], ({"a": 1},)),
    ],
)
def test_toml_values_keep_their_type(kind, choices, value, result):
    assert check_value(kind, choices, value) == result


@pytest.mark.parametrize(
    ("kind", "choices", "value", "says"),
    [
        ("switch", (), "yes", "must be true or false, got 'yes'"),
        ("whole", (), True, "must be a whole number, got True"),
        ("whole", (), 1.5, "must be a whole number, got 1.5"),
        ("text", MODES, "maybe", "must be on, off or shadow, got 'maybe'"),
        ("texts", (), ["a", 1], "must be a list of texts"),
        ("tables", (), ["a"], "must be a list of tables"),
    ],
)
def test_a_bad_value_says_what_is_wanted(kind, choices, value, says):
    with pytest.raises(BadValue, match=says.replace("[", r"\[")):
        check_value(kind, choices, value)


@pytest.mark.parametrize(
    ("kind", "choices", "text", "result"),
    [
        ("switch", (), "on", True),
        ("switch", (), "1", True),
        ("switch", (), "0", False),
        ("switch", (), "", False),
        ("whole", (), " 7 ", 7),
        ("number", (), "1.5", 1.5),
        ("texts", (), "a, b,,c", ("a", "b", "c")),
        ("text", MODES, "0", "off"),
        ("text", MODES, "Shadow", "shadow"),
        ("text", (), "0", "0"),
    ],
)
def test_environment_texts_become_values(kind, choices, text, result):
    assert parse_env_value(kind, choices, text) == result


@pytest.mark.parametrize(("kind", "text"), [("whole", "5s"), ("switch", "perhaps"), ("tables", "x"), ("number", "")])
def test_a_bad_environment_text_is_refused(kind, text):
    with pytest.raises(BadValue):
        parse_env_value(kind, (), text)


@pytest.mark.parametrize(
    ("tighter", "old", "new", "may"),
    [
        (None, 1, 2, False),
        (None, 1, 1, True),
        ("lower", 30, 10, True),
        ("lower", 30, 60, False),
        ("higher", 1, 2, True),
        (("off", "shadow", "on"), "off", "on", True),
        (("off", "shadow", "on"), "on", "shadow", False),
    ],
)
def test_an_untrusted_project_may_only_tighten(tighter, old, new, may):
    assert is_tighter(tighter, old, new) is may
