"""The hook through the dispatcher: what it answers, what it leaves to the user, what it records."""

import json
import os
import string

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from hookwright.config import compiler
from hookwright.hooks.questions import preference_files
from tests.hooks.questions.kit import House, answered, payload, preference, question
from tests.sizes import examples

EXTRAS = question("Which extras?", "Auth", "Cache", "Log", header="Extras", multi=True)
ONE_WAY = question("Delete the table?", "Yes (Recommended)", "No", header="Table")
RECORDED = os.path.join(os.path.dirname(__file__), "..", "..", "payloads", "2.1.325")


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


def pending(house):
    folder = f"{house.state}/questions/pending"
    return os.listdir(folder) if os.path.isdir(folder) else []


# --- what is answered
def test_a_decided_question_is_answered_in_the_clients_form(house):
    house.prefer(preference(answer="SQLite", id="p-00000a"))
    event = payload(question())
    said = house.send(event)
    specific = said["hookSpecificOutput"]
    assert specific["permissionDecision"] == "allow"
    assert specific["updatedInput"] == {**event["tool_input"], "answers": {"Which database?": "SQLite"}}
    for text in (said["systemMessage"], specific["additionalContext"]):
        assert "Which database?" in text
        assert "SQLite" in text
        assert "p-00000a" in text


@pytest.mark.parametrize(
    ("raw", "preferred", "answer"),
    [
        (EXTRAS, preference(answer=["Log", "Auth"], match={"question": "Which extras?"}), "Auth, Log"),
        (question(), preference(text="what we have"), "what we have"),
        (question(), preference("never-ask", match={"pattern": "data"}), "Postgres (Recommended)"),
        (question("Which? <hookwright-qid:db>"), preference(answer="SQLite", match={"id": "db"}), "SQLite"),
        (question("Which? <gstack-qid:db>"), preference(answer="SQLite", match={"id": "db"}), "SQLite"),
    ],
)
def test_a_preference_of_every_kind_answers_its_question(house, raw, preferred, answer):
    house.prefer(preferred)
    assert house.answers(raw) == {raw["question"]: answer}


@pytest.mark.parametrize(
    "raws",
    [
        [question("Another?")],
        [question("Which database?", "MySQL", "Oracle")],
        [question(), EXTRAS],
        [question(), ONE_WAY],
        [question(), question()],
        [question(multi="yes")],
    ],
    ids=["undecided", "option gone", "half decided", "irreversible beside it", "twins", "malformed"],
)
def test_everything_else_is_asked_untouched(house, raws):
    house.prefer(preference(answer="SQLite"))
    assert house.send(payload(*raws)) == {}


def test_an_irreversible_question_is_asked_whatever_is_preferred(house):
    house.env = {"HOOKWRIGHT_QUESTIONS_PRESENCE": "away", "HOOKWRIGHT_QUESTIONS_AWAY": "recommended"}
    for value in ("never-ask", "ask-only-for-one-way"):
        house.prefer(
            preference(value, match={"pattern": "."}), preference(value, match={"question": "Delete the table?"})
        )
        assert house.send(payload(ONE_WAY)) == {}
    house.prefer(preference(answer="No", match={"pattern": "."}))
    assert house.send(payload(ONE_WAY)) == {}
    assert house.facts["questions"][0]["one_way"] == "deletion"


def test_words_of_the_users_own_make_a_door(house):
    house.prefer(preference(answer="SQLite"))
    house.env = {"HOOKWRIGHT_QUESTIONS_ONE_WAY": "ledger, which database"}
    assert house.answers(question()) is None


def test_the_mcp_variant_is_answered_and_can_be_told_apart(house):
    house.prefer(preference(answer="SQLite", match={"pattern": ".", "server": "conductor"}))
    assert house.answers(question()) is None
    assert house.answers(question(), tool="mcp__conductor__AskUserQuestion") == {"Which database?": "SQLite"}
    assert house.answers(question(), tool="mcp__other__AskUserQuestion") is None


