"""The store opens whatever it finds, and is plain enough for anybody's tools."""

import os
import sqlite3
import stat

import pytest

from hookwright.errors import UserError
from hookwright.store.database import FILE, SCHEMA_VERSION, open_store
from hookwright.store.event_rows import COLUMNS, JSON_COLUMNS, decision_rows, event_row, insert_events, plain_row


def test_a_new_store_has_its_tables_and_belongs_to_the_user_alone(tmp_path):
    store = open_store(str(tmp_path / "state"))
    tables = {row["name"] for row in store.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
    assert {"events", "decisions", "samples", "segments", "transcripts", "meta", "calls", "questions"} <= tables
    assert stat.S_IMODE(os.stat(tmp_path / "state" / FILE).st_mode) == 0o600
    assert store.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION


def test_opening_again_changes_nothing(tmp_path):
    open_store(str(tmp_path)).execute("INSERT INTO meta VALUES ('a', 'b')")
    assert open_store(str(tmp_path)).execute("SELECT value FROM meta").fetchone()["value"] == "b"


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_moved_aside_and_rebuilt(tmp_path, content):
    (tmp_path / FILE).write_bytes(content)
    store = open_store(str(tmp_path))
    assert store.execute("SELECT count(*) FROM events").fetchone()[0] == 0
    assert [p.read_bytes() for p in tmp_path.glob(FILE + ".damaged-*")] == [content]


def test_a_store_of_a_newer_version_is_left_alone_and_named(tmp_path):
    store = open_store(str(tmp_path))
    store.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    store.close()
    with pytest.raises(UserError, match="newer"):
        open_store(str(tmp_path))
    assert not list(tmp_path.glob("*.damaged-*"))


@pytest.mark.parametrize("state", [None, "/proc/nowhere"])
def test_without_a_place_the_user_is_told_what_to_do(state):
    with pytest.raises(UserError) as error:
        open_store(state)
    assert error.value.fix


def test_every_column_has_its_place_in_a_row():
    record = {name: f"<{name}>" for name in COLUMNS} | {name: [name] for name in JSON_COLUMNS} | {"odd": 1, "v": 1}
    row = event_row(record)
    assert row[: len(COLUMNS)] == [f"<{name}>" for name in COLUMNS]
    assert row[len(COLUMNS) :] == [*(f'["{name}"]' for name in JSON_COLUMNS), '{"odd": 1}']


def test_values_that_sqlite_cannot_hold_become_text():
    assert plain_row((1, None, "x", 2.5, True, 1 << 70, [1], {"a": 1})) == (
        *(1, None, "x", 2.5, True, str(1 << 70), "[1]", '{"a": 1}'),
    )


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ({"hook": "guard", "verdict": "deny", "reason": "no", "us": 5, "mode": "on"}, True),
        ({"hook": "guard", "verdict": "none"}, False),
        ({"hook": "guard", "verdict": "none", "failure": "KeyError"}, True),
        ("not a decision", False),
    ],
)
def test_only_hooks_that_spoke_or_failed_get_a_row(said, kept):
    assert bool(decision_rows({"id": "1", "time": 1.0, "decisions": [said]})[1]) is kept


@pytest.mark.parametrize(
    ("decisions", "us"),
    [([{"us": 5}, {"us": 7}], 12), ([], None), (None, None), ([{"us": "x"}, "odd"], None), ([{"us": 5}, {}], 5)],
)
def test_what_the_hooks_took_is_summed_up(decisions, us):
    assert decision_rows({"id": "1", "time": 1.0, "decisions": decisions})[0] == us


def test_the_calls_view_pairs_before_and_after(tmp_path):
    store = open_store(str(tmp_path))
    for row in (
        ("1", 1.0, "PreToolUse", "s", "t1", "rewrite", None),
        ("2", 2.0, "PostToolUse", "s", "t1", None, "background"),
        ("3", 3.0, "PreToolUse", "s", "t2", None, None),
        ("4", 4.0, "PostToolUse", "other", "t2", None, "ok"),
    ):
        names = ("id", "time", "event", "session_id", "tool_use_id", "answer", "outcome")
        insert_events(store, [event_row(dict(zip(names, row, strict=True)))])
    rows = store.execute("SELECT tool_use_id, answer, outcome FROM calls ORDER BY time").fetchall()
    assert [tuple(row) for row in rows] == [("t1", "rewrite", "background"), ("t2", None, None)]


def test_a_reader_needs_nothing_of_ours(tmp_path):
    open_store(str(tmp_path)).close()
    plain = sqlite3.connect(tmp_path / FILE)
    assert plain.execute("SELECT count(*) FROM events").fetchone() == (0,)
