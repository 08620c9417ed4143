"""Records of changes: saved, found again, skipped when damaged."""

import json
import os

import pytest

from hookwright.settings.backup import MAX_BACKUPS, Backups, Record, hash_bytes, new_id
from hookwright.settings.edit import Step

STEP = Step("add", "Stop", None, {"type": "command", "command": "x"})


@pytest.fixture
def backups(tmp_path):
    return Backups(str(tmp_path / "state"), "/home/u/.claude/settings.json")


def record(before, after, **more):
    return Record(new_id(), "/p", "install", hash_bytes(before), hash_bytes(after), (STEP,), {"hooks": "{}"}, **more)


def test_a_record_comes_back_whole(backups):
    kept = record(b"a", b"b", made_file=True)
    backups.save_backup(kept, b"a")
    assert backups.list_records() == [kept]
    assert backups.read_before(kept) == b"a"


def test_the_latest_is_the_last_change_that_happened(backups):
    happened, announced = record(b"a", b"b"), record(b"b", b"c")
    backups.save_backup(happened, b"a")
    backups.save_backup(announced, b"b")  # killed before it wrote
    assert backups.find_latest(b"b") == happened
    assert backups.find_latest(b"c") == announced


def test_only_the_newest_are_kept(backups):
    made = [record(b"a", str(number).encode()) for number in range(MAX_BACKUPS + 3)]
    for one in made:
        backups.save_backup(one, b"a")
    assert backups.list_records() == made[: -MAX_BACKUPS - 1 : -1]
    assert len(os.listdir(backups.folder)) == 2 * MAX_BACKUPS


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"id": "1"}', b'{"steps": 5}'])
def test_a_damaged_record_is_passed_over(backups, damage):
    kept = record(b"a", b"b")
    backups.save_backup(kept, b"a")
    with open(os.path.join(backups.folder, "99999999999999999999.json"), "wb") as handle:
        handle.write(damage)
    assert backups.list_records() == [kept]


def test_a_record_of_an_earlier_version_is_read(backups):
    saved = record(b"a", b"b")
    backups.save_backup(saved, b"a")
    path = os.path.join(backups.folder, saved.id + ".json")
    with open(path) as handle:
        text = handle.read()
    with open(path, "w") as handle:
        handle.write(text.replace('"action"', '"deed"'))
    assert "action" not in json.loads(text.replace('"action"', '"deed"'))
    assert backups.list_records() == [saved]


def test_files_do_not_share_backups(tmp_path):
    one, other = (Backups(str(tmp_path), path) for path in ("/a/settings.json", "/b/settings.json"))
    one.save_backup(record(b"a", b"b"), b"a")
    assert other.list_records() == []
