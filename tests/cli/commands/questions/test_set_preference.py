"""hookwright questions set: what it writes, where it counts, what it refuses."""

import os
import pty
import select
import subprocess
import sys
import time

import pytest

from tests.hooks.questions.kit import question

DATABASE = ("--question", "Which database?")
SQLITE = {"Which database?": "SQLite"}


def test_what_is_set_is_answered(questions, ask):
    kept = questions.json("set", *DATABASE, "--answer", "SQLite")["preference"]
    assert (kept["value"], kept["answer"], kept["scope"]) == ("answer", ["SQLite"], "project")
    assert ask(question()) == SQLITE


@pytest.mark.parametrize(
    ("words", "raw", "answer"),
    [
        ((*DATABASE, "--never-ask"), question(), "Postgres (Recommended)"),
        ((*DATABASE, "--one-way-only"), question(), "Postgres (Recommended)"),
        ((*DATABASE, "--always-ask"), question(), None),
        ((*DATABASE, "--text", "what we have"), question(), "what we have"),
        (("--match", "data.*\\?", "--answer", "SQLite"), question(), "SQLite"),
        (("--match", "^db$", "--answer", "SQLite"), question(), "SQLite"),
        (("--id", "db", "--answer", "SQLite"), question("Which? <hookwright-qid:db>"), "SQLite"),
        ((*DATABASE, "--answer", "A", "B"), question("Which database?", "A", "B", "C", multi=True), "A, B"),
        ((*DATABASE, "--answer", "A", "--answer", "B"), question("Which database?", "A", "B", multi=True), "A, B"),
        ((*DATABASE, "--answer", "SQLite", "--header", "DB"), question(), "SQLite"),
        ((*DATABASE, "--answer", "SQLite", "--header", "Store"), question(), None),
        ((*DATABASE, "--answer", "SQLite", "--option", "SQLite", "--option", "Postgres"), question(), "SQLite"),
        ((*DATABASE, "--answer", "SQLite", "--option", "SQLite"), question(), None),
        (("--match", ".", "--answer", "SQLite", "--agent", "Plan"), question(), None),
        (("--match", ".", "--answer", "SQLite", "--server", "conductor"), question(), None),
        (("--match", ".", "--answer", "SQLite", "--skill", "ship"), question(), None),
    ],
)
def test_every_way_to_name_and_to_decide(questions, ask, words, raw, answer):
    questions("set", *words)
    assert ask(raw) == (None if answer is None else {raw["question"]: answer})


def test_a_known_question_is_bound_to_its_options(questions, ask):
    ask(question(), answers=SQLITE)
    kept = questions.json("set", *DATABASE, "--answer", "SQLite")
    assert kept["preference"]["match"] == {"fingerprint": "q-bb2327efbfe75142"}
    assert "--any-options" in kept["notes"][0]
    assert ask(question()) == SQLITE
    assert ask(question("Which database?", "Postgres", "SQLite", "MySQL")) is None
    questions("set", *DATABASE, "--answer", "SQLite", "--any-options")
    assert ask(question("Which database?", "Postgres", "SQLite", "MySQL")) == SQLITE


def test_a_question_can_be_named_by_its_id_from_the_list(questions, ask):
    ask(question(), answers=SQLITE)
    identity = questions.json("list")["questions"][0]["fingerprint"]
    questions("set", "--id", identity, "--answer", "SQLite")
    assert ask(question()) == SQLITE
    questions("set", "--id", "q-0123456789abcdef", "--never-ask", code=1)
    assert "no recorded question" in questions.err


def test_setting_it_again_replaces_it_in_its_scope(questions, ask):
    first = questions.json("set", *DATABASE, "--answer", "SQLite")["preference"]
    second = questions.json("set", *DATABASE, "--answer", "Postgres")["preference"]
    questions("set", *DATABASE, "--answer", "SQLite", "--scope", "user")
    kept = [each["id"] for each in questions.json("list")["preferences"]]
    assert first["id"] not in kept
    assert kept[0] == second["id"]
    assert len(kept) == 2
    assert ask(question()) == {"Which database?": "Postgres (Recommended)"}


@pytest.mark.parametrize("scope", ["project", "user"])
def test_a_project_preference_answers_in_its_repository_and_a_user_preference_everywhere(
    questions, ask, house, tmp_path, monkeypatch, scope
):
    (tmp_path / "shop" / "sub").mkdir()
    (tmp_path / "other" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "shop" / "sub")
    questions("set", *DATABASE, "--answer", "SQLite", "--scope", scope)
    for folder, counts in (("shop", True), ("shop/sub", True), ("other", scope == "user"), ("", scope == "user")):
        house.project = str(tmp_path / folder)
        assert ask(question()) == (SQLITE if counts else None), folder


def test_it_expires_and_is_used_up(questions, ask, house):
    questions("set", *DATABASE, "--answer", "SQLite", "--expires", "30d", "--uses", "2")
    assert [ask(question()) for _ in range(3)] == [SQLITE, SQLITE, None]
    questions("set", *DATABASE, "--answer", "SQLite", "--expires", "30d")
    house.now += 29 * 86400
    assert ask(question()) == SQLITE
    house.now += 86400
    assert ask(question()) is None


