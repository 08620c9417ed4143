"""What grows with time is swept once a day, within limits; what the user made or decided is never touched."""

import json
import os
from pathlib import Path

import pytest

from hookwright.proc import scratch_dir, sweep
from hookwright.store import file_cleanup, journal
from hookwright.store.file_cleanup import DAY, KEPT, sweep_files

NOW = 1_800_000_000.0


def put(path, age_days, now=NOW):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("x")
    moment = now - age_days * DAY
    os.utime(path, (moment, moment))
    os.utime(path.parent, (moment, moment))
    return path


@pytest.fixture
def folders(tmp_path):
    """State and cache, swept yesterday."""
    state, cache = tmp_path / "state", tmp_path / "cache"
    cache.mkdir()
    state.mkdir()
    (state / file_cleanup.MARK).write_text(str(NOW - DAY))
    return state, cache


def swept(folders, now=NOW):
    return sweep_files(str(folders[0]), str(folders[1]), now)


OLD = [
    *(("state", f"{name}/old", days + 1) for name, days, _ in KEPT),
    ("state", "sessions/s1/main/state/context", 31),
    ("state", "projects/shop-1/durations", 121),
    ("state", "ledger.db.damaged-20260101-000000-1", 31),
    ("state", "looks/a.json.0a1b2c3d.tmp", 1),
    ("state", "x.draft", 2),
    ("cache", "plan-shop-1", 31),
    ("cache", "projects/shop-1/context/seen", 31),
    ("cache", "plan-shop-1.0a1b2c3d.tmp", 1),
    ("cache", "y.draft", 2),
]
YOUNG = [
    *(("state", f"{name}/young", days - 1) for name, days, _ in KEPT),
    ("state", "sessions/s2/changes", 29),
    ("cache", "plan-web-2", 29),
    ("cache", "projects/web-2/context/seen", 29),
]
KEPT_FOR_EVER = [
    *(("state", name, 4000) for name in ("journal/2016-01-01.jsonl", "ledger.db", "backups/a/1.json", "trust/p.json")),
    *(("state", name, 4000) for name in ("questions/uses/p-1", "locks/a.lock")),
    ("cache", "bundle-src-1.cpython-311/core", 4000),  # its builder removes old ones
]


def test_old_files_go_and_the_others_stay(folders):
    roots = {"state": folders[0], "cache": folders[1]}
    old, young, always = (
        [put(roots[root] / name, age) for root, name, age in some] for some in (OLD, YOUNG, KEPT_FOR_EVER)
    )
    assert swept(folders)
    assert [path for path in old if path.exists()] == []
    assert [path for path in (*young, *always) if not path.exists()] == []


def test_the_oldest_go_when_there_are_too_many(folders):
    state, cache = folders
    for number in range(60):
        put(state / "reports" / f"{number:03}", 60 - number)
    for number in range(file_cleanup.MOST_CACHED + 7):
        put(cache / f"plan-{number:04}", 20 - number / 100)
    swept(folders)
    assert sorted(os.listdir(state / "reports")) == [f"{number:03}" for number in range(10, 60)]
    assert len(list(cache.glob("plan-*"))) == file_cleanup.MOST_CACHED
    assert not (cache / "plan-0006").exists()


@pytest.mark.parametrize("jump", [5 * 365, 31, -1, -5 * 365], ids=["five years on", "a month on", "back", "far back"])
def test_a_clock_that_jumps_removes_nothing(folders, jump):
    state, cache = folders
    paths = [put(state / "told" / "a", 0), put(cache / "plan-a", 0), put(state / "sessions/s/changes", 0)]
    assert swept(folders, NOW + (jump - 1) * DAY if jump < 0 else NOW + jump * DAY) == []
    assert all(path.exists() for path in paths)


def test_the_first_day_and_a_day_without_a_state_directory_remove_nothing(tmp_path):
    old = put(tmp_path / "state" / "told" / "a", 999)
    assert sweep_files(str(tmp_path / "state"), None, NOW) == []
    assert old.exists()
    assert sweep_files(str(tmp_path / "state"), None, NOW + DAY) == ["a"]
    assert sweep_files("/proc/nowhere/state", None, NOW) == []


def test_one_sweep_removes_at_most_so_many(folders, monkeypatch):
    monkeypatch.setattr(sweep, "MOST_REMOVED", 5)
    for number in range(9):
        put(folders[0] / "told" / str(number), 999)
    assert len(swept(folders)) == 5


def test_what_cannot_be_removed_does_not_keep_the_others(folders):
    deep = put(folders[0] / "sessions/a/b/c/d/e/f/g", 99)  # deeper than anything of ours
    for folder in deep.parents:
        if folder == folders[0]:
            break
        os.utime(folder, (NOW - 99 * DAY,) * 2)
    other = put(folders[0] / "sessions/z/changes", 99)
    swept(folders)
    assert deep.exists()
    assert not other.parent.exists()


def test_the_first_record_of_a_day_sweeps(folders):
    state, cache = folders
    notice, plan = put(state / "told" / "a", 999), put(cache / "plan-a", 999)
    assert journal.append(str(state), NOW, {"event": "Stop"}, json.dumps, cache=str(cache))
    assert not notice.exists()
    assert not plan.exists()


def test_a_scratch_directory_that_was_left_behind_goes_and_a_new_one_is_private(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    left = put(tmp_path / "hookwright-engine-abc" / "f", 3, now=__import__("time").time())
    running = put(tmp_path / "hookwright-verify-def" / "f", 0, now=__import__("time").time())
    other = put(tmp_path / "others-engine" / "f", 99)
    with scratch_dir.ScratchDir("run") as path:
        assert Path(path).stat().st_mode & 0o777 == 0o700
    assert not left.parent.exists()
    assert running.exists()
    assert other.exists()