@pytest.mark.slow
def test_agent_and_skill_narrow_a_preference(house, tmp_path):
    transcript = tmp_path / "t.jsonl"
    transcript.write_text(json.dumps({"type": "assistant", "message": {}, "attributionSkill": "ship"}) + "\n")
    house.prefer(preference(answer="SQLite", match={"pattern": ".", "skill": "ship", "agent": "Plan"}))
    assert house.answers(question(), transcript_path=str(transcript)) is None
    assert house.answers(question(), transcript_path=str(transcript), agent_type="Plan") is not None
    assert house.answers(question(), agent_type="Plan") is None


def test_a_preference_expires_and_is_used_up(house):
    house.prefer(preference(answer="SQLite", uses=2, expires=house.now + 10))
    assert [house.answers(question()) is not None for _ in range(3)] == [True, True, False]
    house.prefer(preference(answer="SQLite", expires=house.now + 10))
    house.now += 11
    assert house.answers(question()) is None


def test_two_questions_use_a_preference_twice(house):
    house.prefer(preference("never-ask", match={"pattern": "."}, uses=3))
    both = [question(), question("Which cache?")]
    assert house.answers(*both)
    assert house.answers(*both) is None


def test_a_call_that_brings_answers_of_its_own_is_asked(house):
    house.prefer(preference(answer="SQLite"))
    event = payload(question())
    event["tool_input"]["answers"] = {"Which database?": "Postgres (Recommended)"}
    assert house.send(event) == {}


def test_no_answer_without_a_mark_of_it(house):
    house.prefer(preference(answer="SQLite"))
    with open(house.state, "w", encoding="utf-8"):
        pass  # a file where the folder should be
    assert house.answers(question()) is None
    assert house.facts["questions"][0]["verdict"] == "ask"


# --- presence
@pytest.mark.parametrize(
    ("env", "answer"),
    [
        ({}, None),
        ({"HOOKWRIGHT_QUESTIONS_AWAY": "recommended"}, None),
        ({"HOOKWRIGHT_QUESTIONS_PRESENCE": "away"}, None),
        ({"HOOKWRIGHT_QUESTIONS_PRESENCE": "away", "HOOKWRIGHT_QUESTIONS_AWAY": "recommended"}, True),
        ({"CLAUDE_CODE_SESSION_ATTENDED": "0"}, None),
        ({"CLAUDE_CODE_SESSION_ATTENDED": "0", "HOOKWRIGHT_QUESTIONS_HEADLESS": "recommended"}, True),
        ({"HOOKWRIGHT_QUESTIONS_HEADLESS": "recommended"}, None),
    ],
)
def test_presence_is_what_the_user_said(house, env, answer):
    house.env = env
    found = house.answers(question())
    assert found == ({"Which database?": "Postgres (Recommended)"} if answer else None)


def test_the_command_says_away_too_and_for_a_while(house):
    house.env = {"HOOKWRIGHT_QUESTIONS_AWAY": "recommended"}
    house.prefer(away_until=house.now + 60)
    assert house.answers(question())
    house.now += 61
    assert house.answers(question()) is None


def test_denied_with_the_way_on(house):
    house.env = {"HOOKWRIGHT_QUESTIONS_PRESENCE": "away", "HOOKWRIGHT_QUESTIONS_AWAY": "deny"}
    house.prefer(preference(answer="SQLite"))
    specific = house.send(payload(question(), EXTRAS))["hookSpecificOutput"]
    assert specific["permissionDecision"] == "deny"
    assert "updatedInput" not in specific
    assert "in prose" in specific["permissionDecisionReason"]
    assert "“Which database?” is decided: SQLite" in specific["permissionDecisionReason"]
    assert house.send(payload(ONE_WAY)) == {}


# --- where
def test_the_projects_preference_goes_before_the_users(house, tmp_path):
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / "deep").mkdir()
    house.prefer(preference(answer="SQLite"))
    name = os.path.basename(preference_files.project_file("", f"{shop}/.git"))
    house.write(name, {"v": 1, "preferences": [preference(answer="Postgres")]})
    for folder, answer in ((shop / "deep", "Postgres (Recommended)"), (tmp_path, "SQLite")):
        house.project = str(folder)
        assert house.answers(question()) == {"Which database?": answer}


