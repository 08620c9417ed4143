"""Which skill is at work, as the client's transcript tells it."""

import json
import threading

import pytest

from hookwright.hooks.questions.skill import find_current_skill


def assistant(skill=None, call=None, **more):
    content = [{"type": "tool_use", "name": "Skill", "input": {"skill": call}}] if call else [{"type": "text"}]
    entry = {"type": "assistant", "message": {"content": content}, **more}
    return entry | ({"attributionSkill": skill} if skill else {})


def typed(command):
    words = f"<command-message>{command}</command-message>\n<command-name>/{command}</command-name>"
    return {"type": "user", "message": {"content": words}}


PLAIN = {"type": "user", "message": {"content": "go on"}}


@pytest.mark.parametrize(
    ("entries", "skill"),
    [
        ([], None),
        ([PLAIN], None),
        ([assistant()], None),
        ([assistant("ship")], "ship"),
        ([assistant("ship"), PLAIN], "ship"),
        ([assistant(call="ship")], "ship"),
        ([assistant("ship"), assistant()], None),
        ([typed("plan")], "plan"),
        ([assistant("ship"), typed("plan")], "plan"),
        ([typed("plan"), assistant("plan")], "plan"),
        ([assistant("ship"), assistant("side", isSidechain=True)], "ship"),
        ([assistant("ship"), {"type": "tools-used", "tools": ["Skill"]}], "ship"),
        ([assistant("ship"), 'torn "assistant" line'], "ship"),
        ([{"type": "assistant", "message": None}], None),
        ([assistant(call=7)], None),
    ],
)
def test_the_newest_line_that_says_so_decides(tmp_path, entries, skill):
    path = tmp_path / "transcript.jsonl"
    path.write_text("".join((e if isinstance(e, str) else json.dumps(e)) + "\n" for e in entries), encoding="utf-8")
    assert find_current_skill(str(path)) == skill


def test_only_the_tail_of_a_long_transcript_is_read(tmp_path):
    path = tmp_path / "transcript.jsonl"
    filler = json.dumps(PLAIN | {"filler": "x" * 1000}) + "\n"
    path.write_text(json.dumps(assistant("old")) + "\n" + filler * 400, encoding="utf-8")
    assert find_current_skill(str(path)) is None
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(assistant("new")) + "\n")
    assert find_current_skill(str(path)) == "new"


@pytest.mark.parametrize("path", ["", "/nowhere", "/", "\0"])
def test_no_transcript_is_no_skill(path):
    assert find_current_skill(path) is None


def test_a_transcript_that_lags_behind_is_waited_for(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps({"type": "assistant", "message": {"content": []}}) + "\n")
    late = {"type": "assistant", "attributionSkill": "ship", "message": {"content": [{"id": "toolu_9"}]}}
    before = path.read_text()
    writer = threading.Timer(0.2, lambda: path.write_text(before + json.dumps(late) + "\n"))
    writer.start()
    assert find_current_skill(str(path), "toolu_9", patience_s=30) == "ship"
    writer.join()
    assert find_current_skill(str(path), "toolu_never", patience_s=0.05) == "ship"
