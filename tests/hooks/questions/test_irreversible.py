"""Every rule keeps its examples; irreversible questions are recognised, ordinary ones are left alone."""

import tomllib
from pathlib import Path

import pytest

from hookwright.hooks.questions import irreversible
from hookwright.hooks.questions.irreversible import (
    CODE,
    USER_WORDS,
    QuestionText,
    explain_match,
    find_irreversible,
    match_rule,
    match_text,
)
from hookwright.hooks.questions.irreversible_table import RULES
from hookwright.hooks.questions.question import parse_questions
from tests.hooks.questions.kit import asked, question

SOURCE = tomllib.loads(Path(irreversible.__file__).with_suffix(".toml").read_text("utf-8"))["rule"]
ROWS = {row[0]: row for row in RULES}
EXAMPLES = [
    (rule["id"], text, verdict)
    for rule in SOURCE
    for verdict, key in (("ask", "asked"), (None, "not_asked"))
    for text in rule[key]
]


@pytest.mark.parametrize(("rule", "text", "verdict"), EXAMPLES)
def test_the_examples_of_a_rule(rule, text, verdict):
    assert ("ask" if match_rule(ROWS[rule], QuestionText((text,))) else None) == verdict
    if verdict is None:
        assert match_text(QuestionText((text,))) is None, "what one rule leaves alone must not be asked by another"


def test_every_rule_has_a_name_a_reason_and_examples_of_both_kinds():
    assert [rule["id"] for rule in SOURCE] == [row[0] for row in RULES]
    assert len(ROWS) == len(RULES)
    known = {"id", "about", "why", "asked", "not_asked", "code"}
    known |= {"harmless", "words", "phrases", "fragments", "pairs", "together"}
    for rule in SOURCE:
        assert set(rule) <= known, rule["id"]
        assert rule["about"], rule["id"]
        assert rule["why"], rule["id"]
        assert rule["asked"], rule["id"]
        assert rule["not_asked"], rule["id"]
        assert rule.get("code", "") in ("", *CODE), rule["id"]


def test_the_lists_are_written_as_a_question_is_split():
    for row in RULES:
        pairs = [words for pair in (*row[6], *row[7]) for words in pair]
        for text in [text for words in (*row[2:5], *pairs) for text in words]:
            assert QuestionText((text,)).parts == [f" {text} "], (row[0], text)


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
def test_every_part_of_the_question_is_looked_at(raw):
    (found,) = parse_questions({"questions": [raw]})
    assert find_irreversible(found)


def test_the_preview_of_an_option_is_not_looked_at():
    raw = question("Which layout?", options=[{"label": "A", "preview": "delete"}, {"label": "B"}])
    assert find_irreversible(parse_questions({"questions": [raw]})[0]) is None


IRREVERSIBLE = """
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


@pytest.mark.parametrize("text", IRREVERSIBLE)
def test_irreversible_questions_are_recognised(text):
    assert find_irreversible(asked(text, "Yes", "No"))


ORDINARY = """
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


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_questions_do_not_match(text):
    found = asked(text, "First (Recommended)", "Second")
    assert find_irreversible(found) is None, explain_match(find_irreversible(found))


def test_the_users_own_words_count():
    assert find_irreversible(asked("Which module?", "tax-x", "y"), ["ledger module"]) is None
    own = find_irreversible(asked("Where?", "TaxEngine", "Shop"), ["ledger", "tax engine"])
    assert own == (USER_WORDS, "tax engine")
    assert find_irreversible(asked("Which Ledger Module?"), ["ledger module", " "]) == (USER_WORDS, "ledger module")


def test_the_reason_names_the_rule_and_the_words():
    assert explain_match(find_irreversible(asked("Delete it?"))) == "an irreversible question (deletion: “delete”)"
