"""Questions of the past are found in every segment, and damage costs its own line only."""

import gzip
import json

from hookwright.questions.history import entries

ROW = {"fingerprint": "q-1", "question": "Which?", "answer": "A", "answered_by": "user"}


def record(time, **more):
    return json.dumps({"id": f"{time}", "time": time, "event": "PostToolUse", "questions": [ROW], **more})


def test_plain_and_packed_segments_in_order_of_time(tmp_path):
    folder = tmp_path / "journal"
    folder.mkdir()
    (folder / "2026-11-15.jsonl").write_text(f"\n{record(30)}\n\n{record(20)}\n")
    (folder / "2026-11-14.jsonl.gz").write_bytes(gzip.compress(record(10).encode()))
    (folder / "2026-11-13.jsonl.gz").write_bytes(gzip.compress(record(5).encode())[:-9])
    (folder / "notes.txt").write_text(record(1))
    assert [entry.time for entry in entries(str(tmp_path))] == [10, 20, 30]
    assert [entry.time for entry in entries(str(tmp_path), since=15)] == [20, 30]


def test_strange_lines_are_passed_over(tmp_path):
    folder = tmp_path / "journal"
    folder.mkdir()
    strange = [
        '{"questions": torn',
        '"questions":',
        '{"questions": [], "time": "late"}',
        '{"questions": 7, "time": 1}',
        '{"questions": [7, null], "time": 1}',
        '{"time": 1, "event": "PostToolUse"}',
        '["questions": 1]',
    ]
    (folder / "2026-11-15.jsonl").write_bytes("\n".join([*strange, record(2)]).encode() + b'\n\xff"questions":\n')
    assert [entry.time for entry in entries(str(tmp_path))] == [2]


def test_no_state_is_no_past(tmp_path):
    assert entries(None) == []
    assert entries(str(tmp_path)) == []
