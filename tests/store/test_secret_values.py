"""A secret that was found in a payload is masked by its value in every text of the record."""

import json

import pytest

from hookwright.hooks.observer import project_log
from hookwright.hooks.questions import journal_rows
from hookwright.store import journal
from hookwright.store.redact import mask
from hookwright.store.redact_record import mask_together
from hookwright.store.secret_values import find_payload_secrets, mask_values

NOON = 1_763_208_000.0


def payload(command):
    return {"hook_event_name": "PreToolUse", "tool_input": {"command": command}}


def encoded(record, command):
    return journal.encode_record(dict(record), NOON, json.dumps, payload(command)).decode()


# Commands, and how a reason quotes them: from the findings of an attack on the records.
@pytest.mark.parametrize(
    ("command", "secret", "reason"),
    [
        ("mysql -u root -pS3cretRoot app < dump.sql", "S3cretRoot", "overwrites app: root -pS3cretRoot app"),
        ("mysqldump -p'My p4ss w0rd' app", "My p4ss w0rd", "Safer: the same with 'My p4ss w0rd' from a file"),
        ("gh secret set K --body s3cretBody9", "s3cretBody9", "changes the secret K to s3cretBody9"),
        ("aws ssm put-parameter --name a --value ssmVal123", "ssmVal123", "stores (ssmVal123)"),
        ("7z x -psevenPw77 a.7z", "sevenPw77", "unpacks with sevenPw77"),
        ("curl https://hooks.slack.com/services/T0/B0/abcDEF123456", "abcDEF123456", "posts to T0/B0/abcDEF123456"),
        ("mysql -proot app", "root", 'runs "mysql -proot app"'),
    ],
)
def test_a_reason_that_quotes_the_command_in_prose_is_masked(command, secret, reason):
    record = {
        "decisions": [{"hook": "guard", "verdict": "ask", "reason": reason, "failure": f"ValueError: {secret}"}],
        "guard": {"rules": ["x"], "instead": f"use {secret}"},
        "key": f"mysql {secret}",
        "questions": [{"question": f"is {secret} right?", "options": [secret, "No"], "answer": secret}],
        "command": command,
    }
    line = encoded(record, command)
    assert secret not in line
    assert json.loads(line)["masked"]


def test_the_verdict_the_ids_and_a_project_of_the_same_word_stay():
    record = {
        "decisions": [{"hook": "guard", "verdict": "deny", "reason": "no"}],
        "answer": "deny",
        "session_id": "deny",
        "project": "/srv/deny/shop",
    }
    kept = json.loads(encoded(record, "mysql -pdeny x"))
    assert (kept["answer"], kept["session_id"], kept["project"]) == ("deny", "deny", "/srv/deny/shop")
    long = {**record, "project": "/srv/hunter2-hunter2/shop"}
    assert json.loads(encoded(long, "mysql -phunter2-hunter2 x"))["project"] == "/srv/***/shop"


@pytest.mark.parametrize(
    ("command", "text", "shown"),
    [
        ("export T_TOKEN=abc123def456", "it ends with abc123d", "it ends with ***"),
        ("export T_TOKEN=abc123def456", "cut here: abc123d… and on", "cut here: ***… and on"),
        ("export T_TOKEN=abc123def456", "…23def456 was the end", "…*** was the end"),
        ("export T_TOKEN=abc123def456", "abc123 is something else", "abc123 is something else"),
        ('export A_PASSWORD="it\\"s 9"', 'it"s 9', "***"),
        ("export A_PASSWORD='two  words 9'", "two words 9", "***"),
        ("export A_PASSWORD=test", "tests/test_a.py runs test", "tests/test_a.py runs ***"),  # `test_a` is a word
        ("ls", "ls", "ls"),
    ],
)
def test_a_value_is_known_in_other_quotes_in_one_line_and_cut(command, text, shown):
    known = find_payload_secrets(payload(command))
    assert (mask_values(text, known) if known else text) == shown


def test_a_value_that_stands_twice_in_a_command_is_masked_twice():
    assert mask("export API_TOKEN=abc123xyz; curl x/abc123xyz")[0] == "export API_TOKEN=***; curl x/***"
    assert mask("PGPASSWORD=postgres psql -U postgres")[0] == "PGPASSWORD=*** psql -U postgres"


def test_texts_of_one_record_share_what_one_of_them_gives_away():
    assert mask_together(["mysql -phunter2x app", "is hunter2x right?"]) == ["mysql -p*** app", "is *** right?"]
    assert mask_together(["Which one?", "SQLite"]) == ["Which one?", "SQLite"]


def test_a_huge_input_is_read_up_to_a_limit(monkeypatch):
    from hookwright.store import secret_values  # noqa: PLC0415

    read = []
    monkeypatch.setattr(secret_values, "find_spots", lambda text: read.append(len(text)) or [])
    find_payload_secrets({"tool_input": {"content": "x" * 10_000_000, "more": "y"}, "prompt": ["z" * 10_000_000]})
    assert read == [secret_values.MAX_INPUT_CHARS, secret_values.MAX_FIELD_CHARS]


def test_the_log_in_the_project_has_the_intent_masked_too(tmp_path):
    facts = {"command": "mysql -phunter2x app", "intent": "database hunter2x"}
    assert project_log.append_command(str(tmp_path), "log.jsonl", NOON, facts)
    assert "hunter2x" not in (tmp_path / "log.jsonl").read_text()


def test_an_answer_with_a_secret_is_still_known_as_ours():
    from hookwright.hooks.questions.question import parse_questions  # noqa: PLC0415
    from hookwright.hooks.questions.resolve import Resolution  # noqa: PLC0415

    label = "TOKEN=hunter2x99"
    asked = {"question": "Which?", "header": "h", "multiSelect": False, "options": [{"label": label}, {"label": "b"}]}
    [question] = parse_questions({"questions": [asked]})
    mark = {"by": "preference", "preference": "p-1", "answer": mask(label)[0]}
    assert journal_rows.answered_row(Resolution(question), 1, label, "", mark)["answered_by"] == "preference"


@pytest.mark.parametrize("given", [None, [], "rm", {"command": None}, {"command": ["a"]}, {}])
def test_an_odd_input_does_not_lose_the_record(given):
    record = {"decisions": [{"hook": "guard", "verdict": "ask", "reason": "why"}], "event": "PreToolUse"}
    line = journal.encode_record(record, NOON, json.dumps, {"tool_name": "Bash", "tool_input": given})
    assert b'"reason": "why"' in line
