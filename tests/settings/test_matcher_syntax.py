"""Matchers against the recorded behaviour of the client."""

import pytest

from hookwright.settings import matcher_syntax
from tests.settings import measured


@pytest.mark.parametrize("matcher", [matcher for matcher, _ in measured.MATCHERS])
def test_what_the_client_can_read_is_no_trouble(matcher):
    assert matcher_syntax.why_invalid(matcher) is None


@pytest.mark.parametrize("matcher", measured.BROKEN_MATCHERS)
def test_what_never_matches_is_trouble(matcher):
    assert matcher_syntax.why_invalid(matcher)


@pytest.mark.parametrize(
    ("matcher", "words"),
    [("Bash(*)", "nothing to repeat"), ("(?i)bash", "(?i) is not known"), ("[z-a]", "backwards"), ("[", "not closed")],
)
def test_trouble_is_told_in_words(matcher, words):
    assert words in matcher_syntax.why_invalid(matcher)


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [
        ("Bash", "Bash|Read", True),
        ("Bash", "Read, Write", False),
        (None, "Read", True),
        ("*", "Read", True),
        ("Ba.*", "Read", True),  # an expression gets the benefit of the doubt
    ],
)
def test_two_matchers_that_may_match_one_tool_overlap(one, other, overlap):
    assert matcher_syntax.may_overlap(one, other) is overlap


@pytest.mark.parametrize("matcher", ["[\\d-z]", "[a\\-z]", "[^]", "a{2}", "a{,3}", "\\b*", "(a)\\1", "(?<=a)b", "[]]"])
def test_the_rarer_forms_of_javascript_are_read(matcher):
    assert matcher_syntax.why_invalid(matcher) == ("nothing to repeat before *" if matcher == "\\b*" else None)
