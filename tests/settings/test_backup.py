"""Records of changes: kept, found again, passed over when damaged."""

import os

import pytest

from hookwright.settings.backup import KEPT, Backups, Record, digest, new_id
from hookwright.settings.edit import Step

STEP = Step("add", "Stop", None, {"type": "command", "command": "x"})


@pytest.fixture
def backups(tmp_path):
    return Backups(str(tmp_path / "state"), "/home/u/.claude/settings.json")


def record(before, after, **more):
    return Record(new_id(), "/p", "install", digest(before), digest(after), (STEP,), {"hooks": "{}"}, **more)


def test_a_record_comes_back_whole(backups):
    kept = record(b"a", b"b", made_file=True)
    backups.save(kept, b"a")
    assert backups.records() == [kept]
    assert backups.before(kept) == b"a"


def test_the_latest_is_the_last_change_that_happened(backups):
    happened, announced = record(b"a", b"b"), record(b"b", b"c")
    backups.save(happened, b"a")
    backups.save(announced, b"b")  # killed before it wrote
    assert backups.latest(b"b") == happened
    assert backups.latest(b"c") == announced


def test_only_the_newest_are_kept(backups):
    made = [record(b"a", str(number).encode()) for number in range(KEPT + 3)]
    for one in made:
        backups.save(one, b"a")
    assert backups.records() == made[: -KEPT - 1 : -1]
    assert len(os.listdir(backups.folder)) == 2 * KEPT


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"id": "1"}', b'{"steps": 5}'])
def test_a_damaged_record_is_passed_over(backups, damage):
    kept = record(b"a", b"b")
    backups.save(kept, b"a")
    with open(os.path.join(backups.folder, "99999999999999999999.json"), "wb") as handle:
        handle.write(damage)
    assert backups.records() == [kept]


def test_files_do_not_share_backups(tmp_path):
    one, other = (Backups(str(tmp_path), path) for path in ("/a/settings.json", "/b/settings.json"))
    one.save(record(b"a", b"b"), b"a")
    assert other.records() == []
