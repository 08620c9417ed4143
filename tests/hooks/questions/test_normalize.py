"""Texts that a reader would call the same are the same; ids stand in markers."""

import pytest

from hookwright.hooks.questions.normalize import clip_text, find_markers, label_key, normalize_text, strip_recommended


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Which one? <hookwright-qid:db-choice>", ["db-choice"]),
        ("<gstack-qid:ship.target/2> Where to?", ["ship.target/2"]),
        ("<a-qid:x><b-qid:y>", ["x", "y"]),
        ("no marker, but -qid:x>", []),
        ("<-qid:x>", []),
        ("<hookwright-qid:>", []),
        ("<hookwright-qid:two words>", []),
        (f"<hookwright-qid:{'x' * 65}>", []),
        ("<hookwright-qid:open", []),
        ("a < b, c-qid:d > e", []),
        ("<hookwright-qid:ünder>", []),
    ],
)
def test_an_id_is_what_stands_in_a_marker(text, found):
    assert find_markers(text) == found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Which  database ?", "which database ?"),
        ("Which database? <hookwright-qid:db>", "Which database?"),
        ("Ｗｈｉｃｈ?", "which?"),  # noqa: RUF001
        ("Da\u00adten\u200bbank?", "datenbank?"),
        ("STRASSE", "straße"),
    ],
)
def test_case_spacing_form_and_markers_make_no_difference(one, other):
    assert normalize_text(one) == normalize_text(other)


@pytest.mark.parametrize(("one", "other"), [("Which database?", "Which databases?"), ("A?", "A!"), ("x", "")])
def test_another_wording_is_another_text(one, other):
    assert normalize_text(one) != normalize_text(other)


@pytest.mark.parametrize(
    ("label", "plain"),
    [
        ("Postgres (Recommended)", "Postgres"),
        ("Postgres (recommended) ", "Postgres"),
        ("Recommended", "Recommended"),
        ("(recommended)", ""),
        ("Postgres (recommended by Ann)", "Postgres (recommended by Ann)"),
    ],
)
def test_a_label_is_known_without_its_recommendation(label, plain):
    assert strip_recommended(label) == plain
    assert label_key(label) == normalize_text(plain)


def test_a_clipped_text_is_one_line_and_says_that_it_is_cut():
    assert clip_text("a\nb  c", 10) == "a b c"
    assert clip_text("abcdef", 4) == "abc…"
