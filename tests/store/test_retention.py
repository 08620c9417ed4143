"""What is too old goes, the file shrinks, and counts per day stay."""

import json
import os

import pytest

from hookwright.store import daily, journal, refresh, retention
from hookwright.store.database import FILE, KEEP_DAYS, open_store
from hookwright.store.filter import Filter
from hookwright.store.stats import compute_stats, read_counts, read_weeks

NOON = 1_763_208_000.0
DAY = 86400
DENY = {"hook": "command_guard", "verdict": "deny", "reason": "no", "us": 5, "mode": "on"}


def write(state, count, now, **fields):
    for number in range(count):
        record = {"event": "PostToolUse", "session_id": f"s{int(now // DAY)}", "project": "/p", "tool": "Bash"}
        record |= {"tool_use_id": f"t{int(now)}{number}", "command": f"make {'x' * 400} {now} {number}", "us": 9}
        record |= {"outcome": "ok", "duration_ms": 2000, "decisions": [DENY], "answer": None, **fields}
        assert journal.append(state, now + number, record, json.dumps)


def pass_days(store, state, first, last):
    for moment in range(int(first), int(last) + 1, DAY):
        refresh.refresh(store, state, float(moment))


@pytest.mark.slow
def test_old_rows_go_the_file_shrinks_and_the_counts_stay(tmp_path):
    state = str(tmp_path / "state")
    store = open_store(state)
    write(state, 3000, NOON)
    refresh.refresh(store, state, NOON)
    before = os.path.getsize(f"{state}/{FILE}")
    assert before > 2_000_000
    pass_days(store, state, NOON + DAY, NOON + 125 * DAY)
    assert store.execute("SELECT count(*) FROM events").fetchone()[0] == 0
    for table in ("samples", "sums", "decisions", "commands", "sessions", "projects", "prompts"):
        assert store.execute(f"SELECT count(*) FROM {table}").fetchone()[0] == 0, table
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert os.path.getsize(f"{state}/{FILE}") < before / 4
    found = compute_stats(store, state, Filter())
    assert found["events"] == 3000
    assert found["decisions"] == {"command_guard": {"deny": 3000}}
    pass_days(store, state, NOON + 700 * DAY, NOON + 735 * DAY)
    assert compute_stats(store, state, Filter())["events"] == 0


