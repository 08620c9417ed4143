"""Ingest: each acknowledged line becomes one row, whoever dies on the way."""

import gzip
import json
import os
import random
import signal
import time

import pytest

from hookwright.store import journal, limits
from hookwright.store.database import FILE, open_store
from hookwright.store.ingest import backlog_bytes, ingest as read_journal
from hookwright.store.retention import retire
from tests.proc.kit import wait_until

pytestmark = pytest.mark.slow

NOON = 1_763_208_000.0  # 2025-11-15 12:00:00 UTC
DAY = 86400


def ingest(store, state, now=None, **options):
    """What the background refresh does every day: read the journal, then drop what is too old."""
    result = read_journal(store, state, now, **options)
    if not result.busy:
        retire(store, state, time.time() if now is None else now)
    return result


def write(state, *ids, now=NOON):
    for name in ids:
        assert journal.append(str(state), now, {"id": name, "event": "Stop"}, json.dumps)


def ids(store):
    return [row["id"] for row in store.execute("SELECT id FROM events ORDER BY seq")]


def test_lines_become_rows_once_however_often_it_runs(tmp_path):
    store = open_store(str(tmp_path))
    write(tmp_path, "a", "b")
    assert ingest(store, str(tmp_path), NOON).lines == 2
    assert ingest(store, str(tmp_path), NOON).lines == 0
    write(tmp_path, "c")
    assert ingest(store, str(tmp_path), NOON).lines == 1
    assert ids(store) == ["a", "b", "c"]


def test_a_lost_offset_doubles_nothing(tmp_path):
    store = open_store(str(tmp_path))
    write(tmp_path, "a", "b")
    ingest(store, str(tmp_path), NOON)
    store.execute("DELETE FROM segments")
    ingest(store, str(tmp_path), NOON)
    assert ids(store) == ["a", "b"]


def test_a_lost_store_is_made_again_from_the_journal(tmp_path):
    write(tmp_path, "a", "b")
    store = open_store(str(tmp_path))
    ingest(store, str(tmp_path), NOON)
    store.close()
    (tmp_path / FILE).write_bytes(b"damage" * 2000)
    store = open_store(str(tmp_path))
    ingest(store, str(tmp_path), NOON)
    assert ids(store) == ["a", "b"]


@pytest.mark.parametrize(
    "line",
    [
        *(
            b"{",
            b"[]",
            b"42",
            b'"x"',
            b"null",
            b"{}",
            b'{"id": "x"}',
            b'{"id": "", "time": 1}',
            b'{"id": "x", "time": "y"}',
        ),
        *(b'{"id": "x", "time": 1} trailing', b"\xff\xfe", b'{"id":"t","time":1,"eve', b"[" * 100_000),
    ],
)
def test_a_bad_line_is_counted_and_passed_over(tmp_path, line):
    write(tmp_path, "a")
    with open(tmp_path / "journal" / "2025-11-15.jsonl", "ab") as file:
        file.write(b"\n" + line + b"\n")
    write(tmp_path, "b")
    store = open_store(str(tmp_path))
    done = ingest(store, str(tmp_path), NOON)
    assert (done.lines, done.bad) == (3, 1)
    assert ids(store) == ["a", "b"]
    assert store.execute("SELECT bad FROM segments").fetchone()["bad"] == 1


def test_strange_values_do_not_cost_the_row(tmp_path):
    record = {"id": "a", "event": {"odd": 1}, "tool": ["x"], "us": 1 << 80, "decisions": "none", "more": {"k": 1}}
    journal.append(str(tmp_path), NOON, record, json.dumps)
    write(tmp_path, "b")
    store = open_store(str(tmp_path))
    ingest(store, str(tmp_path), NOON)
    assert ids(store) == ["a", "b"]
    assert store.execute("SELECT extra FROM events WHERE id = 'a'").fetchone()["extra"] == '{"more": {"k": 1}}'


def test_a_half_written_line_waits_for_its_end(tmp_path):
    write(tmp_path, "a")
    path = tmp_path / "journal" / "2025-11-15.jsonl"
    with open(path, "ab") as file:
        file.write(b'\n{"id": "b", "time"')
    store = open_store(str(tmp_path))
    assert ingest(store, str(tmp_path), NOON).bad == 0
    with open(path, "ab") as file:
        file.write(b": 5}\n")
    ingest(store, str(tmp_path), NOON)
    assert ids(store) == ["a", "b"]


