"""Calls as they come: read where they can be, asked where they cannot, never an exception."""

import pytest

from hookwright.hooks.questions.question import parse_questions
from tests.hooks.questions.kit import asked, question

FINE = question()


@pytest.mark.parametrize(
    "tool_input",
    [
        None,
        [],
        "text",
        {},
        {"questions": None},
        {"questions": {}},
        {"questions": []},
        {"questions": [None]},
        {"questions": [FINE, "and?"]},
        {"questions": [{"header": "no text"}]},
        {"questions": [{"question": "   "}]},
        {"questions": [{"question": 7}]},
        {"questions": [FINE] * 9},
    ],
)
def test_a_call_that_cannot_be_read_has_no_questions(tool_input):
    assert parse_questions(tool_input) == []


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (FINE, ""),
        (question(header=None), ""),
        (question(multiSelect=None), ""),
        ({"question": "Which?", "options": ["A", "B"]}, ""),
        ({"question": "Which?"}, "options"),
        (question(options=[]), "no options"),
        (question(options="A"), "options"),
        (question(options=[{"label": "A"}] * 33), "options"),
        (question(options=[{"label": "A"}, {"description": "none"}]), "no label"),
        (question(options=[{"label": "A"}, {"label": 2}]), "no label"),
        (question("Which?", "A", " "), "no label"),
        (question("Which?", "A", "a "), "same label"),
        (question("Which?", "A", "A (Recommended)"), "same label"),
        (question(header=["DB"]), "header"),
        (question(multiSelect="yes"), "multiSelect"),
        (question("Which? <x-qid:a> <x-qid:b>"), "two ids"),
    ],
)
def test_a_question_that_nobody_else_can_answer_says_why(raw, problem):
    (found,) = parse_questions({"questions": [raw]})
    assert problem in found.problem
    assert bool(found.problem) == bool(problem)


def test_questions_of_one_text_cannot_be_told_apart():
    first, second, third = parse_questions({"questions": [question("Go on?"), question("go  on?"), question("Where?")]})
    assert first.problem
    assert second.problem
    assert not third.problem


@pytest.mark.parametrize(
    "same",
    [
        asked(),
        asked("which database?"),
        asked("Which database?", "SQLite", "Postgres"),
        asked("Which database? <hookwright-qid:db>"),
        asked(header="db"),
        asked(description="whatever"),
    ],
)
def test_the_fingerprint_stays_with_order_case_marker_and_recommendation(same):
    assert same.fingerprint == asked().fingerprint


@pytest.mark.parametrize(
    "other",
    [
        asked("Which data base?"),
        asked(header="Store"),
        asked("Which database?", "SQLite", "Postgres", "MySQL"),
        asked("Which database?", "SQLite", "Postgre"),
        asked("Which database?", "SQLite"),
    ],
)
def test_another_header_wording_or_option_is_another_fingerprint(other):
    assert other.fingerprint != asked().fingerprint


def test_the_fingerprint_is_the_same_on_every_machine():
    assert asked().fingerprint == "q-bb2327efbfe75142"


def test_the_marker_gives_the_id():
    assert asked("Which? <hookwright-qid:db-choice>").qid == "db-choice"
    assert asked("Which? <a-qid:x> again <b-qid:x>").qid == "x"
    assert asked().qid is None
