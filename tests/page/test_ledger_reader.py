"""A ledger that cannot be read is named in one sentence and stays as it is, byte for byte."""

import sqlite3
from pathlib import Path

import pytest

from hookwright.errors import UserError
from hookwright.page.ledger_reader import open_read_only, prepare_ledger
from hookwright.page.server import PageServer
from hookwright.store import database


@pytest.fixture
def ledger(past):
    past.ran("ls", 1.0)
    past.store().close()
    return Path(past.state, "ledger.db")


def refused(state):
    with pytest.raises(UserError) as caught:
        PageServer(str(state), 0)
    return str(caught.value)


def snapshot(path):
    """The ledger's files; SQLite makes an empty -wal and a -shm for every reader."""
    found = {each.name: each.read_bytes() for each in path.parent.glob("ledger.db*")}
    return {name: data for name, data in found.items() if data and not name.endswith("-shm")}


def test_a_missing_ledger_is_created_as_by_every_reader(past):
    prepare_ledger(past.state)
    assert open_read_only(past.state).execute("SELECT count(*) FROM events").fetchone()[0] == 0


def test_the_connection_cannot_write(past, ledger):
    store = open_read_only(past.state)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        store.execute("DELETE FROM event_rows")


@pytest.mark.parametrize(
    ("version", "sentence", "fix"),
    [
        (database.SCHEMA_VERSION + 1, "from a newer hookwright", "update hookwright"),
        (1, "from an older hookwright", "hookwright log"),
    ],
)
def test_a_ledger_of_another_version_is_named_and_left_alone(past, ledger, version, sentence, fix):
    store = sqlite3.connect(ledger)
    store.execute(f"PRAGMA user_version = {version}")
    store.commit()
    store.close()
    before = snapshot(ledger)
    told = refused(past.state)
    assert sentence in told
    assert fix in told
    assert snapshot(ledger) == before


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"this is not a database, but a text that somebody put here\n" * 100),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: path.write_bytes(path.read_bytes()[:100] + b"\xff" * (path.stat().st_size - 100)),
    ],
    ids=["a text", "cut", "overwritten"],
)
def test_a_damaged_ledger_is_named_and_left_alone(past, ledger, damage):
    damage(ledger)
    before = snapshot(ledger)
    told = refused(past.state)
    assert "the ledger is damaged" in told
    assert "hookwright log" in told
    assert snapshot(ledger) == before
    assert not list(ledger.parent.glob("*.damaged-*"))


def test_a_locked_ledger_is_named_and_left_alone(past, ledger, monkeypatch):
    monkeypatch.setattr("hookwright.page.ledger_reader.BUSY_S", 0.1)
    holder = sqlite3.connect(ledger, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    before = snapshot(ledger)
    assert "the ledger is locked by another process" in refused(past.state)
    assert snapshot(ledger) == before
    holder.execute("COMMIT")
    holder.close()
    open_read_only(past.state).close()


def test_a_directory_in_its_place_is_named(past, tmp_path):
    Path(past.state).mkdir(mode=0o700)
    Path(past.state, "ledger.db").mkdir()
    assert "the ledger cannot be opened" in refused(past.state)


def test_a_ledger_that_is_damaged_meanwhile_is_told_and_left_alone(past, ledger, serve):
    client = serve(past.state)
    ledger.write_bytes(b"gone" * 2000)
    for end in ("-wal", "-shm"):
        Path(f"{ledger}{end}").unlink(missing_ok=True)
    past.ran("ls", 1.0)  # the updater meets it too
    status, found = client("api/events")
    assert status in (400, 503)
    assert "damaged" in found["error"]
    client.server.updater.update()
    assert "damaged" in client.server.updater.problem
    assert ledger.read_bytes() == b"gone" * 2000


def test_a_large_backlog_is_read_by_a_process_of_its_own(past, serve, monkeypatch, tmp_path, wait_for):
    monkeypatch.setenv("HOOKWRIGHT_STATE_HOME", past.state)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("hookwright.page.ledger_reader.LARGE_BYTES", 10)
    past.ran("ls", 1.0)
    client = serve(past.state)
    wait_for(lambda: client.ask("api/summary")["ledger"]["events"] == 2)
