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


def test_away_without_a_duration_lasts_until_present(questions, ask, house):
    house.env = {"HOOKWRIGHT_QUESTIONS_AWAY": "recommended"}
    assert "undecided questions: ask" in questions("presence", "away")
    house.now += 10 * 86400
    assert ask(question()) == TAKEN
    assert "present" in questions("presence", "present")
    assert ask(question()) is None


def test_preferences_still_answer_while_the_user_is_away(questions, ask):
    questions("set", "--question", "Which database?", "--answer", "SQLite", "--scope", "user")
    questions("presence", "away")
    assert ask(question()) == {"Which database?": "SQLite"}


def test_unknown_arguments_are_wrong_usage(questions):
    questions("presence", "gone", code=2)
    questions("presence", "present", "--for", "2h", code=2)
