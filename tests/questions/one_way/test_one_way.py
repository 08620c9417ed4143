"""Every rule keeps its examples; doors are met wherever they are named; ordinary questions stay free."""

import os

import pytest

from hookwright.questions import one_way
from hookwright.questions.one_way import OWN, RULES, door, door_in, explained
from hookwright.questions.one_way.text import Text
from hookwright.questions.question import read
from tests.questions.kit import asked, question


@pytest.mark.parametrize(
    ("rule", "text", "verdict"),
    [(rule, text, verdict) for rule in RULES for text, verdict in rule.EXAMPLES.items()],
    ids=lambda value: getattr(value, "ID", None),
)
def test_the_examples_of_a_rule(rule, text, verdict):
    assert ("ask" if rule.check(Text((text,))) else None) == verdict
    if verdict is None:
        assert door_in(Text((text,))) is None, "an example of what is free must be free by all rules"


def test_every_file_is_a_rule_with_a_name_a_reason_and_examples_of_both_kinds():
    folder = os.path.dirname(one_way.__file__)
    files = {name[:-3] for name in os.listdir(folder) if name.endswith(".py")} - {"__init__", "text"}
    assert files == {rule.__name__.rpartition(".")[2] for rule in RULES}
    assert len({rule.ID for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert "Why: " in rule.__doc__, rule.ID
        assert set(rule.EXAMPLES.values()) == {"ask", None}, rule.ID


@pytest.mark.parametrize(
    "raw",
    [
        question("Delete the table?"),
        question("Which one?", "Keep", "Delete all"),
        question("Go on?", header="Deploy"),
        question("Go on?", options=[{"label": "Yes", "description": "Drops the users table"}, {"label": "No"}]),
        question("Go on? <hookwright-qid:force-push-main>"),
    ],
    ids=["question", "label", "header", "description", "id"],
)
def test_a_door_is_met_in_every_part_of_the_question(raw):
    (found,) = read({"questions": [raw]})
    assert door(found)


def test_a_preview_is_a_picture_and_not_what_is_asked():
    raw = question("Which layout?", options=[{"label": "A", "preview": "delete"}, {"label": "B"}])
    assert door(read({"questions": [raw]})[0]) is None


DOORS = """
Delete the feature branch on the remote?
Should I remove the unused tables?
Can I wipe the cache volume?
Empty the S3 bucket first?
DROP DATABASE staging?
Ready to force-push the rebased branch?
git push --force-with-lease, ok?
Hard reset to origin/main?
Discard your uncommitted changes?
Squash the published history?
Merge this into main?
Push to origin now?
Deploy to staging or to production?
Roll back the release?
Ship it?
Run it against the live database?
terraform apply the plan?
Stop the old servers?
Apply the database migration?
Rename the column in place?
Publish the package to PyPI?
Make the repository public?
Email all customers about the outage?
Post this as a comment?
Upgrade to the paid plan?
Charge the customer again?
Rotate the signing keys?
Which password should I use for the admin user?
Give the service account admin rights?
Disable TLS verification for now?
Export the customer data to the vendor?
Which licence should the project have?
Accept the terms of service?
This cannot be undone. Continue?
Overwrite the existing file?
Die Datenbank löschen?
Supprimer la branche ?
¿Eliminar la tabla?
Удалить ветку?
是否删除数据库
テーブルを削除しますか
""".strip().splitlines()


@pytest.mark.parametrize("text", DOORS)
def test_one_way_doors_are_known(text):
    assert door(asked(text, "Yes", "No"))


FREE = """
Which database should the service use?
Which colour scheme do you prefer?
How should errors be logged?
Which test framework?
Should the API be REST or GraphQL?
Which auth method: JWT tokens or sessions?
Where should the config file live?
Tabs or spaces?
How many retries?
Which of these names reads best?
Should I add type hints everywhere?
Which Python version is the minimum?
Use pnpm or npm?
Should the sidebar be collapsible?
What should the empty state say?
Which date format?
How should the two lists be combined?
Should I write the docs in English?
Which icon set?
Which CI provider?
Client-side or server-side rendering?
What is the maximum upload size?
Which branch name?
Shall I split this file into modules?
How verbose should the output be?
""".strip().splitlines()


@pytest.mark.parametrize("text", FREE)
def test_ordinary_questions_are_free(text):
    found = asked(text, "First (Recommended)", "Second")
    assert door(found) is None, explained(door(found))


def test_a_users_own_words_make_a_door():
    assert door(asked("Which module?", "tax-x", "y"), ["ledger module"]) is None
    assert door(asked("Where?", "TaxEngine", "Shop"), ["ledger", "tax engine"]) == (OWN, "tax engine")
    assert door(asked("Which Ledger Module?"), ["ledger module", " "]) == (OWN, "ledger module")


def test_the_reason_names_the_door_and_the_words():
    assert explained(door(asked("Delete it?"))) == "a one-way door (deletion: “delete”)"
