"""Exactly one recommended option, or none."""

import pytest

from hookwright.hooks.questions.recommend import find_recommended
from tests.hooks.questions.kit import asked


@pytest.mark.parametrize(
    ("question", "label"),
    [
        (asked("Which?", "A one", "B two (Recommended)"), "B two (Recommended)"),
        (asked("Which?", "A one", "B two (recommended) "), "B two (recommended) "),
        (asked("Which?", "A (recommended)", "B (recommended)"), None),
        (asked("Which?", "Postgres", "SQLite"), None),
        (asked("Which?", "Recommended by Ann", "SQLite"), None),
        (asked("Which? Recommendation: SQLite.", "Postgres", "SQLite"), "SQLite"),
        (asked("I recommend SQLite. Which one?", "Postgres", "SQLite"), "SQLite"),
        (asked("I’d recommend “sqlite”: it is small\nWhich one?", "Postgres", "SQLite"), "SQLite"),  # noqa: RUF001
        (asked("Recommended: node.js. Which?", "Node.js", "Deno"), "Node.js"),
        (asked("I recommend C++. Which?", "C", "C++"), "C++"),
        (asked("I recommend Redis Cluster. Which?", "Redis", "Redis Cluster"), "Redis Cluster"),
        (asked("I recommend Redis. Which?", "Redis", "Redis Cluster"), "Redis"),
        (asked("SQLite is small. I recommend Postgres. Which?", "Postgres", "SQLite"), "Postgres"),
        (asked("I recommend Postgres over SQLite. Which?", "Postgres", "SQLite"), None),
        (asked("I recommend Postgres or SQLite. Which?", "Postgres", "SQLite"), None),
        (asked("I do not recommend SQLite. Which?", "Postgres", "SQLite"), None),
        (asked("I wouldn't recommend SQLite. Which?", "Postgres", "SQLite"), None),
        (asked("I recommend SQLite unless it grows. Which?", "Postgres", "SQLite"), None),
        (asked("I recommend Postgres. I recommend SQLite. Which?", "Postgres", "SQLite"), None),
        (asked("Recommendation: MySQL. Which?", "Postgres", "SQLite"), None),
        (asked("I recommend a rewrite. Which?", "A", "B"), None),
        (asked("I recommend SQLite. Which?", "Postgres (Recommended)", "SQLite"), None),
        (asked("I recommend Postgres. Which?", "Postgres (Recommended)", "SQLite"), "Postgres (Recommended)"),
        (asked("Which? <x-qid:recommend-sqlite>", "Postgres", "SQLite"), None),
        (asked("Which do you recommend?", "Postgres", "SQLite"), None),
    ],
)
def test_what_the_question_recommends(question, label):
    place = find_recommended(question)
    assert (None if place is None else question.labels[place]) == label
