"""Extended regular expressions mean what grep -E means by them."""

from hookwright.shell.expressions import as_python, found_in


def test_posix_classes_are_translated():
    assert as_python("[[:digit:]_]+") == "[0-9_]+"


def test_an_expression_that_cannot_be_read_matches_nothing_and_is_noted():
    facts = {}
    assert found_in("(unclosed", "unclosed", facts) is False
    assert "bad_extra" in facts
