"""The plan is never stale, safe under concurrent rebuilds, and right when nothing can be written."""

import os
import subprocess
import sys

import pytest

from hookwright.config import plan_cache


@pytest.fixture
def place(tmp_path):
    class Place:
        config = tmp_path / "config"
        state = tmp_path / "state"
        cache = tmp_path / "cache"
        project = tmp_path / "home/repo"
        home = tmp_path / "home"
        moment = 1_763_208_000

        def load(self, start=None, build=b"build"):
            return plan_cache.load_plan(
                build,
                config=str(self.config),
                state=str(self.state),
                cache=str(self.cache),
                start=str(start or self.project),
                home=str(self.home),
            )

        def patience(self, **options):
            [row] = [r for r in self.load(**options)["hooks"]["PreToolUse"] if r["hook"] == "auto_background"]
            return row["options"].get("patience", 30)

        def user(self, text):
            self.config.mkdir(exist_ok=True)
            path = self.config / "config.toml"
            path.write_text(text)
            self.moment += 1  # two writes within one tick of the file system's clock
            os.utime(path, (self.moment, self.moment))

    Place.project.mkdir(parents=True)
    return Place()


def test_a_file_that_appears_changes_and_goes_is_seen_at_once(place):
    assert place.patience() == 30
    place.user("[auto_background]\npatience = 7\n")
    assert place.patience() == 7
    place.user("[auto_background]\npatience = 8\n")
    assert place.patience() == 8
    (place.config / "config.toml").unlink()
    assert place.patience() == 30


def test_the_plan_is_kept(place, monkeypatch):
    place.user("[auto_background]\npatience = 7\n")
    place.load()
    monkeypatch.setitem(sys.modules, "hookwright.config.compiler", None)  # would fail if it were needed
    assert place.patience() == 7


def test_another_build_makes_its_own_plan(place):
    place.load(build=b"old")
    assert plan_cache.read_plan_file(str(next(place.cache.iterdir())))[0] == b"old"
    place.load(build=b"new")
    assert plan_cache.read_plan_file(str(next(place.cache.iterdir())))[0] == b"new"


def test_a_file_with_the_same_time_and_size_but_another_inode_is_seen(place):
    place.user("[auto_background]\npatience = 7\n")
    place.load()
    path = place.config / "config.toml"
    stat = path.stat()
    other = place.config / "other"
    other.write_text("[auto_background]\npatience = 9\n")
    os.utime(other, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    other.rename(path)
    assert place.patience() == 9


def test_the_project_file_is_found_above_and_not_beyond_the_repository(place):
    (place.project / ".git").mkdir()
    deep = place.project / "a/b"
    deep.mkdir(parents=True)
    place.user("[auto_background]\nmode = 'off'\n")
    (place.home / ".hookwright.toml").write_text("[auto_background]\nmode = 'on'\n")

    def mode(start):
        [row] = [r for r in place.load(start=start)["hooks"]["PreToolUse"] if r["hook"] == "auto_background"]
        return row["mode"]

    assert mode(deep) == "off"
    (place.project / ".hookwright.toml").write_text("[auto_background]\nmode = 'on'\n")
    assert mode(deep) == "on"


@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 5000, None])
def test_a_damaged_plan_file_is_made_anew(place, damage):
    place.user("[auto_background]\npatience = 7\n")
    place.load()
    [path] = place.cache.iterdir()
    data = path.read_bytes()
    path.write_bytes(data[:40] + bytes([data[40] ^ 1]) + data[41:] if damage is None else damage)
    assert place.patience() == 7


def test_without_a_place_to_write_the_plan_is_right_all_the_same(place, tmp_path):
    place.cache.write_text("a file where the folder should be")
    place.user("[auto_background]\npatience = 7\n")
    assert place.patience() == 7
    place.user("[auto_background]\npatience = 8\n")
    assert place.patience() == 8


def test_a_broken_file_keeps_the_last_good_plan_and_tells(place):
    place.user("[auto_background]\npatience = 7\n")
    assert place.patience() == 7
    place.user("[auto_background\n")
    plan = place.load()
    assert "not valid TOML" in plan["problems"][0]
    assert place.patience() == 7
    place.user("[auto_background]\npatience = 9\n")
    assert (place.patience(), place.load()["problems"]) == (9, ())


def test_a_file_that_was_always_broken_gives_the_defaults(place):
    place.user("[auto_background\n")
    assert place.patience() == 30


def test_hook_files_that_appear_change_and_go_are_seen(place):
    folder = place.config / "hooks"
    folder.mkdir(parents=True)

    def listeners():
        return [row["hook"] for row in place.load()["hooks"].get("Stop", []) if row["file"]]

    source = "from hookwright import Stop, hook\n@hook(Stop)\ndef {}(event): return None\n"
    assert listeners() == []
    (folder / "a.py").write_text(source.format("first"))
    assert listeners() == ["first"]
    (folder / "a.py").write_text(source.format("renamed"))
    assert listeners() == ["renamed"]
    (folder / "a.py").unlink()
    assert listeners() == []


RELOAD = """
import sys
from hookwright.config import plan_cache
for _ in range(30):
    plan = plan_cache.load_plan(b"b", config=sys.argv[1], state=None, cache=sys.argv[2], start="/", home=None)
    [row] = [row for row in plan["hooks"]["PreToolUse"] if row["hook"] == "auto_background"]
    assert row["options"].get("patience") in (1, 2, 3), plan
"""


def test_many_processes_rebuild_at_once(place):
    place.user("[auto_background]\npatience = 1\n")
    command = [sys.executable, "-c", RELOAD, str(place.config), str(place.cache)]
    children = [subprocess.Popen(command) for _ in range(4)]
    for number in range(300):
        temporary = place.config / "new"
        temporary.write_text(f"[auto_background]\npatience = {number % 3 + 1}\n")
        temporary.rename(place.config / "config.toml")
    assert [child.wait(timeout=60) for child in children] == [0, 0, 0, 0]
    assert not [name for name in os.listdir(place.cache) if "." in name]