@pytest.mark.parametrize(
    "words",
    [
        ("--question", "Delete the table?", "--never-ask"),
        ("--question", "Delete the table?", "--answer", "Yes"),
        ("--question", "Delete the table?", "--text", "yes"),
        ("--match", "deploy|release", "--never-ask"),
        ("--id", "force-push-main", "--never-ask"),
        ("--question", "Go on?", "--answer", "Drop it"),
        ("--question", "Go on?", "--answer", "Yes", "--option", "Yes", "--option", "Publish"),
    ],
)
def test_an_irreversible_question_cannot_be_decided(questions, words):
    questions("set", *words, code=1)
    assert "irreversible question" in questions.err
    assert questions.json("list")["preferences"] == []


def test_a_question_on_record_is_known_to_be_a_door_by_more_than_its_name(questions, ask):
    hidden = question("Go on?", options=[{"label": "Yes", "description": "drops the table"}, {"label": "No"}])
    ask(hidden, answers={"Go on?": "No"})
    questions("set", "--question", "Go on?", "--answer", "Yes", code=1)
    questions("set", "--match", "^go on", "--never-ask", code=1)
    ask(question("Go on with tabs?", "Yes", "No"), answers={"Go on with tabs?": "No"})
    notes = questions.json("set", "--match", "^go on", "--never-ask")["notes"]
    assert "1 of 2" in notes[0]


def test_a_door_can_be_kept_shut_in_words(questions):
    questions("set", "--question", "Delete the table?", "--always-ask")
    questions("set", "--question", "Delete the table?", "--one-way-only")


def test_words_of_the_users_own_are_doors_here_too(questions, house, monkeypatch):
    monkeypatch.setenv("HOOKWRIGHT_QUESTIONS_ONE_WAY", "which database")
    questions("set", *DATABASE, "--never-ask", code=1)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "one of --answer"),
        (("--never-ask",), 2, "one of --id"),
        ((*DATABASE,), 2, "one of --answer"),
        ((*DATABASE, "--never-ask", "--always-ask"), 2, "one of --answer"),
        ((*DATABASE, "--answer", "A", "--text", "b"), 2, "one of --answer"),
        ((*DATABASE, "--match", "x", "--never-ask"), 2, "one of --id"),
        ((*DATABASE, "--never-ask", "stray"), 2, "stray"),
        (("--question", " ", "--never-ask"), 2, "--question must not be empty"),
        ((*DATABASE, "--text", " "), 2, "--text must not be empty"),
        (("--id", "two words", "--never-ask"), 1, "an id has letters"),
        (("--match", "(", "--never-ask"), 1, "regular expression"),
        ((*DATABASE, "--never-ask", "--expires", "soon"), 2, "30d"),
        ((*DATABASE, "--never-ask", "--expires", "2001-01-01"), 2, "future date"),
        ((*DATABASE, "--never-ask", "--expires", "0d"), 2, "30d"),
        ((*DATABASE, "--never-ask", "--uses", "0"), 2, "uses"),
        ((*DATABASE, "--never-ask", "--scope", "world"), 2, "scope"),
    ],
)
def test_wrong_words_are_told_and_nothing_is_written(questions, house, words, code, said):
    questions("set", *words, code=code)
    assert said in questions.err
    assert not os.path.exists(f"{house.config}/questions")


def test_an_option_that_the_known_question_does_not_have_is_refused(questions, ask):
    ask(question(), answers=SQLITE)
    questions("set", *DATABASE, "--answer", "MySQL", code=1)
    assert "Postgres (Recommended), SQLite" in questions.err
    questions("set", *DATABASE, "--answer", "SQLite", "Postgres", code=1)
    assert "takes one option" in questions.err


def test_a_damaged_file_is_not_written_over(questions, house):
    path = house.write(os.path.basename(_project_file(questions)), "{")
    questions("set", *DATABASE, "--never-ask", code=1)
    assert path in questions.err
    with open(path, encoding="utf-8") as file:
        assert file.read() == "{"


def _project_file(questions):
    questions("set", *DATABASE, "--always-ask")
    folder = f"{questions.house.config}/questions"
    (name,) = (name for name in os.listdir(folder) if name.startswith("project-"))
    return f"{folder}/{name}"


def test_preferences_are_the_users_alone(questions):
    path = _project_file(questions)
    assert os.stat(path).st_mode & 0o777 == 0o600
    assert os.stat(os.path.dirname(path)).st_mode & 0o777 == 0o700


def test_nothing_is_lost_when_many_set_at_once(questions, house):
    env = {**os.environ}
    program = "from hookwright.cli.main import main; main()"
    running = [
        subprocess.Popen(
            [sys.executable, "-c", program, "questions", "set", "--question", f"Which {n}?", "--always-ask"],
            env=env,
            stdout=subprocess.DEVNULL,
        )
        for n in range(4)
    ]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    assert len(questions.json("list")["preferences"]) == 4


def test_on_a_terminal_a_question_is_picked_by_number(questions, ask, house):
    ask(question(), answers=SQLITE)
    ours, theirs = pty.openpty()
    program = "from hookwright.cli.main import main; main()"
    argv = [sys.executable, "-c", program, "questions", "set"]
    with subprocess.Popen(argv, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ}) as process:
        os.close(theirs)
        _answer(ours, b"Which question?", b"1\n")
        _answer(ours, b"What should happen?", b"2\n")
        assert process.wait(60) == 0
    os.close(ours)
    assert ask(question()) == SQLITE


def _answer(terminal, prompt, keys):
    shown = b""
    deadline = time.monotonic() + 60
    while prompt not in shown:
        ready, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, shown
        shown += os.read(terminal, 4096)
    os.write(terminal, keys)
