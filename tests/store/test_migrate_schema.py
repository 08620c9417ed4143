"""A ledger of version 1 is upgraded in place: nothing recorded or learned is lost, and a kill leaves the old one."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from hookwright.store import durations_read, durations_write, journal, queries, refresh
from hookwright.store.database import FILE, SCHEMA_VERSION, open_store
from hookwright.store.filter import Filter

NOW = 1_763_208_000.0
PROJECT = "/home/ann/shop"
DAY = 86400


def make_v1(state, calls=40):
    """A ledger as version 1 wrote it: `calls` runs of a slow script, one question, one denied command."""
    os.makedirs(state, mode=0o700)
    store = sqlite3.connect(f"{state}/{FILE}", isolation_level=None)
    store.execute("PRAGMA journal_mode = WAL")
    store.executescript(Path(__file__).with_name("schema_v1.sql").read_text())
    store.execute("PRAGMA user_version = 1")
    insert = (
        "INSERT INTO events (id, time, event, session_id, prompt_id, tool_use_id, project, tool, command, key, intent, "
        "answer, duration_ms, outcome, us, version, decisions, changed, extra) VALUES "
        "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    )
    silent = json.dumps([{"hook": "observer", "verdict": "none", "reason": "", "us": 9, "mode": "on"}])
    store.execute("BEGIN")
    for n in range(calls):
        moment = NOW - (calls - n) * 600
        common = ("s1", f"p{n // 5}", f"toolu_{n}", PROJECT, "Bash", "./slow.sh --n 5", "./slow.sh --n <n>", "other")
        pre = (None, None, None, 9, "0.1.0", silent, None, '{"policy": "rev1"}')
        post = (None, 200_000, "ok", 9, "0.1.0", silent, None, None)
        store.execute(insert, (journal.new_id(moment), moment, "PreToolUse", *common, *pre))
        store.execute(insert, (journal.new_id(moment + 200), moment + 200, "PostToolUse", *common, *post))
        sample = (f"s1/toolu_{n}", moment + 200, PROJECT, "./slow.sh --n 5", 200.0, "exact", 1.0, "ledger")
        store.execute("INSERT INTO samples VALUES (?, ?, ?, ?, ?, ?, ?, ?)", sample)
    question = ("s1/toolu_q/1", NOW, "s1", PROJECT, "AskUserQuestion", "H", "Which?", "[]", "Red", 3.0)
    store.execute("INSERT INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", question)
    store.execute("INSERT INTO meta VALUES ('keyed', '5'), ('sampled', '5'), ('retired', '2025-11-15')")
    store.execute("COMMIT")
    store.close()


def test_every_record_question_and_duration_survives(tmp_path):
    state = str(tmp_path / "state")
    make_v1(state)
    store, _ = refresh.open_ledger(state, NOW)
    assert store.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
    records = list(queries.read_events(store, Filter()))
    assert len(records) == 80
    assert {(r["command"], r["key"], r["project"], r["session_id"]) for r in records} == {
        ("./slow.sh --n 5", "./slow.sh --n <n>", PROJECT, "s1")
    }
    assert records[0]["decisions"][0]["hook"] == "observer"
    assert (records[0]["policy"], records[0]["agent"]) == ("rev1", "claude")
    assert store.execute("SELECT question FROM questions").fetchone()[0] == "Which?"
    assert store.execute("SELECT count(*) FROM samples").fetchone()[0] == 40
    assert store.execute("SELECT sum(n) FROM daily WHERE kind = 'event'").fetchone()[0] == 80
    refresh.refresh(store, state, NOW)
    rows = durations_write.read_durations(state, PROJECT)
    assert rows["./slow.sh --n <n>"][0] == 40
    assert rows["./slow.sh --n <n>"][4 + durations_read.THRESHOLDS.index(60)] > 0.6
    assert store.execute("PRAGMA auto_vacuum").fetchone()[0] == 2
    assert store.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_an_upgraded_ledger_goes_on_where_it_was(tmp_path):
    state = str(tmp_path / "state")
    make_v1(state)
    refresh.open_ledger(state, NOW)[0].close()
    record = {"event": "PreToolUse", "session_id": "s1", "project": PROJECT, "tool": "Bash", "command": "ls"}
    assert journal.append(state, NOW, record, json.dumps)
    store, done = refresh.open_ledger(state, NOW)
    assert done.lines == 1
    assert [r["command"] for r in queries.read_events(store, Filter(), limit=1)] == ["ls"]


UPGRADE = """
import sys
sys.path[:0] = sys.argv[2].split(":")
from hookwright.store.database import open_store
print("begin", flush=True)
open_store(sys.argv[1]).close()
"""


@pytest.mark.slow
def test_a_kill_during_the_upgrade_leaves_the_old_ledger_or_the_new_one(tmp_path):
    state = str(tmp_path / "state")
    make_v1(state, calls=6000)
    seen = set()
    for turn in range(12):
        process = subprocess.Popen(
            [sys.executable, "-I", "-c", UPGRADE, state, ":".join(p for p in sys.path if p)],
            stdout=subprocess.PIPE,
        )
        process.stdout.readline()
        try:
            process.wait(timeout=0.01 * 1.6**turn)  # a longer life each time, until one is long enough
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        process.stdout.close()
        store = sqlite3.connect(f"{state}/{FILE}")
        version = store.execute("PRAGMA user_version").fetchone()[0]
        assert store.execute("SELECT count(*) FROM events").fetchone()[0] == 12_000
        assert store.execute("SELECT count(*) FROM samples").fetchone()[0] == 6000
        store.close()
        seen.add(version)
    store = open_store(state)
    assert store.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    assert store.execute("SELECT count(*) FROM event_rows").fetchone()[0] == 12_000
    assert 1 in seen


def test_a_newer_ledger_is_untouched(hookwright, past):
    store = open_store(past.state)
    store.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    store.close()
    path = Path(past.state, FILE)
    before = path.read_bytes()
    with pytest.raises(Exception, match="newer hookwright"):
        hookwright("log")
    assert path.read_bytes() == before
