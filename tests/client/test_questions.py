"""Questions in the real client: what is decided is answered without a dialog, everything else is asked."""

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.client.kit.lab import REPOSITORY
from tests.client.kit.scripted_api import call
from tests.client.kit.stream import answers
from tests.hook_kit import prepare_hook
from tests.hooks.kit import git

MATCHER = "^(AskUserQuestion|mcp__.*__AskUserQuestion)$"
CLOCK_BEHIND = "import time; now = time.time; time.time = lambda: now() - {}; "
PROGRAM = "from hookwright.cli.main import main; main()"
HEADING = "User answered Claude's questions"
PAGE = Path(REPOSITORY) / "docs/questions.md"
PROMPT = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"
DIALOG = "Esc to cancel"


def question(text, *labels, header="Choice", multi=False):
    options = [{"label": label, "description": f"about {label.lower()}"} for label in labels]
    return {"question": text, "header": header, "multiSelect": multi, "options": options}


DATABASE = question("Which database?", "Postgres (Recommended)", "SQLite", header="DB")
EXTRAS = question("Which extras?", "Auth", "Cache", "Log", header="Extras", multi=True)
NAME = question("Which name?", "shop", "store", header="Name")
TABLE = question("Delete the old table?", "Yes (Recommended)", "No", header="Table")


def ask(*questions):
    return call("AskUserQuestion", questions=list(questions))


