"""Extended regular expressions mean what grep -E means by them."""

from hookwright.shell.posix_ere import matches_ere, to_python_regex


def test_posix_classes_are_translated():
    assert to_python_regex("[[:digit:]_]+") == "[0-9_]+"


def test_an_invalid_expression_matches_nothing_and_is_noted():
    facts = {}
    assert matches_ere("(unclosed", "unclosed", facts) is False
    assert "bad_extra" in facts
