"""The stored payloads are still what the client sends, key for key and type for type."""

import os

import pytest

from tests.client.kit import record
from tests.client.kit.lab import Lab

# The rest is compared by hand: python -m tests.client.kit.record
SOME = ["print_basics", "print_files", "print_subagent", "stream_question"]


@pytest.mark.parametrize("session", SOME)
def test_a_recorded_session_has_the_stored_shapes(lab, session):
    fresh = dict(record.record(session, lab.root + "-recording", binary=lab.binary))
    assert fresh
    assert {s: record.shape(p) for s, p in fresh.items()} == {s: record.shape(record.stored(s)) for s in fresh}


def test_every_stored_payload_is_neutral():
    names = [name for name in os.listdir(record.STORED) if name.endswith(".json")]
    assert len(names) > 50
    for name in names:
        with open(os.path.join(record.STORED, name), encoding="utf-8") as handle:
            words = handle.read()
        assert not record.UUID.search(words), name
        assert "/tmp/" not in words, name


def test_placeholders_replace_what_belongs_to_one_run(tmp_path):
    lab = Lab(tmp_path / "lab", binary="unused")
    sent = {"session_id": "abc", "cwd": lab.project, "transcript_path": f"{lab.home}/x/abc.jsonl", "n": "2 abcs"}
    assert record.neutral(sent, lab) == {
        "session_id": "<SESSION_ID>",
        "cwd": "<PROJECT>",
        "transcript_path": "<HOME>/x/<SESSION_ID>.jsonl",
        "n": "2 <SESSION_ID>s",
    }
