"""The journal: every acknowledged record can be read again, whatever happens around it."""

import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hookwright.store import journal, journal_rotation
from tests.proc.kit import wait_until

NOON = 1_763_208_000.0  # 2025-11-15 12:00:00 UTC
DAY = 86400
SMALL_SEGMENTS = (30, 1 << 20, 1000)


def records(state):
    found = []
    for path in sorted((state / "journal").glob("*.jsonl")):
        found += [json.loads(line) for line in path.read_text().splitlines() if line]
    return found


def write(state, now=NOON, **fields):
    return journal.append(str(state), now, fields, json.dumps)


def test_a_record_gets_an_id_and_a_time_and_lands_in_the_segment_of_its_day(tmp_path):
    assert write(tmp_path, event="PreToolUse", tool="Bash")
    assert [p.name for p in (tmp_path / "journal").iterdir()] == ["2025-11-15.jsonl"]
    (record,) = records(tmp_path)
    assert record["event"] == "PreToolUse"
    assert record["time"] == NOON
    assert len(record["id"]) == 32
    assert record["v"] == journal.FORMAT_VERSION


def test_every_record_stands_between_two_newlines(tmp_path):
    write(tmp_path, event="Stop")
    write(tmp_path, event="Stop")
    raw = (tmp_path / "journal" / "2025-11-15.jsonl").read_bytes()
    assert raw.startswith(b"\n{")
    assert raw.endswith(b"}\n")
    assert raw.count(b"\n") == 4


def test_files_are_for_the_user_alone(tmp_path):
    write(tmp_path / "fresh", event="Stop")
    folder = tmp_path / "fresh" / "journal"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "2025-11-15.jsonl").stat().st_mode) == 0o600


