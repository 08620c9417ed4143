"""hookwright questions suggest: what is always answered the same way, and nothing written by itself."""

import os

import pytest

from tests.hooks.questions.kit import question

SQLITE = {"Which database?": "SQLite"}


def test_the_same_answer_so_often_becomes_a_proposal(questions, ask, house):
    for _ in range(3):
        ask(question(), answers=SQLITE)
    (found,) = questions.json("suggest")["suggestions"]
    assert (found["answer"], found["times"]) == ("SQLite", 3)
    assert not os.path.exists(f"{house.config}/questions")
    assert "hookwright questions set --id" in questions("suggest")
    questions(*found["command"][2:])
    assert ask(question()) == SQLITE
    assert questions.json("suggest")["suggestions"] == []


@pytest.mark.parametrize(
    ("raw", "answers"),
    [
        (question(), ["SQLite", "SQLite"]),
        (question(), ["SQLite", "SQLite", "SQLite", "Postgres (Recommended)"]),
        (question(), ["my words"] * 3),
        (question("Delete it?", "Yes", "No"), ["No"] * 5),
        (question("Which?", "long " * 30, "B"), [("long " * 30)] * 3),
    ],
    ids=["too few", "not always", "free text", "one-way", "too long for the record"],
)
def test_nothing_else_is_proposed(questions, ask, raw, answers):
    for answer in answers:
        ask(raw, answers={raw["question"]: answer})
    assert questions.json("suggest")["suggestions"] == []


def test_a_multiple_choice_is_proposed_with_all_its_labels(questions, ask):
    raw = question("Which extras?", "Auth", "Cache", "Log", multi=True)
    for _ in range(2):
        ask(raw, answers={"Which extras?": "Auth, Log"})
    (found,) = questions.json("suggest", "--times", "2")["suggestions"]
    questions(*found["command"][2:])
    assert ask(raw) == {"Which extras?": "Auth, Log"}


def test_a_pattern_that_decides_it_already_is_seen(questions, ask):
    for _ in range(3):
        ask(question(), answers=SQLITE)
    questions("set", "--match", "database", "--always-ask", "--scope", "user")
    assert questions.json("suggest")["suggestions"] == []
    assert "No question" in questions("suggest")
