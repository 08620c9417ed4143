"""Which preference speaks: all conditions, the nearest scope, the surest name, and silence when two disagree."""

import pytest

from hookwright.hooks.questions.preferences import QuestionOrigin, find_preference, matches_question
from tests.hooks.questions.kit import asked, preference

NOW = 1_800_000_000.0
DB = asked("Which database? <hookwright-qid:db-choice>", "Postgres", "SQLite", header="DB")


def found(*scopes, question=DB, place=None, used=lambda identity: 0):
    return find_preference(scopes, question, place or QuestionOrigin(), NOW, used)


@pytest.mark.parametrize(
    ("match", "speaks"),
    [
        ({"id": "db-choice"}, True),
        ({"id": "db"}, False),
        ({"fingerprint": DB.fingerprint}, True),
        ({"fingerprint": "q-0000000000000000"}, False),
        ({"question": "which  DATABASE?"}, True),
        ({"question": "Which data?"}, False),
        ({"pattern": "data(base|s)"}, True),
        ({"pattern": "^DB$"}, True),
        ({"pattern": "^base"}, False),
        ({"pattern": "(unclosed"}, False),
        ({"pattern": ".*", "header": "db"}, True),
        ({"pattern": ".*", "header": "Store"}, False),
        ({"pattern": ".*", "options": ["sqlite", "Postgres (Recommended)"]}, True),
        ({"pattern": ".*", "options": ["SQLite"]}, False),
        ({"pattern": ".*", "agent": "Explore"}, True),
        ({"pattern": ".*", "agent": "Plan"}, False),
        ({"pattern": ".*", "server": "conductor"}, True),
        ({"pattern": ".*", "server": "other"}, False),
        ({"pattern": ".*", "skill": "ship"}, True),
        ({"pattern": ".*", "skill": "plan"}, False),
        ({"question": "Which database?", "of_a_later_version": "x"}, False),
        ({"header": "DB"}, False),
        ({}, False),
        (None, False),
        ({"id": 7}, False),
        ({"pattern": ["a"]}, False),
        ({"question": "Which database?", "options": "SQLite"}, False),
    ],
)
def test_every_condition_must_hold(match, speaks):
    place = QuestionOrigin("Explore", "conductor", lambda: "ship")
    assert matches_question(preference(match=match), DB, place) == speaks


def test_the_skill_is_looked_up_only_for_who_wants_to_know():
    def never():
        raise AssertionError

    assert matches_question(preference(), DB, QuestionOrigin(skill=never))


@pytest.mark.parametrize(
    "over",
    [
        {"disabled": True},
        {"disabled": None},
        {"expires": NOW},
        {"expires": NOW - 1},
        {"expires": "soon"},
        {"uses": 3},
        {"uses": "many"},
        {"value": "whatever"},
        {"id": None},
    ],
)
def test_what_is_off_expired_used_up_or_strange_does_not_speak(over):
    assert found([preference(**over)], used=lambda identity: 3) == (None, "")


@pytest.mark.parametrize("live", [{"expires": NOW + 1}, {"uses": 4}, {}])
def test_a_preference_that_is_not_expired_or_used_up_answers(live):
    wanted = preference(**live)
    assert found([wanted], used=lambda identity: 3) == (wanted, "")


def test_the_project_speaks_before_the_user():
    project, user = preference(match={"pattern": "."}), preference(match={"id": "db-choice"})
    assert found([project], [user]) == (project, "")
    assert found([], [user]) == (user, "")


def test_a_project_preference_that_is_over_leaves_the_word_to_the_user():
    over, user = preference(expires=NOW - 1), preference()
    assert found([over], [user]) == (user, "")


def test_the_surest_name_speaks_first():
    by_id = preference(match={"id": "db-choice"}, answer="A")
    by_fingerprint = preference(match={"fingerprint": DB.fingerprint}, answer="B")
    by_wording = preference(answer="C")
    by_pattern = preference(match={"pattern": "."}, answer="D")
    order = [by_id, by_fingerprint, by_wording, by_pattern]
    for place, wanted in enumerate(order):
        assert found(order[place:][::-1]) == (wanted, "")


def test_two_of_one_rank_that_agree_speak_and_that_disagree_do_not():
    one, same = preference(match={"pattern": "data"}, answer="A"), preference(match={"pattern": "base"}, answer="A")
    other = preference(match={"pattern": "which"}, answer="B")
    assert found([one, same])[0] == same
    speaking, why = found([one, other])
    assert speaking is None
    assert one["id"] in why
    assert other["id"] in why
    assert found([one, preference("never-ask", match={"pattern": "which"})])[0] is None


@pytest.mark.parametrize("strange", [None, 7, "text", [], {}, {"match": 3}, {"id": "x", "match": {"id": "db-choice"}}])
def test_strange_entries_are_passed_over(strange):
    assert found([strange]) == (None, "")
