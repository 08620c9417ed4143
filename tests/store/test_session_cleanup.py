"""Sessions that are long over leave nothing behind; the others are not touched."""

import os

from hookwright.protocol.json import dumps
from hookwright.store import limits, session_edits
from hookwright.store.journal import append
from hookwright.store.session_cleanup import sweep_sessions

NOW = 1_800_000_000.0
DAY = 86400


def make(state, name, age_days):
    session_edits.add_edit(state, name, NOW, "", "/a")
    limits.once(limits.scope(state, name, "agent"), "told")
    for folder, folders, files in os.walk(f"{state}/sessions/{name}", topdown=False):
        for entry in (*folders, *files, "."):
            os.utime(os.path.join(folder, entry), (NOW - age_days * DAY,) * 2)


def test_only_what_is_older_than_a_month_goes(tmp_path):
    state = str(tmp_path)
    make(state, "old", 31)
    make(state, "young", 29)
    make(state, "resumed", 60)
    os.utime(session_edits.changes_path(state, "resumed"), (NOW, NOW))
    assert sweep_sessions(state, NOW) == ["old"]
    assert sorted(os.listdir(f"{state}/sessions")) == ["resumed", "young"]


def test_a_link_is_removed_and_not_followed(tmp_path):
    state, outside = str(tmp_path / "state"), tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("x")
    make(state, "old", 31)
    os.symlink(outside, f"{state}/sessions/old/link")
    assert sweep_sessions(state, NOW + 100 * DAY * 365) == ["old"]
    assert (outside / "precious").exists()


def test_without_a_folder_nothing_happens(tmp_path):
    assert sweep_sessions(str(tmp_path), NOW) == []


def test_a_new_days_journal_sweeps(tmp_path):
    state = str(tmp_path)
    make(state, "old", 31)
    assert append(state, NOW - DAY, {"event": "Stop"}, dumps)  # the first sweep only remembers the time
    assert append(state, NOW, {"event": "Stop"}, dumps)
    assert os.listdir(f"{state}/sessions") == []