def test_a_link_in_the_place_of_a_segment_is_not_followed(tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("kept")
    (tmp_path / "journal").mkdir()
    (tmp_path / "journal" / "2025-11-15.jsonl").symlink_to(victim)
    assert write(tmp_path, event="Stop")
    assert victim.read_text() == "kept"
    assert (tmp_path / "journal" / "2025-11-15.1.jsonl").exists()


@pytest.mark.parametrize("reader", [False, True], ids=["nobody reads it", "somebody reads it"])
def test_a_fifo_in_the_place_of_a_segment_is_passed_over(tmp_path, reader):
    (tmp_path / "journal").mkdir()
    fifo = tmp_path / "journal" / "2025-11-15.jsonl"
    os.mkfifo(fifo)
    if reader:
        descriptor = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    assert write(tmp_path, event="Stop")
    fifo.unlink()
    assert len(records(tmp_path)) == 1
    if reader:
        assert os.read(descriptor, 100) == b""
        os.close(descriptor)


def test_a_directory_for_each_segment_of_the_day_is_a_counted_failure(tmp_path):
    for number in range(journal.MAX_SEGMENTS):
        (tmp_path / "journal" / f"2025-11-15{f'.{number}' if number else ''}.jsonl").mkdir(parents=True)
    assert not write(tmp_path, event="Stop")
    assert (tmp_path / "journal" / journal_rotation.FAILURES_FILE).stat().st_size == 1


@pytest.mark.parametrize("days", [60, 365, 5 * 365, 50 * 365])
@pytest.mark.parametrize("young", [1, 2, 30])
def test_a_clock_that_jumps_ahead_empties_no_journal(tmp_path, days, young):
    for day in range(young):
        assert write(tmp_path, now=NOON - day * DAY, event="kept")
    assert write(tmp_path, now=NOON + days * DAY, event="ahead")
    assert len(records(tmp_path)) == young + 1
    assert write(tmp_path, now=NOON + DAY, event="right again")
    assert len(records(tmp_path)) == young + 2
    assert write(tmp_path, now=NOON + (days + 1) * DAY, event="it stays ahead")
    assert len(records(tmp_path)) >= young + 3 - journal_rotation.DAYS_AT_ONCE


def test_a_clock_that_jumps_back_empties_no_journal(tmp_path):
    for now in (NOON - DAY, NOON, 0.0, NOON - 5 * 365 * DAY, NOON):
        assert write(tmp_path, now=now, event="kept")
    assert len(records(tmp_path)) == 5


def test_what_has_gathered_in_a_pause_goes_two_days_at_a_time(tmp_path):
    for day in range(30):
        write(tmp_path, now=NOON + day * DAY)
    later = NOON + 200 * DAY
    for day in range(20):
        write(tmp_path, now=later + day * DAY)
    assert len(records(tmp_path)) == 20


def test_ids_sort_by_time_and_never_repeat():
    ids = [journal.new_id(NOON + i / 1000) for i in range(2000)]
    assert ids == sorted(ids)
    assert len({journal.new_id(NOON) for _ in range(2000)}) == 2000


@pytest.mark.parametrize(
    ("fields", "truncated"),
    [
        ({"command": "x" * 4096}, None),
        ({"command": "x" * 4097}, ["command"]),
        ({"decisions": [{"hook": "guard", "reason": "x" * 9000}]}, ["decisions"]),
        ({"changed": [f"{i:030}" for i in range(100)]}, ["changed"]),
        ({"answer": {"a": {"b": "x" * 9000}}}, ["answer"]),
        ({"decisions": [{"reason": "x" * 4000} for _ in range(60)], "event": "Stop"}, ["*"]),
    ],
)
def test_long_fields_are_cut_and_named(tmp_path, fields, truncated):
    assert write(tmp_path, **fields)
    (record,) = records(tmp_path)
    assert record.get("truncated") == truncated
    assert len(json.dumps(record)) < journal.MAX_LINE_CHARS + 200
    assert record["id"]


@pytest.mark.parametrize(
    ("fields", "masked"),
    [
        ({"command": "mysql -phunter2 shop"}, ["command:flag"]),
        (
            {"decisions": [{"hook": "guard", "reason": "PGPASSWORD=hunter2 psql drops a table"}]},
            ["decisions:assignment"],
        ),
        ({"answer": {"updatedInput": {"command": "curl -u joe:hunter2 x"}}}, ["answer:flag"]),
        ({"command": "x" * 4090 + " TOKEN=hunter2" + "y" * 400}, ["command:assignment"]),
        ({"command": "ls"}, None),
    ],
)
def test_secrets_never_reach_the_file_and_the_record_says_where_one_was(tmp_path, fields, masked):
    assert write(tmp_path, **fields)
    (record,) = records(tmp_path)
    assert record.get("masked") == masked
    assert "hunter2" not in json.dumps(record)


def test_a_full_segment_is_followed_by_the_next_number(tmp_path):
    for _ in range(7):
        journal.append(str(tmp_path), NOON, {"command": "x" * 400}, json.dumps, SMALL_SEGMENTS)
    names = sorted((p.name for p in (tmp_path / "journal").iterdir()), key=journal_rotation.segment_order)
    assert names == ["2025-11-15.jsonl", "2025-11-15.1.jsonl", "2025-11-15.2.jsonl"]
    assert len(records(tmp_path)) == 7


def test_the_last_number_of_a_day_grows_rather_than_losing_records(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "MAX_SEGMENTS", 2)
    for _ in range(9):
        assert journal.append(str(tmp_path), NOON, {"command": "x" * 400}, json.dumps, SMALL_SEGMENTS)
    assert len(records(tmp_path)) == 9


def test_segments_past_their_days_go_when_a_new_one_is_born(tmp_path):
    for days in (40, 31, 29, 1):
        write(tmp_path, now=NOON - days * DAY, event="old")
    write(tmp_path)
    assert [journal_rotation.segment_order(p.name)[0] for p in sorted((tmp_path / "journal").iterdir())] == [
        "2025-10-17",
        "2025-11-14",
        "2025-11-15",
    ]


def test_the_oldest_segments_go_when_all_together_are_too_large(tmp_path):
    for days in (3, 2, 1, 0):
        journal.append(str(tmp_path), NOON - days * DAY, {"command": "x" * 600}, json.dumps, (30, 1500, 1000))
    assert len(records(tmp_path)) == 2


def test_the_newest_segment_stays_even_beyond_the_cap(tmp_path):
    journal.append(str(tmp_path), NOON, {"command": "x" * 600}, json.dumps, (30, 10, 1000))
    assert journal_rotation.sweep_segments(str(tmp_path / "journal"), journal.format_date(NOON + 370 * DAY), 10) == []


def test_sweeping_leaves_files_alone_that_are_not_segments(tmp_path):
    write(tmp_path, now=NOON - 90 * DAY)
    other = tmp_path / "journal" / "notes-of-the-user.jsonl"
    other.write_text("mine")
    write(tmp_path)
    assert other.exists()


class UnwritableError(Exception):
    pass


def failing_encoder(_record):
    raise UnwritableError


def test_a_failure_is_counted_and_never_raised(tmp_path):
    assert write(tmp_path, event="Stop")
    assert not journal.append(str(tmp_path), NOON, {}, failing_encoder)
    assert not journal.append(str(tmp_path), NOON, {}, failing_encoder)
    assert (tmp_path / "journal" / journal_rotation.FAILURES_FILE).stat().st_size == 2


@pytest.mark.parametrize("state", [None, "/proc/nowhere", "/dev/null/x", "\0"])
def test_a_state_folder_that_cannot_be_is_silence(state):
    assert not journal.append(state, NOON, {"event": "Stop"}, json.dumps)


@pytest.mark.parametrize("now", [-1e12, 0.0, 1e9, 4e9])
def test_a_wrong_clock_is_no_exception(tmp_path, now):
    assert journal.append(str(tmp_path), now, {"event": "Stop"}, json.dumps) in (True, False)


def test_a_lone_surrogate_does_not_cost_the_record(tmp_path):
    assert journal.append(str(tmp_path), NOON, {"command": "\ud800"}, lambda r: json.dumps(r, ensure_ascii=False))
    assert records(tmp_path)[0]["command"] == "?"


def test_a_full_disk_is_no_acknowledgement_and_the_next_record_is_whole(tmp_path):
    """RLIMIT_FSIZE gives the short write of a full disk, in a process of its own."""
    code = f"""
import json, resource, signal, sys
sys.path[:0] = {sys.path!r}
from hookwright.store import journal, journal_rotation
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (800, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
print([journal.append({str(tmp_path)!r}, {NOON}, {{"command": "x" * 400}}, json.dumps) for _ in range(3)])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[True, False, False]"
    assert write(tmp_path, event="after")
    lines = (tmp_path / "journal" / "2025-11-15.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["event"] == "after"


WRITER = """
import json, os, sys, time
sys.path[:0] = json.loads(sys.argv[3])
from hookwright.store import journal, journal_rotation
state, name = sys.argv[1], sys.argv[2]
acknowledged = os.open(f"{state}/{name}.ack", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
for n in range(100_000):
    if journal.append(state, time.time(), {"event": "PreToolUse", "n": f"{name}-{n}", "command": "y" * (n * 37 % 4000)},
                      json.dumps, (30, 1 << 30, 1 << 20)):
        os.write(acknowledged, b"%d\\n" % n)
"""


def acknowledged_bytes(path):
    return path.stat().st_size if path.exists() else 0


def test_what_was_acknowledged_survives_kill_9_of_any_writer(tmp_path):
    """Writers die at random moments; every number that they had acknowledged is in the journal, once."""
    running = {}
    for name in range(12):
        argv = [sys.executable, "-I", "-S", "-c", WRITER, str(tmp_path), str(name), json.dumps(sys.path)]
        running[name] = subprocess.Popen(argv)
        if len(running) == 4:
            first = min(running)
            assert wait_until(lambda first=first: acknowledged_bytes(tmp_path / f"{first}.ack") > 1000)
            running[first].send_signal(signal.SIGKILL)
            running.pop(first).wait()
    for process in running.values():
        process.send_signal(signal.SIGKILL)
        process.wait()
    seen = []
    for path in Path(tmp_path, "journal").glob("*.jsonl"):
        for line in path.read_bytes().split(b"\n"):
            try:
                seen.append(json.loads(line)["n"])
            except ValueError:
                continue
    acknowledged = {
        f"{path.stem}-{n}" for path in tmp_path.glob("*.ack") for n in path.read_text().splitlines() if n.isdigit()
    }
    assert len(acknowledged) > 100
    assert acknowledged <= set(seen)
    assert len(seen) == len(set(seen))


def test_the_writer_is_cheap_to_load_it_needs_builtin_modules_only():
    code = f"import sys; sys.path[:0] = {sys.path!r}; from hookwright.store import journal; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"re", "json", "typing", "dataclasses", "pathlib", "collections", "functools", "enum"}