def test_a_project_brings_no_decisions_along(house, tmp_path):
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    kept = json.dumps({"v": 1, "preferences": [preference(answer="SQLite")]})
    for name in ("questions.json", ".hookwright/questions/user.json", "user.json", ".git/questions/user.json"):
        (shop / name).parent.mkdir(parents=True, exist_ok=True)
        (shop / name).write_text(kept)
    house.project = str(shop)
    assert house.send(payload(question(), cwd=str(shop))) == {}


def test_an_untrusted_project_can_silence_it_and_never_make_it_answer(tmp_path):
    user, project = tmp_path / "config.toml", tmp_path / ".hookwright.toml"
    user.write_text('[questions]\nmode = "shadow"\naway = "deny"\n')
    project.write_text('[questions]\nmode = "on"\naway = "recommended"\nheadless = "recommended"\npresence = "away"\n')
    kept = compiler.resolve_options(str(user), str(project), trusted=False)
    values = {name: value.value for name, value in kept.values["questions"].items()}
    assert (values["mode"], values["away"], values["headless"], values["presence"]) == (
        "shadow",
        "deny",
        "ask",
        "present",
    )
    assert len(kept.problems) == 4
    project.write_text('[questions]\nmode = "off"\naway = "ask"\n')
    kept = compiler.resolve_options(str(user), str(project), trusted=False)
    assert kept.values["questions"]["mode"].value == "off"
    assert kept.problems == []


def test_a_damaged_file_means_asking_and_telling_once(house):
    path = house.write("user.json", "{")
    first = house.send(payload(question()))
    assert path in first["systemMessage"]
    assert "hookSpecificOutput" not in first
    assert house.send(payload(question())) == {}


# --- the log
def test_every_question_of_a_call_is_logged_with_who_answered(house):
    house.prefer(preference(answer="SQLite", id="p-00000a"), preference(answer=["Auth"], match={"pattern": "extras"}))
    event = payload(question(), EXTRAS)
    answers = house.answers_to(event)
    house.now += 0.25
    assert house.send(answered(event, answers)) == {}
    first, second = house.facts["questions"]
    assert (first["answer"], first["answered_by"], first["preference"]) == ("SQLite", "preference", "p-00000a")
    assert (second["answer"], second["labels"], second["answered_by"]) == ("Auth", ["Auth"], "preference")
    assert first["followed"] is False
    assert second["followed"] is None
    assert house.facts["waited_ms"] == 250
    assert pending(house) == []


def test_a_users_answer_is_the_users(house):
    house.prefer(preference("always-ask"))
    event = payload(question())
    assert house.send(event) == {}
    house.now += 90
    house.send(answered(event, {"Which database?": "my own"}, annotations={"Which database?": {"notes": "because"}}))
    (row,) = house.facts["questions"]
    assert (row["answered_by"], row["free_text"], row["notes"]) == ("user", True, "because")
    assert house.facts["waited_ms"] == 90_000


def test_an_answer_without_a_mark_is_the_users(house):
    house.prefer(preference(answer="SQLite"))
    house.send(answered(payload(question()), {"Which database?": "SQLite"}))
    assert house.facts["questions"][0]["answered_by"] == "user"


def test_headless_and_away_are_told_apart(house):
    for env, by, name in (
        ({"CLAUDE_CODE_SESSION_ATTENDED": "0", "HOOKWRIGHT_QUESTIONS_HEADLESS": "recommended"}, "headless", None),
        ({"HOOKWRIGHT_QUESTIONS_PRESENCE": "away", "HOOKWRIGHT_QUESTIONS_AWAY": "recommended"}, "preference", "away"),
    ):
        house.env = env
        event = payload(question())
        house.send(answered(event, house.answers_to(event)))
        (row,) = house.facts["questions"]
        assert (row["answered_by"], row["preference"]) == (by, name)


def test_an_mcp_servers_answer_is_read_where_it_can_be(house):
    house.prefer(preference(answer="SQLite"))
    event = payload(question(), tool="mcp__conductor__AskUserQuestion")
    for response, answer, by in (
        ([{"type": "text", "text": '{"answers": {"Which database?": "SQLite"}}'}], "SQLite", "preference"),
        ([{"type": "text", "text": '{"answers": {"Which database?": "other"}}'}], "other", "user"),
        ([{"type": "text", "text": "thank you"}], "SQLite", "preference"),
    ):
        assert house.answers_to(event)
        house.send({**event, "hook_event_name": "PostToolUse", "tool_response": response})
        (row,) = house.facts["questions"]
        assert (row["answer"], row["answered_by"]) == (answer, by)


