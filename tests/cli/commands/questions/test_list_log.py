"""hookwright questions list, log: what was asked and who answered."""

import pytest

from hookwright.cli import main
from tests.hooks.questions.kit import preference, question

EXTRAS = question("Which extras?", "Auth", "Log", header="Extras", multi=True)
SQLITE = {"Which database?": "SQLite"}
FORM = {
    *("time", "session_id", "tool_use_id", "tool", "header", "question", "options", "answer", "answered_by"),
    *("preference", "recommended", "followed"),
}


def test_the_log_has_a_line_for_every_answered_question(questions, ask, house):
    ask(question(), EXTRAS, answers={**SQLITE, "Which extras?": "Auth, Log"})
    ask(question("Never answered?"))
    house.prefer(preference(answer="SQLite", id="p-00000a"))
    ask(question())
    first, second, third = questions.lines("log")
    assert set(first) >= FORM
    assert (first["answer"], first["answered_by"], first["followed"]) == ("SQLite", "user", False)
    assert (second["answer"], second["labels"]) == ("Auth, Log", ["Auth", "Log"])
    assert (third["answered_by"], third["preference"]) == ("preference", "p-00000a")
    assert first["tool_use_id"] == second["tool_use_id"] != third["tool_use_id"]
    assert (first["waited_ms"], first["tool"]) == (10_000, "AskUserQuestion")
    assert first["options"] == ["Postgres (Recommended)", "SQLite"]


def test_why_tells_the_questions_of_a_call(questions, ask, monkeypatch):
    ask(question(), EXTRAS, answers={**SQLITE, "Which extras?": "Log"})
    monkeypatch.setattr("sys.argv", ["hookwright", "why", "toolu_1"])
    with pytest.raises(SystemExit):
        main.main()
    shown = questions.capsys.readouterr().out
    assert "“Which database?”: ask, no preference decides it" in shown
    assert "“Which extras?” → Log (user)" in shown


def test_the_log_can_be_cut(questions, ask, house):
    for _ in range(3):
        ask(question(), answers=SQLITE)
        house.now += 86400
    assert len(questions.lines("log", "-n", "2")) == 2
    assert len(questions.lines("log", "--since", "36h")) == 1
    assert questions("log", "--since", "1m") == ""


def test_the_list_counts_how_often_and_how(questions, ask, house):
    for answer in ("SQLite", "SQLite", "Postgres (Recommended)"):
        ask(question(), answers={"Which database?": answer})
    ask(question())  # declined
    house.prefer(preference(answer="SQLite"))
    ask(question())
    (found,) = questions.json("list")["questions"]
    assert (found["asked"], found["dismissed"]) == (5, 1)
    assert found["answered"] == {"user": 3, "preference": 1, "headless": 0}
    assert found["answers"] == {"SQLite": 2, "Postgres (Recommended)": 1}
    assert (found["followed"], found["comparable"]) == (1, 3)
    shown = questions("list")
    assert "Which database?" in shown
    assert "1 of 3" in shown


def test_refused_dialogs_are_counted_apart(questions, ask, house):
    house.env = {"HOOKWRIGHT_QUESTIONS_PRESENCE": "away", "HOOKWRIGHT_QUESTIONS_AWAY": "deny"}
    ask(question())
    (found,) = questions.json("list")["questions"]
    assert (found["asked"], found["refused"], found["dismissed"]) == (1, 1, 0)


def test_the_list_names_irreversible_questions_and_brackets_safely(questions, ask):
    ask(question("Delete [all] of it?", "Yes", "No"))
    shown = questions("list")
    assert "[all]" in shown
    assert "irreversible: deletion" in shown


def test_shadow_says_how_it_would_have_done(questions, ask, house):
    house.prefer(preference(answer="SQLite"))
    house.env = {"HOOKWRIGHT_QUESTIONS_MODE": "shadow"}
    for answer in ("SQLite", "SQLite", "Postgres (Recommended)"):
        ask(question(), answers={"Which database?": answer})
    ask(EXTRAS, answers={"Which extras?": "Log"})
    assert questions.json("list")["shadow"] == {"questions": 4, "would": 3, "agreed": 2}
    assert "3 of 4 questions would be answered, 2 as you did" in questions("list")


def test_preferences_are_listed_with_their_end(questions, house):
    house.prefer(
        preference(answer="SQLite", id="p-00000a", uses=3, expires=house.now + 60),
        preference("never-ask", id="p-00000b", match={"pattern": "x", "server": "conductor"}, disabled=True),
    )
    first, second = questions.json("list")["preferences"]
    assert (first["live"], first["used"]) == (True, 0)
    assert second["live"] is False
    shown = questions("list")
    for words in ("p-00000a", "0 of 3 uses", "p-00000b", "/x/ (server conductor)", "switched off"):
        assert words in shown


def test_preferences_of_other_projects_are_shown_on_demand(questions, tmp_path, monkeypatch):
    questions("set", "--question", "Which database?", "--answer", "SQLite")
    monkeypatch.chdir(tmp_path)
    assert questions.json("list")["preferences"] == []
    (found,) = questions.json("list", "--all")["preferences"]
    assert found["project"] == f"{tmp_path}/shop/.git"


def test_without_any_questions_list_and_log_are_empty(questions):
    assert questions.json("list") == {"questions": [], "preferences": [], "shadow": None}
    assert questions("log") == ""
    assert "No question" in questions("list")
