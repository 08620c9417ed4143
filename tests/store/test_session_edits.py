"""The record of what a session touched: whole lines, bounded, without secrets."""

import multiprocessing
import os
import stat

from hookwright.store import session_edits


def test_what_is_added_is_read_in_order(tmp_path):
    state = str(tmp_path)
    strange = "/p/tab\tnew\nline %09 ü\udcff"
    assert not session_edits.has_changes(state, "s")
    session_edits.add_edit(state, "s", 10.5, "", strange)
    session_edits.add_command(state, "s", 11.0, 12.25, "a1", "/p", "sed -i 's/\t/\n/' x")
    assert session_edits.has_changes(state, "s")
    edit, command = session_edits.read_changes(state, "s")
    assert (edit.kind, edit.start, edit.agent, edit.path) == ("edit", 10.5, "", strange)
    assert (command.start, command.end, command.agent, command.cwd) == (11.0, 12.25, "a1", "/p")
    assert command.command == "sed -i 's/\t/\n/' x"


def test_sessions_are_apart_and_private(tmp_path):
    session_edits.add_edit(str(tmp_path), "one", 1, "", "/a")
    session_edits.add_edit(str(tmp_path), "two", 1, "", "/b")
    assert [change.path for change in session_edits.read_changes(str(tmp_path), "one")] == ["/a"]
    path = session_edits.changes_path(str(tmp_path), "one")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(path)).st_mode) == 0o700


def test_secrets_and_very_long_commands_are_not_kept(tmp_path):
    session_edits.add_command(
        str(tmp_path), "s", 1, 2, "", "/p", "curl -H 'Authorization: Bearer abcdefghijklmnop123' x > y"
    )
    session_edits.add_command(str(tmp_path), "s", 1, 2, "", "/p", "x" * 5000)
    first, second = session_edits.read_changes(str(tmp_path), "s")
    assert "abcdefghijklmnop123" not in first.command
    assert second.command == ""


def test_a_torn_line_costs_only_itself(tmp_path):
    session_edits.add_edit(str(tmp_path), "s", 1, "", "/a")
    with open(session_edits.changes_path(str(tmp_path), "s"), "ab") as file:
        file.write(b"\nedit\t12.")
    session_edits.add_edit(str(tmp_path), "s", 2, "", "/b")
    assert [change.path for change in session_edits.read_changes(str(tmp_path), "s")] == ["/a", "/b"]


def test_it_does_not_grow_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(session_edits, "MAX_BYTES", 1000)
    for number in range(100):
        session_edits.add_edit(str(tmp_path), "s", number, "", "/a")
    assert os.path.getsize(session_edits.changes_path(str(tmp_path), "s")) < 1100


def test_without_a_place_nothing_happens(tmp_path):
    assert session_edits.add_edit(None, "s", 1, "", "/a") is False
    assert session_edits.add_edit("/proc/nowhere", "s", 1, "", "/a") is False
    assert session_edits.add_edit(str(tmp_path), "", 1, "", "/a") is False
    assert session_edits.read_changes(None, "s") == []


def _add(state, number):
    for step in range(50):
        session_edits.add_edit(state, "s", step, "", f"/{number}/{step}")


def test_many_writers_at_once_lose_nothing(tmp_path):
    with multiprocessing.get_context("fork").Pool(4) as pool:
        pool.starmap(_add, [(str(tmp_path), number) for number in range(4)])
    assert len({change.path for change in session_edits.read_changes(str(tmp_path), "s")}) == 200
