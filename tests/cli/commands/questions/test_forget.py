"""hookwright questions forget, undo: decisions taken back."""

from tests.hooks.questions.kit import preference, question

SQLITE = {"Which database?": "SQLite"}


def test_what_is_forgotten_is_asked_again(questions, ask):
    kept = questions.json("set", "--question", "Which database?", "--answer", "SQLite", "--uses", "9")["preference"]
    assert ask(question()) == SQLITE
    assert questions.json("forget", kept["id"])["forgotten"][0]["id"] == kept["id"]
    assert ask(question()) is None
    assert questions.json("list")["preferences"] == []


def test_all_of_this_folder_can_be_forgotten(questions, tmp_path, monkeypatch):
    questions("set", "--question", "Which?", "--always-ask")
    questions("set", "--question", "Who?", "--always-ask", "--scope", "user")
    (tmp_path / "other" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "other")
    questions("set", "--question", "Where?", "--always-ask")
    assert len(questions.json("forget", "--all")["forgotten"]) == 2
    assert len(questions.json("list", "--all")["preferences"]) == 1


def test_forgetting_nothing_is_told(questions):
    questions("forget", code=1)
    assert "questions list" in questions.err
    questions("forget", "p-unknown", code=1)
    assert "p-unknown" in questions.err


def test_undo_switches_the_last_answers_preference_off(questions, ask, house):
    house.prefer(
        preference(answer="SQLite", id="p-00000a"),
        preference(answer="Log", id="p-00000b", match={"question": "Which extras?"}),
    )
    ask(question())
    ask(question("Which extras?", "Auth", "Log"))
    undone = questions.json("undo")
    assert (undone["undone"]["question"], undone["undone"]["answer"]) == ("Which extras?", "Log")
    assert (undone["preference"]["id"], undone["preference"]["disabled"]) == ("p-00000b", True)
    assert ask(question("Which extras?", "Auth", "Log")) is None
    assert ask(question()) == SQLITE
    shown = questions("undo")
    assert "SQLite" in shown
    assert "p-00000a is switched off" in shown
    questions("undo", code=1)
    assert "already removed or switched off" in questions.err


def test_undo_names_the_setting_that_answered(questions, ask, house):
    house.env = {"CLAUDE_CODE_SESSION_ATTENDED": "0", "HOOKWRIGHT_QUESTIONS_HEADLESS": "recommended"}
    assert ask(question())
    undone = questions.json("undo")
    assert (undone["setting"], undone["preference"]) == ("headless", None)
    assert 'questions.headless; to be asked instead, set it to "ask"' in questions("undo")


def test_there_may_be_nothing_to_undo(questions, ask):
    ask(question(), answers=SQLITE)
    questions("undo", code=1)
    assert "no question was answered automatically" in questions.err
