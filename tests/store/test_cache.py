"""The TTL cache: fresh or nothing, whole or nothing."""

import os
import stat

import pytest

from hookwright.store import cache

NOW = 1_763_208_000.0


@pytest.mark.parametrize(
    ("later", "found"),
    [(0, True), (29.9, True), (30, False), (1e9, False), (-0.1, False), (-1e9, False)],
)
def test_an_entry_is_good_from_its_writing_until_it_expires(tmp_path, later, found):
    assert cache.write(str(tmp_path), "branch", "main", NOW, ttl_seconds=30)
    assert cache.read(str(tmp_path), "branch", NOW + later) == ("main" if found else None)


@pytest.mark.parametrize("text", ["", "one\ntwo\n", "ünï\u2028", "x" * 100_000])
def test_any_text_comes_back_as_it_was(tmp_path, text):
    cache.write(str(tmp_path), "k", text, NOW)
    assert cache.read(str(tmp_path), "k", NOW + 1e9) == text


@pytest.mark.parametrize("key", ["a b", "../up", "", "x" * 1000, "ü", "a\nb"])
def test_any_key_is_a_file_in_the_folder_and_nowhere_else(tmp_path, key):
    folder = tmp_path / "cache"
    assert cache.write(str(folder), key, "v", NOW)
    assert cache.read(str(folder), key, NOW) == "v"
    assert [p.name for p in tmp_path.iterdir()] == ["cache"]


def test_the_files_are_for_the_user_alone(tmp_path):
    cache.write(str(tmp_path / "c"), "k", "v", NOW)
    (entry,) = (tmp_path / "c").iterdir()
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600


@pytest.mark.parametrize("content", ["", "garbage", "1 2", "x y 'k'\nv", "0 inf 'other'\nv", "\xff"])
def test_a_damaged_entry_is_no_entry(tmp_path, content):
    cache.write(str(tmp_path), "k", "v", NOW)
    (tmp_path / "k").write_bytes(content.encode("latin-1"))
    assert cache.read(str(tmp_path), "k", NOW) is None
    assert cache.write(str(tmp_path), "k", "v", NOW)
    assert cache.read(str(tmp_path), "k", NOW) == "v"


def test_what_is_too_large_is_not_kept(tmp_path):
    assert not cache.write(str(tmp_path), "k", "x" * cache.MOST_BYTES, NOW)
    assert cache.read(str(tmp_path), "k", NOW) is None


def test_a_folder_that_cannot_be_written_is_no_exception():
    assert not cache.write("/proc/nowhere", "k", "v", NOW)
    assert cache.read("/proc/nowhere", "k", NOW) is None
    cache.forget("/proc/nowhere", "k")


def test_a_forgotten_entry_is_gone(tmp_path):
    cache.write(str(tmp_path), "k", "v", NOW)
    cache.forget(str(tmp_path), "k")
    assert cache.read(str(tmp_path), "k", NOW) is None


def test_sweeping_removes_the_expired_and_old_temporary_files_only(tmp_path):
    cache.write(str(tmp_path), "old", "v", NOW - 100, ttl_seconds=10, sweep=False)
    cache.write(str(tmp_path), "good", "v", NOW, ttl_seconds=10, sweep=False)
    for name, age in (("a.00c0ffee.tmp", 7200), ("b.00c0ffee.tmp", 5)):
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (NOW - age, NOW - age))
    assert cache.sweep_expired(str(tmp_path), NOW) == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["b.00c0ffee.tmp", "good"]


def test_a_write_sweeps_now_and_then(tmp_path):
    cache.write(str(tmp_path), "old", "v", NOW - 100, ttl_seconds=10)
    cache.write(str(tmp_path), "good", "v", NOW, ttl_seconds=10, sweep=True)
    assert [p.name for p in tmp_path.iterdir()] == ["good"]


WRITER = """
from hookwright.store import cache
import time
n = 0
print("on", flush=True)
while True:
    n += 1
    cache.write(sys.argv[1], "k", sys.argv[2] * 50_000, 1.0)
"""


def test_a_reader_sees_one_whole_entry_while_writers_race_and_die(tmp_path, crowd):
    writers = [crowd.start(WRITER, tmp_path, letter) for letter in "abcd"]
    for writer in writers:
        writer.stdout.readline()
    seen = set()
    for turn in range(300):
        if turn in (100, 200):
            writers.pop().kill()
        text = cache.read(str(tmp_path), "k", NOW)
        if text:
            assert len(text) == 50_000
            assert len(set(text)) == 1
            seen.add(text[0])
    assert seen
