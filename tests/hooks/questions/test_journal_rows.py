"""What is kept of a question: every one of a call, who answered it, and never more than a record can hold."""

import json

import pytest

from hookwright.hooks.questions.journal_rows import answered_row, asked_row, parse_answers, read_answer
from hookwright.hooks.questions.question import parse_questions
from hookwright.hooks.questions.resolve import Resolution
from hookwright.protocol.json import dumps
from hookwright.store import journal
from tests.hooks.questions.kit import asked, question

EXTRAS = asked("Which extras?", "Auth", "Cache, warm", "Log", multi=True)


@pytest.mark.parametrize(
    ("found", "answer", "labels", "free_text"),
    [
        (asked(), "SQLite", ["SQLite"], False),
        (asked(), "Postgres (Recommended)", ["Postgres (Recommended)"], False),
        (asked(), "what we have", [], True),
        (asked(), "SQLite, Postgres", [], True),
        (asked(), None, [], False),
        (asked(), "", [], False),
        (EXTRAS, "Auth, Log", ["Auth", "Log"], False),
        (EXTRAS, "Auth,Cache, warm", ["Auth", "Cache, warm"], False),
        (EXTRAS, "Cache, warm", ["Cache, warm"], False),
        (EXTRAS, "Auth, and tea", ["Auth"], True),
        (EXTRAS, "tea", [], True),
    ],
)
def test_an_answer_is_read_as_labels_and_words(found, answer, labels, free_text):
    places, words = read_answer(found, answer)
    assert ([found.labels[place] for place in places], words) == (labels, free_text)


@pytest.mark.parametrize(
    ("response", "answers", "notes"),
    [
        ({"answers": {"Q?": "A"}, "annotations": {}}, {"Q?": "A"}, {}),
        ({"answers": {"Q?": ["A", "B"]}}, {"Q?": "A, B"}, {}),
        ({"answers": {"Q?": "A"}, "annotations": {"Q?": {"notes": "well"}}}, {"Q?": "A"}, {"Q?": "well"}),
        ({"answers": {"Q?": 7, "R?": []}, "annotations": {"Q?": "x", "R?": {"notes": 1}}}, {}, {}),
        ({"answers": "A"}, {}, {}),
        ({}, {}, {}),
        (None, {}, {}),
        ("text", {}, {}),
        ([{"type": "text", "text": 'got {"answers": {"Q?": "A"}}'}], {"Q?": "A"}, {}),
        ([{"type": "text", "text": " sqlite "}], {"Which database?": "sqlite"}, {}),
        ([{"type": "text", "text": "{not json"}], {}, {}),
        ([{"type": "image"}, 7], {}, {}),
        ([], {}, {}),
    ],
)
def test_answers_are_found_in_every_shape(response, answers, notes):
    assert parse_answers(response, [asked()]) == (answers, notes)


def row(answer, mark=None, raw=None):
    (found,) = parse_questions({"questions": [raw or question()]})
    return answered_row(Resolution(found), 1, answer, "", mark or {})


@pytest.mark.parametrize(
    ("answer", "followed"), [("Postgres (Recommended)", True), ("SQLite", False), ("my words", False), (None, None)]
)
def test_it_is_kept_whether_the_recommendation_was_followed(answer, followed):
    assert row(answer)["followed"] == followed
    assert row(answer, raw=question("Which?", "A", "B"))["followed"] is None


def test_who_answered_is_known_from_the_mark_alone():
    mark = {"by": "preference", "preference": "p-1", "answer": "SQLite"}
    assert (row("SQLite", mark)["answered_by"], row("SQLite", mark)["preference"]) == ("preference", "p-1")
    assert row("SQLite")["answered_by"] == "user"
    # Something else answered in spite of us: then it was not the preference.
    assert (row("Other", mark)["answered_by"], row("Other", mark)["preference"]) == ("user", None)
    assert row(None, mark)["answered_by"] == "user"


@pytest.mark.parametrize("many", [1, 4, 8])
def test_the_largest_call_fits_into_a_record(tmp_path, many):
    raws = [
        question(f"{n} " + 'long "quoted" text ' * 200, *("label " * 40 + str(k) for k in range(4)), header="h" * 99)
        for n in range(many)
    ]
    found = parse_questions({"questions": raws})
    rows = [answered_row(Resolution(each), many, "answer " * 300, "notes " * 300, {}) for each in found]
    assert journal.append(str(tmp_path), 1_800_000_000.0, {"event": "PostToolUse", "questions": rows}, dumps)
    (path,) = (tmp_path / "journal").glob("*.jsonl")
    kept = json.loads(path.read_text())
    assert len(kept["questions"]) == many
    assert [each["fingerprint"] for each in kept["questions"]] == [each.fingerprint for each in found]


def test_a_question_that_was_asked_says_why():
    part = Resolution(asked()).set_ask("no preference decides it")
    kept = asked_row(part, 1)
    assert (kept["verdict"], kept["because"], kept["preference"]) == ("ask", "no preference decides it", None)
