"""What becomes of a call: answered only if every question is decided, asked in every doubt."""

import pytest

from hookwright.hooks.questions.question import parse_questions
from hookwright.hooks.questions.resolve import resolve_questions
from tests.hooks.questions.kit import preference, question

NOW = 1_800_000_000.0
EXTRAS = question("Which extras?", "Auth", "Cache", "Log", header="Extras", multi=True)
ABOUT_EXTRAS = {"question": "Which extras?"}


def settled(questions, *preferences, **more):
    return resolve_questions(parse_questions({"questions": questions}), [list(preferences)], now=NOW, **more)


@pytest.mark.parametrize(
    ("raw", "preferred", "answer"),
    [
        (question(), preference(answer="SQLite"), "SQLite"),
        (question(), preference(answer="sqlite "), "SQLite"),
        (question(), preference(answer="Postgres"), "Postgres (Recommended)"),
        (question(), preference(answer="MySQL"), None),
        (question(), preference(answer=["SQLite", "Postgres"]), None),
        (question(), preference(answer=[]), None),
        (question(), preference(answer=[7]), None),
        (question(), preference(text="the one we have"), "the one we have"),
        (question(), preference(text=" "), None),
        (question(), preference("never-ask"), "Postgres (Recommended)"),
        (question(), preference("ask-only-for-one-way"), "Postgres (Recommended)"),
        (question("Which database?", "Postgres", "SQLite"), preference("never-ask"), None),
        (question(), preference("always-ask"), None),
        (question(), preference(answer="SQLite", expires=NOW - 1), None),
        (EXTRAS, preference(answer=["Log", "Auth"], match=ABOUT_EXTRAS), "Auth, Log"),
        (EXTRAS, preference(answer=["Log", "log"], match=ABOUT_EXTRAS), "Log"),
        (EXTRAS, preference(answer=["Log", "Metrics"], match=ABOUT_EXTRAS), None),
        (EXTRAS, preference(text="only logging", match=ABOUT_EXTRAS), "only logging"),
        (question("Which extras?", "A, B", "C", multi=True), preference(answer="A, B", match=ABOUT_EXTRAS), None),
        (question("Which extras?", "A, B", "C", multi=True), preference(answer="C", match=ABOUT_EXTRAS), "C"),
        (question("Which extras?", "A, B", "C"), preference(answer="A, B", match=ABOUT_EXTRAS), "A, B"),
        (question("Which extras?", "A", "A "), preference(answer="A", match=ABOUT_EXTRAS), None),
        (question("Which extras?", "Ä😀", "b"), preference(answer="ä😀", match=ABOUT_EXTRAS), "Ä😀"),
        (question("Drop it?", "Yes (Recommended)", "No"), preference("never-ask", match={"pattern": "."}), None),
        (question("Drop it?", "Yes", "No"), preference(answer="No", match={"pattern": "."}), None),
    ],
)
def test_a_single_question_is_answered_by_its_preference_or_asked(raw, preferred, answer):
    found = settled([raw], preferred)
    assert (found.answers[raw["question"]] if found.verdict == "answer" else None) == answer
    assert found.parts[0].why


@pytest.mark.parametrize(
    ("raw", "undecided", "verdict"),
    [
        (question(), "ask", "ask"),
        (question(), "recommended", "answer"),
        (question(), "deny", "deny"),
        (question("Which database?", "Postgres", "SQLite"), "recommended", "ask"),
        (question("Delete it?", "Yes (Recommended)", "No"), "recommended", "ask"),
        (question("Delete it?", "Yes (Recommended)", "No"), "deny", "ask"),
        (question("Which?", "A (Recommended)", "a"), "recommended", "ask"),
        (question("Which?", "A (Recommended)", "a"), "deny", "ask"),
    ],
)
def test_a_question_that_nothing_decides_meets_the_users_choice(raw, undecided, verdict):
    assert settled([raw], undecided=undecided).verdict == verdict


def test_always_ask_holds_for_somebody_who_is_away():
    assert settled([question()], preference("always-ask"), undecided="recommended").verdict == "ask"
    assert settled([question()], preference("always-ask"), undecided="deny").verdict == "ask"


def test_a_dialog_is_answered_only_if_all_its_questions_are_decided():
    decided = preference(answer="SQLite")
    assert settled([question(), EXTRAS], decided).verdict == "ask"
    assert settled([question(), question("Delete it?", "Yes", "No")], decided).verdict == "ask"
    assert settled([question(), EXTRAS], decided, undecided="deny").verdict == "deny"
    both = settled([question(), EXTRAS], decided, preference(answer="Log", match=ABOUT_EXTRAS))
    assert both.answers == {"Which database?": "SQLite", "Which extras?": "Log"}


def test_four_questions_with_four_options():
    raws = [question(f"Which {name}?", *(f"{name} {n}" for n in range(4))) for name in "abcd"]
    preferences = [preference(answer=f"{name} 3", match={"question": f"Which {name}?"}) for name in "abcd"]
    assert settled(raws, *preferences).answers == {f"Which {name}?": f"{name} 3" for name in "abcd"}


def test_two_questions_of_one_text_are_asked():
    assert settled([question(), question(header="other")], preference(answer="SQLite")).verdict == "ask"


def test_nothing_is_settled_without_questions():
    assert settled([]).verdict == "ask"