def test_questions_hook_runs_and_transcripts_are_pruned(tmp_path):
    state = str(tmp_path / "state")
    store = open_store(state)
    for name, age in (("old", 400), ("new", 10)):
        moment = NOON - age * DAY
        values = (name, moment, "s", "/p", "AskUserQuestion", "H", "Q?", "[]", "A", 1.0)
        store.execute("INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        store.execute("INSERT INTO hook_runs VALUES (?, ?, 's', 'Stop', 'Stop', 'x', 1.0, 0)", (name, moment))
    here = tmp_path / "here.jsonl"
    here.write_text("")
    for path in (str(here), str(tmp_path / "gone.jsonl")):
        store.execute("INSERT INTO transcripts VALUES (?, x'00', 0, '{}')", (path,))
    retention.retire(store, state, NOON - DAY)
    retention.retire(store, state, NOON)
    assert [row["id"] for row in store.execute("SELECT id FROM questions")] == ["new"]
    assert [row["id"] for row in store.execute("SELECT id FROM hook_runs")] == ["new"]
    assert [row["path"] for row in store.execute("SELECT path FROM transcripts")] == [str(here)]


def test_commands_of_long_ago_are_kept_only_where_they_took_long(tmp_path):
    state = str(tmp_path / "state")
    store = open_store(state)
    write(state, 2, NOON)
    write(state, 1, NOON, command="make all", duration_ms=90_000)
    refresh.refresh(store, state, NOON)
    daily.delete_old_days(store, NOON + 100 * DAY)
    kept = {row["name"] for row in store.execute("SELECT name FROM daily WHERE kind = 'command'")}
    assert kept == {"make all"}


@pytest.mark.parametrize("hours", [0, 1, 30, 53.5])
def test_counts_by_day_and_by_event_are_the_same(tmp_path, hours):
    """Whole days come from the table of days, the part of the first day from its events."""
    state = str(tmp_path / "state")
    store = open_store(state)
    for hour in range(0, 60, 5):
        write(state, 3, NOON - hour * 3600, project=f"/p{hour % 2}")
    refresh.refresh(store, state, NOON)
    since = NOON - hours * 3600 if hours else 0.0
    for project in ("", "/p0"):
        counts = read_counts(store, Filter(since=since, project=project))
        where, values = Filter(since=since, project=project).where_clause()
        rows = store.execute(f"SELECT count(*) FROM event_rows WHERE {where}", values).fetchone()[0]
        assert sum(n for (kind, _), (n, _) in counts.items() if kind == daily.EVENT) == rows > 0
        assert counts[daily.VERDICT, "command_guard\tdeny\ton"][0] == rows


def test_weeks_end_today_and_hold_what_happened(tmp_path):
    state = str(tmp_path / "state")
    store = open_store(state)
    write(state, 2, NOON)
    write(state, 5, NOON - 8 * DAY)
    refresh.refresh(store, state, NOON)
    weeks = read_weeks(store, Filter(), NOON)
    assert [(week["events"], week["stopped"]) for week in weeks[-3:]] == [(0, 0), (5, 5), (2, 2)]
    assert weeks[-1]["from"] == "2025-11-09"


def test_learning_with_nothing_new_writes_nothing(tmp_path):
    state = str(tmp_path / "state")
    store = open_store(state)
    for number in range(3):
        write(state, 1, NOON + number, command="./slow.sh", duration_ms=200_000)
    assert refresh.refresh(store, state, NOON + 10) == 1
    before = store.total_changes
    assert refresh.refresh(store, state, NOON + 20) == 0
    assert store.total_changes == before


def test_a_reader_publishes_nothing_and_only_the_changed_project_is_published(tmp_path):
    state = str(tmp_path / "state")
    for name in ("/a", "/b"):
        write(state, 1, NOON, project=name, command="./slow.sh", duration_ms=200_000, tool_use_id=f"t{name}")
    store, _ = refresh.open_ledger(state, NOON + 1)
    assert not os.path.exists(f"{state}/projects")
    assert refresh.refresh(store, state, NOON + 2) == 2
    write(state, 1, NOON + 3, project="/a", command="./slow.sh", duration_ms=200_000)
    refresh.open_ledger(state, NOON + 5)[0].close()
    assert refresh.refresh(store, state, NOON + 6) == 1


def test_a_record_is_at_most_600_bytes_in_the_ledger(tmp_path):
    """Of a life such as sessions leave; bench/scale.py measures it with up to a million."""
    state = str(tmp_path / "state")
    store = open_store(state)
    for call in range(1500):
        common = {"session_id": f"0a1b2c3d-0000-4000-8000-{call // 100:012}", "prompt_id": f"{call // 10:036}"}
        common |= {"tool_use_id": f"toolu_01{call:022}", "project": "/home/ann/work/shop", "tool": "Bash"}
        common |= {"command": f"pytest tests/test_{call % 300}.py -x --maxfail=3", "answer": None, "version": "0.1.0"}
        hooks = ("command_guard", "auto_background", "observer")
        said = [{"hook": hook, "verdict": "none", "reason": "", "us": 120, "mode": "on"} for hook in hooks]
        journal.append(state, NOON + call, {"event": "PreToolUse", **common, "decisions": said}, json.dumps)
        done = {"event": "PostToolUse", **common, "decisions": said[2:], "duration_ms": 2100, "outcome": "ok"}
        journal.append(state, NOON + call + 0.5, done, json.dumps)
    refresh.refresh(store, state, NOON + 2000)
    store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert os.path.getsize(f"{state}/{FILE}") / 3000 <= 600
    assert KEEP_DAYS == 90
