"""The commands that rows offer: exact, quoted, and never with anything that a terminal would act on."""

import shlex

import pytest

from hookwright.page.change_commands import commands_for_event, commands_for_hook, commands_for_question

SAID = {"hook": "command_guard", "verdict": "deny", "mode": "on", "reason": "", "failure": None}


def event(**fields):
    return {
        "id": "0123456789abcdef0123",
        "kind": "stopped",
        "project": "/p",
        "rules": ["a-rule"],
        "said": [SAID],
        **fields,
    }


def texts(found):
    return [one["command"] for one in found]


def test_the_narrowest_command_is_first():
    assert texts(commands_for_event(event())) == [
        "cd /p && hookwright allow 0123456789abcdef",
        "cd /p && hookwright allow a-rule",
        "cd /p && hookwright off command_guard --here",
        "cd /p && hookwright shadow command_guard --here",
        "hookwright why 0123456789abcdef",
    ]


@pytest.mark.parametrize(
    ("fields", "first"),
    [
        ({"said": [], "kind": ""}, "hookwright why 0123456789abcdef"),
        ({"said": [{**SAID, "hook": "stop_guard"}]}, "cd /p && hookwright off stop_guard --here"),
        ({"said": [{**SAID, "mode": "shadow"}], "kind": ""}, "hookwright why 0123456789abcdef"),
        ({"project": None}, "hookwright allow 0123456789abcdef"),
    ],
)
def test_only_what_can_be_changed_is_offered(fields, first):
    assert texts(commands_for_event(event(**fields)))[0] == first


@pytest.mark.parametrize("name", ["a b", "$(touch x)", "`x`", "it's", "; rm -rf ~", "-rf", "a\\b", "ä"])
def test_names_are_quoted(name):
    for text in texts(commands_for_event(event(project=f"/home/{name}", rules=[name], said=[{**SAID, "hook": name}]))):
        words = shlex.split(text)
        assert words[0] in ("cd", "hookwright")
        if words[0] == "cd":
            assert words[1:4] == [f"/home/{name}", "&&", "hookwright"]


@pytest.mark.parametrize("mark", ["\n", "\r", "\x1b[8m", "\u202e", "\u2028", "\x00", "\u200b"])
def test_nothing_that_a_terminal_acts_on_is_ever_offered(mark):
    hostile = f"x{mark}rm -rf ~{mark}"
    rows = commands_for_event(event(project=hostile, rules=[hostile], said=[{**SAID, "hook": hostile}, SAID]))
    rows += commands_for_hook(hostile, "on", hostile) + commands_for_hook(hostile, "on")
    rows += commands_for_question({"question": hostile, "answer": hostile, "preference": hostile}, hostile)
    rows += commands_for_question({"question": "q", "answer": hostile}, "/p")
    assert rows
    assert all(text.isprintable() and "rm -rf" not in text for text in texts(rows))


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ({"question": "Which?", "answer": "A"}, ["--question='Which?' --answer=A", "--question='Which?' --always-ask"]),
        ({"question": "Which?", "answer": "A", "preference": "p-1"}, ["forget p-1", "--always-ask"]),
        ({"question": "Drop it?", "answer": "Yes", "one_way": "drop"}, ["--always-ask"]),
        ({"question": "Which?", "answer": "my own words", "free_text": True}, ["--always-ask"]),
    ],
)
def test_a_question_can_be_decided_or_asked_again(line, offered):
    found = texts(commands_for_question(line, "/p"))
    assert len(found) == len(offered)
    for text, end in zip(found, offered, strict=True):
        assert text.startswith("cd /p && hookwright questions ")
        assert text.endswith(end)