def test_shadow_records_what_it_would_have_answered_and_says_nothing(house):
    house.env = {"HOOKWRIGHT_QUESTIONS_MODE": "shadow"}
    house.prefer(preference(answer="SQLite", id="p-00000a", uses=1))
    event = payload(question())
    for _ in range(2):  # nothing is used up
        assert house.send(event) == {}
        assert house.trace[0]["verdict"] == "allow"
        house.send(answered(event, {"Which database?": "SQLite"}))
        (row,) = house.facts["questions"]
        assert row["would"] == {"answer": "SQLite", "preference": "p-00000a"}
        assert row["answered_by"] == "user"
        assert house.facts["shadow"] is True


def test_with_mode_off_no_question_is_answered_or_recorded(house):
    house.env = {"HOOKWRIGHT_QUESTIONS_MODE": "off"}
    house.prefer(preference(answer="SQLite"))
    assert house.send(payload(question())) == {}
    assert house.trace == []
    assert pending(house) == []


def test_no_hook_of_ours_but_this_one_speaks_on_questions(house):
    house.send(payload(question()))
    assert [row["hook"] for row in house.trace if row["verdict"] != "none"] == []
    for event in ("PreToolUse", "PostToolUse", "PermissionRequest"):
        house.send(payload(question(), event=event))
        assert all(row["verdict"] == "none" for row in house.trace)


@pytest.mark.parametrize("name", sorted(n for n in os.listdir(RECORDED) if "AskUserQuestion" in n))
def test_the_clients_own_payloads(house, name):
    with open(os.path.join(RECORDED, name), encoding="utf-8") as file:
        event = json.load(file)
    assert house.send(event) == {}
    if event["hook_event_name"] == "PostToolUse":
        (row,) = house.facts["questions"]
        assert (row["question"], row["answer"], row["followed"]) == ("Which database?", "SQLite", False)
    if event["hook_event_name"] == "PreToolUse":
        assert [row["verdict"] for row in house.facts["questions"]] == ["ask"] * len(event["tool_input"]["questions"])


# --- as a process
@pytest.mark.slow
def test_the_hook_process_answers_and_records_whatever_happens_in_between(hook_process):
    """Asked, killed, asked again and answered: every record is right, and the mark of the killed one is nobody's."""
    folder = hook_process.home / ".config/hookwright/questions"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "user.json").write_text(json.dumps({"v": 1, "preferences": [preference(answer="SQLite", id="p-00000a")]}))
    (folder / "user.json").chmod(0o600)
    killed, other = payload(question(), tool_use_id="killed"), payload(question("Which?"), tool_use_id="other")
    assert (
        hook_process.answer(killed, CLAUDE_CODE_SESSION_ATTENDED="1")["hookSpecificOutput"]["permissionDecision"]
        == "allow"
    )
    assert hook_process.answer(other) is None
    assert hook_process.answer(answered(other, {"Which?": "SQLite"})) is None
    pre, asked, post = hook_process.journal
    assert (pre["answer"], pre["changed"]) == ("allow", ["answers"])
    assert asked["answer"] is None
    assert post["questions"][0]["answered_by"] == "user"
    assert len(os.listdir(hook_process.home / ".local/state/hookwright/questions/pending")) == 1


# --- whatever comes
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["question", "label", "x"]), inner),
    max_leaves=8,
)


