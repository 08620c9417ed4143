"""hookwright questions presence: away when the user says so, for as long as the user says."""

from tests.hooks.questions.kit import question

TAKEN = {"Which database?": "Postgres (Recommended)"}


def test_away_for_a_while_and_back(questions, ask, house):
    house.env = {"HOOKWRIGHT_QUESTIONS_AWAY": "recommended"}
    assert questions.json("presence")["presence"] == "present"
    assert questions.json("presence", "away", "--for", "2h")["until"] == house.now + 7200
    assert ask(question()) == TAKEN
    house.now += 7300
    assert ask(question()) is None
    assert questions.json("presence")["presence"] == "present"


def test_away_until_said_otherwise(questions, ask, house):
    house.env = {"HOOKWRIGHT_QUESTIONS_AWAY": "recommended"}
    assert "undecided questions: ask" in questions("presence", "away")
    house.now += 10 * 86400
    assert ask(question()) == TAKEN
    assert "present" in questions("presence", "present")
    assert ask(question()) is None


def test_preferences_survive_it(questions, ask):
    questions("set", "--question", "Which database?", "--answer", "SQLite", "--scope", "user")
    questions("presence", "away")
    assert ask(question()) == {"Which database?": "SQLite"}


def test_wrong_words(questions):
    questions("presence", "gone", code=2)
    questions("presence", "present", "--for", "2h", code=2)