def test_a_half_line_in_a_segment_of_the_past_is_bad_and_the_segment_closes(tmp_path):
    write(tmp_path, "a", now=NOON - 5 * DAY)
    path = tmp_path / "journal" / "2025-11-10.jsonl"
    with open(path, "ab") as file:
        file.write(b'\n{"id": "b", "time"')
    store = open_store(str(tmp_path))
    assert ingest(store, str(tmp_path), NOON).bad == 1
    assert not path.exists()
    assert b'"id": "a"' in gzip.decompress((tmp_path / "journal" / "2025-11-10.jsonl.gz").read_bytes())


def test_compressed_segments_are_read_too_and_only_once(tmp_path):
    write(tmp_path, "a", "b", now=NOON - 5 * DAY)
    path = tmp_path / "journal" / "2025-11-10.jsonl"
    with gzip.open(f"{path}.gz", "wb") as packed:
        packed.write(path.read_bytes())
    path.unlink()
    store = open_store(str(tmp_path))
    assert ingest(store, str(tmp_path), NOON).lines == 2
    assert ingest(store, str(tmp_path), NOON + DAY).lines == 0
    assert ids(store) == ["a", "b"]


def test_a_compressed_segment_that_was_cut_short_gives_what_it_holds(tmp_path):
    write(tmp_path, *(f"id{n:05}" for n in range(5000)), now=NOON - 5 * DAY)
    path = tmp_path / "journal" / "2025-11-10.jsonl"
    packed = gzip.compress(path.read_bytes())
    (tmp_path / "journal" / "2025-11-10.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    path.unlink()
    store = open_store(str(tmp_path))
    ingest(store, str(tmp_path), NOON)
    assert 0 < len(ids(store)) < 5000


def test_a_new_file_under_an_old_name_is_read_from_its_beginning(tmp_path):
    store = open_store(str(tmp_path))
    write(tmp_path, "a", "b", "c")
    ingest(store, str(tmp_path), NOON)
    (tmp_path / "journal" / "2025-11-15.jsonl").unlink()
    write(tmp_path, "d")
    ingest(store, str(tmp_path), NOON)
    assert ids(store) == ["a", "b", "c", "d"]


def test_a_late_line_for_a_compressed_day_is_found(tmp_path):
    """A clock that was set back writes into a day that is closed already."""
    store = open_store(str(tmp_path))
    write(tmp_path, "a", now=NOON - 5 * DAY)
    ingest(store, str(tmp_path), NOON)
    write(tmp_path, "b", now=NOON - 5 * DAY)
    ingest(store, str(tmp_path), NOON)
    assert ids(store) == ["a", "b"]


def test_rows_past_their_time_go(tmp_path):
    store = open_store(str(tmp_path))
    old, new = journal.new_id(NOON - 100 * DAY), journal.new_id(NOON)
    write(tmp_path, old, now=NOON - 100 * DAY)
    ingest(store, str(tmp_path), NOON - 100 * DAY)
    write(tmp_path, new)
    ingest(store, str(tmp_path), NOON - DAY)
    ingest(store, str(tmp_path), NOON)
    assert ids(store) == [new]


@pytest.mark.parametrize("years", [1, 5, 50])
def test_a_jump_of_the_clock_deletes_no_row_on_its_first_day_and_little_later(tmp_path, years):
    store = open_store(str(tmp_path))
    kept = [journal.new_id(NOON - days * DAY) for days in range(80)]
    for days, record_id in enumerate(kept):
        write(tmp_path, record_id, now=NOON - days * DAY)
    ingest(store, str(tmp_path), NOON)
    ahead = NOON + years * 365 * DAY
    ingest(store, str(tmp_path), ahead)
    assert len(ids(store)) == 80
    ingest(store, str(tmp_path), ahead + DAY)
    assert len(ids(store)) >= 77
    ingest(store, str(tmp_path), NOON + DAY)  # the clock is set right
    ingest(store, str(tmp_path), NOON + 2 * DAY)
    assert len(ids(store)) >= 77


def test_a_clock_in_the_past_deletes_nothing(tmp_path):
    store = open_store(str(tmp_path))
    write(tmp_path, journal.new_id(NOON))
    for moment in (NOON, 0.0, NOON, 86400.0 * 400):
        ingest(store, str(tmp_path), moment)
    assert len(ids(store)) == 1


def test_a_day_that_is_written_again_after_a_jump_keeps_both_files(tmp_path):
    store = open_store(str(tmp_path))
    write(tmp_path, "a")
    ingest(store, str(tmp_path), NOON + 365 * DAY)  # closes and compresses the day
    write(tmp_path, "b")
    ingest(store, str(tmp_path), NOON + 3 * DAY)
    assert ids(store) == ["a", "b"]
    assert len(list((tmp_path / "journal").iterdir())) == 2


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink(path, path)])
def test_what_is_no_file_among_the_segments_is_left_out(tmp_path, make):
    store = open_store(str(tmp_path))
    write(tmp_path, "a")
    for name in ("2025-11-14.jsonl", "2025-11-13.jsonl.gz"):
        make(f"{tmp_path}/journal/{name}")
    ingest(store, str(tmp_path), NOON)
    assert ids(store) == ["a"]