@settings(max_examples=examples(120), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@pytest.mark.slow
def test_no_input_raises_and_none_that_is_malformed_is_answered(house, data):
    house.prefer(preference("never-ask", match={"pattern": "."}), preference(answer="A", match={"question": ""}))
    broken = {
        "question": data.draw(st.one_of(JSON, st.just("Which?"))),
        "header": data.draw(JSON),
        "options": data.draw(st.one_of(JSON, st.lists(st.fixed_dictionaries({"label": JSON}), max_size=5))),
        "multiSelect": data.draw(st.one_of(JSON, st.booleans())),
        "preview": "x" * data.draw(st.sampled_from([0, 100_000])),
    }
    for dropped in data.draw(st.sets(st.sampled_from(sorted(broken)))):
        del broken[dropped]
    tool_input = data.draw(
        st.one_of(JSON, st.just({"questions": [broken]}), st.just({"questions": [broken, question()]}))
    )
    event = {**payload(), "tool_input": tool_input}
    answers = house.answers_to(event)
    if answers is not None:
        for raw in tool_input["questions"]:
            labels = [option["label"] if isinstance(option, dict) else option for option in raw["options"]]
            assert answers[raw["question"]] in labels
    house.send({**event, "hook_event_name": "PostToolUse", "tool_response": data.draw(JSON)})


# Words that nobody should walk through, chosen apart from the rules' own lists.
DOORS = (
    *("Delete", "DROP", "force-push", "deploying", "publish", "payment", "credentials", "migration", "irreversible"),
    *("legal", "rm -rf", "purge", "wiping", "permanently", "cannot be undone", "reset --hard", "rollback", "refund"),
    *("terraform destroy", "revoke", "overwrite", "data loss", "licence", "git push --force", "go live", "truncate"),
)
WORDS = st.text(alphabet=string.ascii_letters + "äß, 😀()", min_size=1, max_size=12).filter(str.strip)
LABELS = st.lists(WORDS, min_size=2, max_size=4)


@st.composite
def raw_questions(draw):
    """A question, and whether a door was put into it."""
    labels = draw(LABELS)
    if draw(st.booleans()):
        labels[0] += " (Recommended)"
    raw = question(draw(WORDS) + "?", *labels, header=draw(WORDS), multi=draw(st.booleans()))
    door = draw(st.one_of(st.none(), st.none(), st.none(), st.sampled_from(DOORS)))
    if door:
        where = draw(st.sampled_from(["question", "header", "label", "description"]))
        if where in raw:
            raw[where] = f"{draw(WORDS)} {door} {draw(WORDS)}"
        else:
            draw(st.sampled_from(raw["options"]))[where] = f"{door} {draw(WORDS)}"
    return raw, bool(door)


@st.composite
def decisions(draw, raw):
    """A preference, mostly one that meets the question and can answer it."""
    labels = [option["label"] for option in raw["options"]]
    value = draw(st.sampled_from(["answer", "answer", "answer", "never-ask", "ask-only-for-one-way", "always-ask"]))
    text = draw(st.one_of(st.none(), st.none(), WORDS))
    exact = {"question": raw["question"]}
    match = draw(st.sampled_from([exact, exact, exact, {"pattern": "."}, {"pattern": ".", "header": "x"}]))
    some = st.sampled_from(labels)
    answer = draw(st.one_of(some.map(lambda label: [label]), st.lists(st.one_of(some, WORDS), max_size=3)))
    return preference(value, None if text else answer, text, match=match, uses=draw(st.sampled_from([None, None, 1])))


@settings(max_examples=examples(250), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_irreversible_question_is_answered_and_no_answer_is_a_label_that_is_not_there(house, data):
    drawn = data.draw(st.lists(raw_questions(), min_size=1, max_size=3))
    raws = [raw for raw, _ in drawn]
    preferences = [data.draw(decisions(raw)) for raw in raws]
    house.prefer(*preferences)
    house.env = {
        "HOOKWRIGHT_QUESTIONS_PRESENCE": data.draw(st.sampled_from(["present", "away"])),
        "HOOKWRIGHT_QUESTIONS_AWAY": data.draw(st.sampled_from(["ask", "recommended"])),
    }
    answers = house.answers(*raws)
    if any(door for _, door in drawn):
        assert answers is None
    if answers is None:
        return
    assert list(answers) == [raw["question"] for raw in raws]
    texts = {each["text"] for each in preferences if each["text"]}
    for raw in raws:
        labels = {option["label"] for option in raw["options"]}
        answer = answers[raw["question"]]
        chosen = set(answer.split(", ")) if raw["multiSelect"] else {answer}
        assert chosen <= labels or answer in texts
