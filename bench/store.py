"""How fast is ingest, and how fast are questions? Ratios in one run.

    python bench/store.py [lines]

Ingest of journal lines against a bare loop over the same lines: json.loads and one executemany per 1,000 into one
table without indexes; processor time, so that a busy machine does not blur it.
"""

import json
import os
import random
import sqlite3
import statistics
import sys
import tempfile
import time

from hookwright.store import journal
from hookwright.store.database import open_store
from hookwright.store.event_rows import COLUMNS
from hookwright.store.ingest import ingest

COMMANDS = ("npm run build", "git status --short", "pytest tests/test_api.py -x", "ls -la src", "python train.py --n 5")


def records(count, chance, begin=1_763_200_000.0):
    for number in range(count):
        now = begin + number * 0.5
        call, post = divmod(number, 2)
        record = {
            "event": "PostToolUse" if post else "PreToolUse",
            "session_id": f"{call // 200:08x}-1111-2222-3333-444444444444",
            "prompt_id": f"{call // 10:08x}-1111-2222-3333-444444444444",
            "tool_use_id": f"toolu_{call:020}",
            "agent_id": None,
            "project": f"/home/ada/project{call % 7}",
            "tool": "Bash",
            "decisions": [
                {"hook": "auto_background", "verdict": "none", "reason": "", "us": 40, "mode": "on"},
                {"hook": "observer", "verdict": "none", "reason": "", "us": 9, "mode": "on"},
            ],
            "answer": None,
            "changed": None,
            "version": "0.1.0",
            "command": f"{chance.choice(COMMANDS)} # {call % 997}",
        }
        if call % 20 == 0 and not post:
            record["decisions"][0].update(verdict="rewrite", reason="`npm run build` builds")
            record["answer"], record["changed"] = "rewrite", ["run_in_background"]
        if post:
            record |= {"duration_ms": chance.randrange(5, 90_000), "outcome": "ok", "exit_code": 0}
        yield now, record


def write(state, count, chance):
    """A journal as the hook process writes it, made quickly."""
    os.makedirs(f"{state}/journal", mode=0o700)
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    with open(f"{state}/journal/2025-11-15.jsonl", "wb") as file:
        file.writelines(journal.encode_record(record, now, encode) for now, record in records(count, chance))
    return f"{state}/journal/2025-11-15.jsonl"


def bare(path, target):
    """What the machine can do at most: parse and insert, nothing else."""
    store = sqlite3.connect(target, isolation_level=None)
    store.execute("PRAGMA journal_mode = WAL")
    store.execute("PRAGMA synchronous = NORMAL")
    store.execute(f"CREATE TABLE events ({', '.join(COLUMNS)}, decisions)")
    insert = f"INSERT INTO events VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"
    began = time.process_time()
    rows = []
    with open(path, "rb") as file:
        for line in file:
            if line == b"\n":
                continue
            record = json.loads(line)
            rows.append((*map(record.get, COLUMNS), str(record["decisions"])))
            if len(rows) == 1000:
                store.execute("BEGIN")
                store.executemany(insert, rows)
                store.execute("COMMIT")
                rows.clear()
    store.execute("BEGIN")
    store.executemany(insert, rows)
    store.execute("COMMIT")
    spent = time.process_time() - began
    store.close()
    return spent


def ours(state):
    for name in ("ledger.db", "ledger.db-wal", "ledger.db-shm"):
        if os.path.exists(f"{state}/{name}"):
            os.unlink(f"{state}/{name}")
    store = open_store(state)
    began = time.process_time()
    done = ingest(store, state, now=1_763_208_000.0)
    spent = time.process_time() - began
    store.close()
    return spent, done


def rates(lines, rounds=5):
    with tempfile.TemporaryDirectory() as folder:
        state = f"{folder}/state"
        path = write(state, lines, random.Random(1))
        ratios = []
        for turn in range(rounds):
            base = bare(path, f"{folder}/bare{turn}.db")
            spent, done = ours(state)
            assert done.lines == lines
            assert not done.bad
            ratios.append(base / spent)
            print(
                f"  bare loop {lines / base:9,.0f} lines/s   ingest {lines / spent:9,.0f} lines/s   {base / spent:.2f}"
            )
        print(f"ingest runs at {statistics.median(ratios):.2f} of a bare loop (the aim is 0.60)")


if __name__ == "__main__":
    rates(int(sys.argv[1]) if len(sys.argv) > 1 else 50_000)
