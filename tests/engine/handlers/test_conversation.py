"""Transcripts become messages for a model."""

import json

import pytest

from hookwright.engine.handlers import conversation as module
from hookwright.engine.handlers.conversation import read_conversation


def written(tmp_path, entries) -> dict:
    path = tmp_path / "t.jsonl"
    path.write_text("\n".join(e if isinstance(e, str) else json.dumps(e) for e in entries), encoding="utf-8")
    return {"transcript_path": str(path)}


def entry(role: str, content, **more) -> dict:
    return {"type": role, "message": {"role": role, "content": content}, **more}


def test_tools_are_told_in_words(tmp_path):
    talk = read_conversation(
        written(
            tmp_path,
            [
                entry("user", "go"),
                entry("assistant", [{"type": "tool_use", "id": "1", "name": "Bash", "input": {"command": "ls"}}]),
                entry("user", [{"type": "tool_result", "tool_use_id": "1", "content": "a\nb"}]),
                entry("assistant", [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "done"}]),
            ],
        )
    )
    assert talk == [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": '[calls Bash: {"command": "ls"}]'},
        {"role": "user", "content": "[result: a\nb]"},
        {"role": "assistant", "content": "done"},
    ]


@pytest.mark.parametrize(
    "entries",
    [
        [],
        ["{broken", "5", "null", '{"message": 3}', '{"message": {"role": "user"}}'],
        [entry("assistant", "who began?")],
        [entry("user", "hidden", isMeta=True)],
    ],
)
def test_what_is_no_talk_is_left_out(tmp_path, entries):
    assert read_conversation(written(tmp_path, entries)) == []


def test_neighbours_of_one_role_are_one_message(tmp_path):
    talk = read_conversation(written(tmp_path, [entry("user", "a"), entry("user", "b"), entry("assistant", "c")]))
    assert talk == [{"role": "user", "content": "a\n\nb"}, {"role": "assistant", "content": "c"}]


def test_a_long_talk_keeps_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MAX_LENGTH", 25)
    talk = [entry("user" if n % 2 == 0 else "assistant", f"words {n:03}") for n in range(100)]
    assert read_conversation(written(tmp_path, talk)) == [
        {"role": "user", "content": "words 098"},
        {"role": "assistant", "content": "words 099"},
    ]


def test_a_subagent_has_a_transcript_of_its_own(tmp_path):
    payload = {**written(tmp_path, [entry("user", "mine")]), "transcript_path": "/nowhere"}
    payload["agent_transcript_path"] = str(tmp_path / "t.jsonl")
    assert read_conversation(payload) == [{"role": "user", "content": "mine"}]
    assert read_conversation({"transcript_path": "/nowhere/at/all"}) == []
    assert read_conversation({}) == []