HOLDER = """
from hookwright.store.lock import Lock
with Lock(sys.argv[1]) as held:
    print(bool(held), flush=True)
    sys.stdin.read()
"""


def test_marks_of_old_sessions_go_and_those_of_living_ones_stay(tmp_path):
    old, living = (limits.scope(str(tmp_path), name) for name in ("old", "living"))
    assert limits.once(old, "told")
    assert limits.once(living, "told")
    for path in [*(tmp_path / "sessions" / "old").rglob("*"), tmp_path / "sessions" / "old"]:
        os.utime(path, (NOON - 40 * DAY, NOON - 40 * DAY))
    for path in (tmp_path / "sessions" / "living").rglob("*"):
        os.utime(path, (NOON, NOON))
    ingest(open_store(str(tmp_path)), str(tmp_path), NOON)
    assert [path.name for path in (tmp_path / "sessions").iterdir()] == ["living"]


def test_only_one_ingests_and_the_other_says_so(tmp_path, crowd):
    holder = crowd.start(HOLDER, tmp_path / "ingest.lock")
    assert holder.stdout.readline() == "True\n"
    store = open_store(str(tmp_path))
    write(tmp_path, "a")
    assert ingest(store, str(tmp_path), NOON, wait_seconds=0.1).busy
    assert backlog_bytes(store, str(tmp_path)) > 0
    holder.kill()
    assert ingest(store, str(tmp_path), NOON, wait_seconds=60).lines == 1
    assert backlog_bytes(store, str(tmp_path)) == 0


def test_progress_is_told_and_ends_at_the_whole(tmp_path):
    write(tmp_path, *(f"id{n:05}" for n in range(20_000)))
    told = []
    ingest(open_store(str(tmp_path)), str(tmp_path), NOON, progress=lambda done, total: told.append((done, total)))
    assert len(told) > 1
    assert told[-1][0] == told[-1][1]


def test_an_empty_state_is_no_error(tmp_path):
    store = open_store(str(tmp_path))
    assert ingest(store, str(tmp_path), NOON).lines == 0
    assert backlog_bytes(store, str(tmp_path)) == 0


WRITER = """
import json, os, time
from hookwright.store import journal
state, name = sys.argv[1:]
encode = json.JSONEncoder().encode
acknowledged = os.open(f"{state}/{name}.ack", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for n in range(100_000):
    record = {"id": f"w{name}-{n}", "event": "PreToolUse", "tool": "Bash", "command": "y" * (n * 37 % 500)}
    if journal.append(state, time.time(), record, encode, (30, 1 << 30, 1 << 21)):
        os.write(acknowledged, b"%07d\\n" % n)
"""
INGESTER = """
from hookwright.store.ingest import ingest
from hookwright.store.database import open_store
import time
store = open_store(sys.argv[1])
while True:
    ingest(store, sys.argv[1])
    time.sleep(0.02)
"""


def test_nothing_acknowledged_is_lost_when_writers_and_the_ingester_are_killed(tmp_path, crowd):
    """16 writers, 100,000 records and more, kills at random; every acknowledged record is one row in the end."""
    chance = random.Random(7)
    writers, number, kills = [], 0, 0
    ingester = crowd.start(INGESTER, tmp_path)
    while (count := acknowledged_count(tmp_path)) < 100_000:
        while len(writers) < 16:
            writers.append(crowd.start(WRITER, tmp_path, number))
            number += 1
        more = count + chance.randrange(500, 8_000)  # by progress, not by time: on a slow machine they get as far
        assert wait_until(lambda more=more: acknowledged_count(tmp_path) >= more)
        for _ in range(3):
            writers.pop(chance.randrange(len(writers))).send_signal(signal.SIGKILL)
            kills += 1
        if chance.random() < 0.7:
            ingester.send_signal(signal.SIGKILL)
            ingester = crowd.start(INGESTER, tmp_path)
            kills += 1
    crowd.end()
    store = open_store(str(tmp_path))
    ingest(store, str(tmp_path))
    rows = [row["id"] for row in store.execute("SELECT id FROM events")]
    acknowledged = {
        f"w{path.stem}-{int(n)}" for path in tmp_path.glob("*.ack") for n in path.read_text().split("\n") if len(n) == 7
    }
    assert len(acknowledged) >= 100_000
    assert kills >= 10
    assert acknowledged <= set(rows)
    assert len(rows) == len(set(rows))
    assert store.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def acknowledged_count(folder):
    return sum(path.stat().st_size // 8 for path in folder.glob("*.ack"))