@pytest.fixture
def ours(lab, monkeypatch, built_bundle):
    """The lab with our hook process on questions, in a repository; `lab.questions(…)` is the user's command there."""
    for name in [name for name in os.environ if name.startswith(("XDG_", "HOOKWRIGHT_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", lab.home)
    argv = prepare_hook(built_bundle)
    for event in ("PreToolUse", "PostToolUse"):
        lab.handler(event, {"type": "command", "command": argv[0], "args": argv[1:], "timeout": 60}, matcher=MATCHER)
    git(lab.project, "init", "-q")
    git(lab.project, "commit", "-q", "--allow-empty", "-m", "first")

    def command(*words, ago=0):
        """With `ago`, the command is run by a clock that many seconds behind."""
        run = [sys.executable, "-c", CLOCK_BEHIND.format(ago) + PROGRAM, *words, "--json"]
        return subprocess.run(run, cwd=lab.project, check=True, capture_output=True, text=True, timeout=120).stdout

    lab.command, lab.questions = command, lambda *words, **clock: command("questions", *words, **clock)
    return lab


def logged(lab):
    return [json.loads(line) for line in lab.questions("log").splitlines()]


def told(session):
    """What the model received for each of its calls."""
    return [result.text for result in session.run.tool_results]


def play(lab, *calls, human=None, **more):
    """A session over stream-json that asks these, one call a turn."""
    session = lab.stream([*calls, "done"], human=human, **more)
    with session:
        session.say("go")
        session.wait_for_result()
    return session


# --- over stream-json
def test_decided_questions_are_answered_and_undecided_ones_asked(ours):
    ours.questions("set", "--question", "Which database?", "--answer", "SQLite")
    ours.questions("set", "--question", "Which extras?", "--answer", "Auth", "--answer", "Log")
    ours.questions("set", "--question", "Which name?", "--text", "the old one")
    human = answers({"Which colour?": "Blue", "Which database?": "Postgres (Recommended)"})
    colour = question("Which colour?", "Blue", "Red")
    session = play(ours, ask(DATABASE), ask(EXTRAS), ask(NAME), ask(colour), ask(DATABASE, colour), human=human)
    asked = [[each["question"] for each in request["input"]["questions"]] for request in session.asked]
    assert asked == [["Which colour?"], ["Which database?", "Which colour?"]]
    assert session.asked[1]["input"] == {"questions": [DATABASE, colour]}, "asked untouched"
    received = told(session)
    for place, words in enumerate(
        ('"Which database?"="SQLite"', '"Which extras?"="Auth, Log"', "the old one", '"Which colour?"="Blue"')
    ):
        assert words in received[place]
    assert '"Which database?"="Postgres (Recommended)"' in received[4]
    lines = logged(ours)
    assert [(line["answer"], line["answered_by"]) for line in lines] == [
        ("SQLite", "preference"),
        ("Auth, Log", "preference"),
        ("the old one", "preference"),
        ("Blue", "user"),
        ("Postgres (Recommended)", "user"),
        ("Blue", "user"),
    ]
    assert [line["free_text"] for line in lines] == [False, False, True, False, False, False]
    for line, text in zip(lines, [*received[:4], received[4], received[4]], strict=True):
        assert line["question"] in text
        assert line["answer"] in text
    why = json.loads(ours.command("why", lines[0]["tool_use_id"]))
    assert (why["answer"], why["record"]["changed"]) == ("allow", ["answers"])
    assert why["questions"][0]["verdict"] == "answer"
    assert [row["answer"] for row in why["afterwards"][0]["questions"]] == ["SQLite"]
    assert json.loads(ours.command("stats"))["questions_answered"] == {"preference": 3, "user": 3}
    shown = [message for message in session.run.system_messages() if "hookwright questions" in message]
    assert len(shown) == 3
    assert "“Which database?” → SQLite" in shown[0]
    assert lines[0]["preference"] in shown[0]
    assert sum("a standing preference of the user answered" in text for text in session.run.context_texts()) == 3
    assert os.listdir(os.path.join(ours.home, ".local/state/hookwright/questions/pending")) == []


def test_one_way_expired_used_up_and_changed_questions_are_asked(ours):
    ours.questions("set", "--question", "Which extras?", "--answer", "Log", "--expires", "1m", ago=3600)
    ours.questions("set", "--match", ".", "--never-ask", "--scope", "user")
    ours.questions("set", "--question", "Which database?", "--answer", "SQLite", "--uses", "1")
    ours.questions("set", "--question", "Which name?", "--answer", "shop", "--header", "Name")
    renamed = question("Which name?", "boutique", "store", header="Name")
    human = answers(
        {
            "Delete the old table?": "No",
            "Which database?": "Postgres (Recommended)",
            "Which name?": "store",
            "Which extras?": "Auth",
        }
    )
    session = play(ours, ask(TABLE), ask(DATABASE), ask(DATABASE), ask(renamed), ask(EXTRAS), human=human)
    asked = [request["input"]["questions"][0]["question"] for request in session.asked]
    # Used up, the project's preference leaves the word to the user's: never ask, which takes the recommended one.
    assert asked == ["Delete the old table?", "Which name?", "Which extras?"]
    assert [(line["answer"], line["answered_by"]) for line in logged(ours)] == [
        ("No", "user"),
        ("SQLite", "preference"),
        ("Postgres (Recommended)", "preference"),
        ("store", "user"),
        ("Auth", "user"),
    ]


def test_a_marker_names_its_question(ours):
    ours.questions("set", "--id", "db-choice", "--answer", "SQLite")
    marked = {**DATABASE, "question": "Which one this time? <hookwright-qid:db-choice>"}
    session = play(ours, ask(marked))
    assert session.asked == []
    assert '"Which one this time? <hookwright-qid:db-choice>"="SQLite"' in told(session)[0]


def test_a_preference_can_belong_to_a_skill(ours):
    folder = Path(ours.home) / ".claude/skills/ship"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: ship\ndescription: ships it\n---\nAsk, then ship.\n")
    ours.allow("Skill")
    ours.questions("set", "--question", "Which database?", "--answer", "SQLite", "--skill", "ship")
    human = answers({"Which database?": "Postgres (Recommended)"})
    session = play(ours, ask(DATABASE), call("Skill", skill="ship"), ask(DATABASE), human=human)
    assert len(session.asked) == 1
    assert [line["answered_by"] for line in logged(ours)] == ["user", "preference"]


def test_a_question_through_an_mcp_server_is_answered(ours):
    ours.mcp("conductor", "AskUserQuestion")
    ours.allow("mcp__conductor__AskUserQuestion")
    ours.questions("set", "--question", "Which database?", "--answer", "SQLite", "--server", "conductor")
    tool = "mcp__conductor__AskUserQuestion"
    session = play(ours, call(tool, questions=[DATABASE]), call(tool, questions=[TABLE]), args=["--debug"])
    first, second = told(session)
    assert '"answers": {"Which database?": "SQLite"}' in first
    assert "answers" not in second
    lines = logged(ours)
    assert (lines[0]["tool"], lines[0]["answer"], lines[0]["answered_by"]) == (tool, "SQLite", "preference")
    assert (lines[1]["answer"], lines[1]["answered_by"]) == (None, "user")


def test_in_a_headless_run_questions_are_refused_or_answered_as_configured(ours):
    refused = play(ours, ask(DATABASE), ask(TABLE), env={"HOOKWRIGHT_QUESTIONS_HEADLESS": "deny"})
    assert [request["input"]["questions"] for request in refused.asked] == [[TABLE]]
    assert "go on in prose" in told(refused)[0]
    taken = play(ours, ask(DATABASE), ask(EXTRAS), env={"HOOKWRIGHT_QUESTIONS_HEADLESS": "recommended"})
    assert '"Which database?"="Postgres (Recommended)"' in told(taken)[0]
    assert [request["input"]["questions"] for request in taken.asked] == [[EXTRAS]]
    assert [(line["answer"], line["answered_by"]) for line in logged(ours)] == [("Postgres (Recommended)", "headless")]


def test_shadow_says_nothing_and_keeps_count(ours):
    ours.questions("set", "--question", "Which database?", "--answer", "SQLite", "--scope", "user")
    human = answers({"Which database?": "SQLite", "Which name?": "shop"})
    session = play(ours, ask(DATABASE), ask(NAME), human=human, env={"HOOKWRIGHT_QUESTIONS_MODE": "shadow"})
    assert len(session.asked) == 2
    assert session.run.system_messages() == []
    assert json.loads(ours.questions("list"))["shadow"] == {"questions": 2, "would": 1, "agreed": 1}


def test_a_repositorys_preference_counts_in_its_worktrees_and_subfolders_and_nowhere_else(ours):
    ours.questions("set", "--question", "Which database?", "--answer", "SQLite")
    top = Path(ours.root)
    git(ours.project, "worktree", "add", "-q", str(top / "tree"))
    (top / "project" / "deep").mkdir()
    (top / "tree" / "deep").mkdir()
    (top / "other").mkdir()
    git(str(top / "other"), "init", "-q")
    seen = {}
    for folder in ("project/deep", "tree/deep", "other"):
        ours.project = str(top / folder)
        session = play(ours, ask(DATABASE), human=answers({"Which database?": "Postgres (Recommended)"}))
        seen[folder] = len(session.asked)
    assert seen == {"project/deep": 0, "tree/deep": 0, "other": 1}


def test_undo_makes_the_next_one_a_dialog_again(ours):
    ours.questions("set", "--question", "Which database?", "--answer", "SQLite")
    human = answers({"Which database?": "Postgres (Recommended)"})
    session = ours.stream([ask(DATABASE), "first", ask(DATABASE), "second"], human=human)
    with session:
        session.say("go")
        session.wait_for_result()
        assert session.asked == []
        undone = json.loads(ours.questions("undo"))["undone"]
        assert (undone["question"], undone["answer"]) == ("Which database?", "SQLite")
        session.say("again")
        session.wait_for_result()
    assert len(session.asked) == 1


# --- on a screen
def test_on_the_screen_a_decided_question_shows_no_dialog_and_the_page_tells_it(ours, tmux):
    """RECORD_DOCS=1 writes the page anew."""
    words = ["questions", "set", "--question", "Which database?", "--answer", "SQLite"]
    deciding = [sys.executable, "-c", PROGRAM, *words]
    decided = subprocess.run(deciding, cwd=ours.project, capture_output=True, text=True, check=True, timeout=60).stdout
    ours.questions("set", "--question", "Which extras?", "--answer", "Auth", "--answer", "Log")
    ours.questions("set", "--question", "Which name?", "--text", "the old one")
    script = [ask(DATABASE), "SQLite it is.", ask(EXTRAS, NAME), "both known"]
    with ours.terminal(script, size=(118, 60)) as screen:
        screen.say("set up the storage")
        shown = screen.wait("SQLite it is.")
        screen.say("and the rest")
        screen.wait("both known")
        screen.leave()
    assert HEADING in shown
    received = told(screen)
    assert '"Which database?"="SQLite"' in received[0]
    assert '"Which extras?"="Auth, Log"' in received[1]
    assert "the old one" in received[1]
    lines = logged(ours)
    assert [(line["answer"], line["answered_by"]) for line in lines] == [
        ("SQLite", "preference"),
        ("Auth, Log", "preference"),
        ("the old one", "preference"),
    ]
    talk = shown[shown.index(PROMPT + " set up") : shown.index("SQLite it is.")] + "SQLite it is."
    story = f"$ hookwright {shlex.join(words)}\n{decided}\n{talk}".replace(lines[0]["preference"], "p-4f2a1c")
    assert_recorded("\n".join(line.rstrip() for line in story.splitlines()))


def assert_recorded(story):
    page = PAGE.read_text()
    head, begin, rest = page.partition("<!-- recorded -->\n")
    _, end, tail = rest.partition("<!-- end of the recording -->")
    recorded = f"{head}{begin}```text\n{story}\n```\n{end}{tail}"
    if os.environ.get("RECORD_DOCS") == "1":
        PAGE.write_text(recorded)
    assert page == recorded


def test_on_the_screen_everything_else_is_a_dialog(ours, tmux):
    ours.questions("set", "--question", "Which database?", "--answer", "SQLite")
    ours.questions("set", "--question", "Which name?", "--answer", "shop", "--expires", "1m", ago=3600)
    ours.questions("set", "--match", "table", "--never-ask")
    script = [ask(TABLE), "kept it", ask(DATABASE, EXTRAS), "half", ask(NAME), "named", ask(DATABASE), "whole"]
    with ours.terminal(script) as screen:
        screen.say("first")  # an irreversible question
        screen.wait("Delete the old table?")
        screen.answer(DIALOG, "2")
        screen.wait("kept it")
        screen.say("second")  # one of the two is decided, so both are shown
        screen.wait("Which database?")
        screen.until(lambda: _submitted(screen), "the end of the dialog")
        screen.wait("half")
        screen.say("third")  # expired
        screen.wait("Which name?")
        screen.answer(DIALOG, "2")
        screen.wait("named")
        screen.say("fourth")
        screen.wait("whole")
        screen.leave()
    lines = [(line["question"], line["answer"], line["answered_by"]) for line in logged(ours)]
    assert lines == [
        ("Delete the old table?", "No", "user"),
        ("Which database?", "Postgres (Recommended)", "user"),
        ("Which extras?", "Auth", "user"),
        ("Which name?", "store", "user"),
        ("Which database?", "SQLite", "preference"),
    ]
    received = told(screen)
    for (text, answer, _), place in zip(lines, (0, 1, 1, 2, 3), strict=True):
        assert f'"{text}"="{answer}"' in received[place]


def _submitted(screen):
    """Take the first option of each question and submit, one key at a time."""
    shown = screen.screen()
    if DIALOG not in shown and "Ready to submit" not in shown:
        return True
    if "Which extras?" in shown and "Ready to submit" not in shown:
        screen.keys("Right" if "[\u2714] Auth" in shown else "1")
    else:
        screen.keys("Enter")
    time.sleep(0.7)
    return False


def test_on_the_screen_a_declined_dialog_leaves_nothing_behind_that_answers_later(ours, tmux):
    with ours.terminal([ask(DATABASE), ask(DATABASE), "answered"]) as screen:
        screen.say("first")
        screen.answer(DIALOG, "Escape")
        screen.say("second")
        screen.answer(DIALOG, "Enter")
        screen.wait("answered")
        screen.leave()
    (line,) = logged(ours)
    assert (line["answer"], line["answered_by"]) == ("Postgres (Recommended)", "user")
    (found,) = json.loads(ours.questions("list"))["questions"]
    assert (found["asked"], found["dismissed"]) == (2, 1)
