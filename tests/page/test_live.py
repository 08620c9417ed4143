"""Live events: whole lines only, each once, across segments, and to every open page."""

import http.client
import json
import os
import threading
from pathlib import Path

import pytest

from hookwright.page.live import JournalTail
from hookwright.store import journal

DENIED = {"hook": "command_guard", "verdict": "deny", "reason": "no", "us": 1, "mode": "on"}


@pytest.fixture
def folder(past):
    path = Path(past.state, "journal")
    path.mkdir(parents=True, mode=0o700)
    return path


def commands(tail):
    return [record.get("command") for record in tail.read_new()]


def test_only_what_comes_after_the_start_is_read_and_each_record_once(past):
    past.pre("before")
    tail = JournalTail(past.state)
    assert commands(tail) == []
    past.pre("one")
    past.pre("two")
    assert commands(tail) == ["one", "two"]
    assert commands(tail) == []


def test_a_torn_line_waits_for_its_end(folder, past):
    tail = JournalTail(past.state)
    line = json.dumps({"id": "1", "time": 1.0, "command": "ls"}).encode()
    path = folder / "2026-11-15.jsonl"
    for place in range(1, len(line)):
        path.write_bytes(b"\n" + line[:place])
        assert commands(tail) == []
    path.write_bytes(b"\n" + line + b"\n")
    assert commands(tail) == ["ls"]


@pytest.mark.parametrize(
    "line",
    [b"{", b"null", b"[]", b'{"id": "1"}', b'{"id": "", "time": 1}', b"\xff\xfe", b'{"id":1,"time":"x"}', b"[" * 5000],
)
def test_what_is_no_record_is_left_out(folder, past, line):
    tail = JournalTail(past.state)
    good = json.dumps({"id": "2", "time": 1.0, "command": "ls"}).encode()
    (folder / "2026-11-15.jsonl").write_bytes(b"\n" + line + b"\n\n" + good + b"\n")
    assert commands(tail) == ["ls"]


def test_a_new_segment_and_a_new_file_under_an_old_name_are_read(folder, past):
    def put(name, *words):
        lines = [json.dumps({"id": word, "time": 1.0, "command": word}) for word in words]
        (folder / name).write_text("\n".join(lines) + "\n")

    put("2026-11-15.jsonl", "a", "b", "c")
    tail = JournalTail(past.state)
    put("2026-11-15.1.jsonl", "d")
    put("2026-11-16.jsonl", "e")
    assert sorted(commands(tail)) == ["d", "e"]
    put("2026-11-15.jsonl", "f")  # shorter: another file
    assert commands(tail) == ["f"]
    (folder / "2026-11-15.jsonl").unlink()
    assert commands(tail) == []


def test_what_is_no_file_is_not_opened(folder, past):
    os.mkfifo(folder / "2026-11-15.jsonl")
    (folder / "2026-11-16.jsonl").symlink_to("/dev/zero")
    tail = JournalTail(past.state)
    assert commands(tail) == []


class Stream:
    """An open page's stream of events."""

    def __init__(self, client, **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", client.server.access.port, timeout=300)
        self.connection.request("GET", "/api/live", headers={"Cookie": client.cookie, "Host": client.host, **headers})
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200
        assert self.answer.getheader("Content-Type") == "text/event-stream"
        self.next()  # the head

    def next(self):
        """The fields of the next event."""
        fields = {}
        while (line := self.answer.readline()) not in (b"\n", b""):
            name, _, value = line.decode().rstrip("\n").partition(": ")
            fields[name] = value
        return fields

    def record(self):
        while (event := self.next()).get("event") != "record":
            pass
        return json.loads(event["data"]), event["id"]


def test_every_open_page_gets_a_new_event_with_its_commands(past, serve):
    client = serve(past.state)
    streams = [Stream(client) for _ in range(3)]
    past.pre("rm -rf /\u2028\nevent: x", said=[DENIED], answer="deny")
    for stream in streams:
        row, record_id = stream.record()
        assert (row["command"], row["kind"], row["id"]) == ("rm -rf /\u2028\nevent: x", "stopped", record_id)
        assert row["commands"][0]["command"].endswith(f"hookwright allow {record_id[:16]}")


def test_a_page_that_was_away_gets_what_it_missed(past, serve):
    client = serve(past.state)
    witness = Stream(client)
    seen = []
    for word in ("one", "two", "three"):
        past.pre(word)
        seen.append(witness.record()[1])
    back = Stream(client, **{"Last-Event-ID": seen[0]})
    assert [back.record()[0]["command"] for _ in range(2)] == ["two", "three"]


def test_a_page_that_was_away_too_long_is_told(past, serve):
    client = serve(past.state)
    assert Stream(client, **{"Last-Event-ID": "long-ago"}).next()["event"] == "gap"


def test_the_pages_are_told_when_the_ledger_has_the_news(past, serve):
    client = serve(past.state)
    client.server.updater.update()
    stream = Stream(client)
    past.pre("ls")
    while stream.next().get("event") != "ledger":
        pass
    assert client.ask("api/events?from=1")["events"][0]["command"] == "ls"


def test_nobody_looks_at_the_journal_while_no_page_is_open(past, serve, monkeypatch):
    client = serve(past.state)
    looked = threading.Event()
    monkeypatch.setattr(client.server.live._tail, "read_new", lambda: looked.set() or [])
    assert not looked.wait(0.5)
    stream = Stream(client)
    assert looked.wait(60)
    stream.connection.close()


def test_a_record_is_a_line_of_the_journal(past):
    """The tail reads what `journal.append` writes, not what a test makes up."""
    tail = JournalTail(past.state)
    assert journal.append(past.state, 1.0, {"event": "Stop", "session_id": "s"}, json.dumps)
    (record,) = tail.read_new()
    assert record["event"] == "Stop"


@pytest.mark.slow
def test_what_the_hook_process_answers_is_in_the_stream(hook_process, serve):
    """The registered process, started as the client does."""
    client = serve(f"{hook_process.home}/.local/state/hookwright")
    stream = Stream(client)
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(hook_process.home), "tool_use_id": "t1"}
    tool = {"tool_name": "Bash", "tool_input": {"command": "git push --force origin main"}}
    answer = hook_process.answer({**payload, **tool})
    assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
    row, _ = stream.record()
    assert (row["kind"], row["command"], row["rules"]) == (
        "stopped",
        "git push --force origin main",
        ["git-force-push"],
    )
