"""Install, uninstall and undo on disk, on all kinds of files."""

import json
import os
import random
import stat
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from hookwright.errors import UserError
from hookwright.settings.change import apply, plan_install, plan_undo, plan_uninstall, unified_diff
from hookwright.settings.desired_entry import DesiredEntry
from hookwright.settings.json_document import UnreadableError
from hookwright.settings.write import ChangedMeanwhileError
from tests.settings.random_files import OURS, is_ours, our_handler, settings_texts

WANTED = [DesiredEntry("PreToolUse", "Bash", our_handler()), DesiredEntry("Stop", None, our_handler())]
OTHERS = b'{"env": {"A": "1"}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "his"}]}]}}'


class Place:
    """A settings file and a state folder, and the three verbs on them."""

    def __init__(self, folder):
        self.path, self.state = str(folder / ".claude" / "settings.json"), str(folder / "state")

    def write(self, raw):
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        if raw is None:
            if os.path.exists(self.path):
                os.unlink(self.path)
            return
        with open(self.path, "wb") as handle:
            handle.write(raw)

    def read(self):
        if not os.path.exists(self.path):
            return None
        with open(self.path, "rb") as handle:
            return handle.read()

    def install(self, wanted=WANTED):
        return apply(plan_install(self.path, wanted, is_ours, self.state), self.state)

    def uninstall(self):
        return apply(plan_uninstall(self.path, is_ours, self.state), self.state)

    def undo(self):
        return apply(plan_undo(self.path, self.state), self.state)


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


RAW = [
    None,
    b"",
    b"{}",
    OTHERS,
    b"\xef\xbb\xbf" + OTHERS,
    b'{"a": "\xe9"}\r\n',
    b"\xff\xfe" + OTHERS.decode().encode("utf-16-le"),
    b'{"hooks": {"PreToolUse": [ ]}}',
]


@pytest.mark.parametrize("raw", RAW)
def test_uninstall_is_the_exact_inverse_of_install(place, raw):
    place.write(raw)
    place.install()
    assert OURS.encode() in place.read().replace(b"\0", b"")
    place.uninstall()
    assert place.read() == raw


@pytest.mark.parametrize("raw", RAW)
def test_undo_restores_the_exact_bytes(place, raw):
    place.write(raw)
    place.install()
    place.undo()
    assert place.read() == raw
    with pytest.raises(UserError, match="no change of ours"):
        plan_undo(place.path, place.state)


@settings(
    max_examples=settings.default.max_examples * 3 // 5,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(settings_texts(), st.sampled_from(["plain", "mark", "utf-16"]))
@pytest.mark.slow
def test_on_disk_too_every_byte_comes_back(tmp_path_factory, text, form):
    place = Place(tmp_path_factory.mktemp("place"))
    raw = {
        "plain": lambda: text.encode("utf-8", "surrogatepass"),
        "mark": lambda: b"\xef\xbb\xbf" + text.encode("utf-8", "surrogatepass"),
        "utf-16": lambda: b"\xff\xfe" + text.encode("utf-16-le", "surrogatepass"),
    }[form]()
    place.write(raw)
    place.install()
    assert place.install() is None
    place.uninstall()
    assert place.read() == raw


def test_a_second_install_writes_nothing_and_keeps_no_backup(place):
    place.write(OTHERS)
    place.install()
    before = os.stat(place.path)
    assert place.install() is None
    after = os.stat(place.path)
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_folder_and_file_that_we_made_go_again(place, tmp_path):
    place.install()
    assert stat.S_IMODE(os.stat(place.path).st_mode) == 0o600
    place.install([*WANTED, DesiredEntry("SessionStart", None, our_handler())])
    place.uninstall()
    assert not os.path.exists(os.path.dirname(place.path))


def test_a_folder_that_was_used_meanwhile_stays(place):
    place.install()
    with open(os.path.join(os.path.dirname(place.path), "notes"), "w") as handle:
        handle.write("x")
    place.uninstall()
    assert os.listdir(os.path.dirname(place.path)) == ["notes"]


def test_undo_after_a_foreign_change_takes_back_only_ours(place):
    place.write(b'{"a": 1}')
    place.install()
    place.write(place.read().replace(b'"a": 1', b'"a": 2, "b": []'))
    place.undo()
    assert place.read() == b'{"a": 2, "b": []}'


def test_undo_of_an_uninstall_brings_the_entries_back(place):
    place.write(OTHERS)
    place.install()
    installed = place.read()
    place.uninstall()
    place.undo()
    assert place.read() == installed
    place.undo()
    assert place.read() == OTHERS


def test_undo_of_an_upgrade_brings_the_older_form_back(place):
    place.write(OTHERS)
    place.install([DesiredEntry("Stop", None, our_handler(0))])
    older = place.read()
    place.install([DesiredEntry("Stop", None, our_handler(1))])
    place.write(place.read().replace(b'"A"', b'"B"'))
    place.undo()
    assert place.read() == older.replace(b'"A"', b'"B"')


def test_what_the_client_rewrote_is_still_recognised(place):
    """The client writes the file in its own form, whenever it likes."""
    place.write(b'{"hooks":{}, "b" : 1}')
    place.install()
    place.write((json.dumps(json.loads(place.read()), indent=2) + "\n").encode())
    assert place.install() is None
    place.uninstall()
    assert json.loads(place.read()) == {"hooks": {}, "b": 1}


def test_ten_backups_are_kept(place):
    place.write(OTHERS)
    for form in range(14):
        place.install([DesiredEntry("Stop", None, our_handler(form))])
    (folder,) = os.listdir(os.path.join(place.state, "backups"))
    names = os.listdir(os.path.join(place.state, "backups", folder))
    assert sum(name.endswith(".before") for name in names) == 10
    place.uninstall()
    assert place.read() == OTHERS


def test_backups_are_private(place):
    place.write(OTHERS)
    kept = place.install()
    assert stat.S_IMODE(os.stat(kept).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(kept)).st_mode) == 0o700
    with open(kept, "rb") as handle:
        assert handle.read() == OTHERS


def test_a_damaged_backup_is_not_restored(place):
    place.write(OTHERS)
    kept = place.install()
    with open(kept, "wb") as handle:
        handle.write(b"{}")
    with pytest.raises(UserError, match="damaged"):
        plan_undo(place.path, place.state)


@pytest.mark.parametrize("raw", [b"{,}", b'{"a": 1} // x', b"[", b'{"a": NaN}'])
def test_a_file_that_does_not_parse_is_never_written(place, raw):
    place.write(raw)
    for plan in (place.install, place.uninstall):
        with pytest.raises(UnreadableError, match="not valid JSON"):
            plan()
    assert place.read() == raw


@pytest.mark.parametrize(
    "raw",
    [
        b'{"model": 5}',
        b'{"_hooks": {"PreToolUse": [1]}}',
        b'{"hooks": {"PermissionRequest": [{"hooks": [{"type": "x"}]}]}}',
        b'["x"]',
    ],
)
def test_nothing_is_added_to_a_file_that_the_client_skips(place, raw):
    place.write(raw)
    with pytest.raises(UserError):
        place.install()
    assert place.read() == raw


def test_an_invalid_entry_is_never_written(place):
    place.write(OTHERS)
    with pytest.raises(UserError, match="would skip this whole file"):
        place.install([DesiredEntry("PreToolUse", "Bash", {**our_handler(), "timeout": 0})])
    assert place.read() == OTHERS


def test_a_path_that_is_no_text_is_refused(place):
    with pytest.raises(UserError, match="not valid Unicode"):
        place.install([DesiredEntry("Stop", None, {**our_handler(), "args": ["/home/\udce9"]})])
    assert place.read() is None


def test_an_old_broken_entry_of_ours_can_be_uninstalled(place):
    """It makes the client skip the file; without it, the others' entries live again."""
    broken = json.loads(OTHERS)
    broken["hooks"]["PreToolUse"] = [{"hooks": [{**our_handler(), "timeout": 0}]}]
    place.write(json.dumps(broken).encode())
    place.uninstall()
    assert place.read() == OTHERS


def test_a_plan_for_a_file_that_changed_is_not_carried_out(place):
    place.write(OTHERS)
    plan = plan_install(place.path, WANTED, is_ours, place.state)
    place.write(b'{"mine": 1}')
    with pytest.raises(ChangedMeanwhileError):
        apply(plan, place.state)
    assert place.read() == b'{"mine": 1}'
    place.install()
    place.uninstall()
    assert place.read() == b'{"mine": 1}'


def install_when_opened(place, gate):
    """In a forked child: wait until the gate is closed by the parent, then install; exit code 0 if that worked."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        os.close(gate[1])
        os.read(gate[0], 1)
        for _ in range(50):
            try:
                apply(plan_install(place.path, WANTED, is_ours, place.state), place.state)
            except ChangedMeanwhileError:
                continue
            code = 0
            break
    finally:
        os._exit(code)


def test_two_installers_at_once_install_once(place):
    for _ in range(5):
        place.write(OTHERS)
        gate = os.pipe()
        racers = [install_when_opened(place, gate) for _ in range(2)]
        for end in gate:
            os.close(end)
        assert [os.waitpid(pid, 0)[1] for pid in racers] == [0, 0]
        assert place.read().count(OURS.encode()) == 2
        place.uninstall()
        assert place.read() == OTHERS


DIER = """
import os, signal, sys
from hookwright.settings.change import apply, plan_install, plan_uninstall
from hookwright.settings.desired_entry import DesiredEntry
from tests.settings.random_files import is_ours, our_handler
path, states, old = sys.argv[1:]
os.fsync = lambda handle: None  # a kill is not a power cut, and a slow disk would take minutes
wanted = [DesiredEntry("PreToolUse", "Bash", our_handler()), DesiredEntry("Stop", None, our_handler())]
deaths, deadly, died = 0, 0, True
while died:
    deadly += 7
    state = f"{states}/{deadly}"
    with open(path, "wb") as handle:
        handle.write(old.encode())
    plan = plan_install(path, wanted, is_ours, state)
    pid = os.fork()
    if pid == 0:
        calls = 0
        def count(frame, event, arg):
            global calls
            calls += event in ("c_call", "c_return")
            if calls == deadly:
                os.kill(os.getpid(), signal.SIGKILL)
        sys.setprofile(count)
        apply(plan, state)
        os._exit(0)
    died = os.WIFSIGNALED(os.waitpid(pid, 0)[1])
    deaths += died
    with open(path, "rb") as handle:
        assert handle.read() in (plan.before, plan.after), deadly
    assert plan_uninstall(path, is_ours, state).after == plan.before, deadly
print(deaths)
"""


@pytest.mark.slow
def test_a_kill_anywhere_in_an_install_leaves_a_whole_file_and_a_way_back(place):
    """Every seventh call into C, and out of it, is a place to die: backup, lock, write, rename, clean-up."""
    place.write(OTHERS)
    command = [sys.executable, "-c", DIER, place.path, place.state, OTHERS.decode()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 50


@pytest.mark.slow
def test_a_file_of_five_megabytes_is_edited_but_not_installed_to(place):
    """The client would not read it; but what was put in before can still be taken out."""
    filling = {f"x-{number}": ["y" * 600, number, {"z": None}] for number in range(8_000)}
    raw = json.dumps({**filling, **json.loads(OTHERS)}, indent=2).encode()
    assert len(raw) > 5_000_000
    place.write(raw)
    with pytest.raises(UserError, match="reads at most"):
        place.install()
    with_ours = json.loads(raw)
    with_ours["hooks"]["Stop"].append({"hooks": [our_handler()]})
    place.write(json.dumps(with_ours, indent=2).encode())
    plan = plan_uninstall(place.path, is_ours, place.state)
    assert len(plan.diff.splitlines()) < 40
    apply(plan, place.state)
    assert place.read() == raw


def test_symlinked_settings_stay_a_link(place, tmp_path):
    os.makedirs(os.path.dirname(place.path))
    (tmp_path / "dotfiles.json").write_bytes(OTHERS)
    os.symlink("../dotfiles.json", place.path)
    place.install()
    assert os.path.islink(place.path)
    assert OURS.encode() in (tmp_path / "dotfiles.json").read_bytes()
    place.uninstall()
    assert (tmp_path / "dotfiles.json").read_bytes() == OTHERS


def test_a_missing_folder_above_is_answered(tmp_path):
    place = Place(tmp_path / "no" / "such")
    place.state = str(tmp_path / "state")
    with pytest.raises(UserError, match="does not exist"):
        place.install()


def test_uninstall_without_anything_of_ours_changes_nothing(place):
    assert not plan_uninstall(place.path, is_ours, place.state).changed
    place.write(OTHERS)
    assert not plan_uninstall(place.path, is_ours, place.state).changed
    assert place.uninstall() is None


def test_the_diff_shows_what_changes_as_diff_u_does(place):
    place.write(b'{\n  "a": 1\n}')
    plan = plan_install(
        place.path, [DesiredEntry("Stop", None, {"type": "command", "command": OURS})], is_ours, place.state
    )
    assert plan.diff.splitlines()[:6] == [
        f"--- {place.path}",
        f"+++ {place.path}",
        "@@ -1,3 +1,15 @@",
        " {",
        '-  "a": 1',
        '+  "a": 1,',
    ]
    assert plan.diff.endswith(" }\n\\ No newline at end of file\n")


@pytest.mark.parametrize("seed", range(20))
def test_the_diff_is_one_that_patch_understands(tmp_path, seed):
    rng = random.Random(seed)
    old = [f"line {number}\n" for number in range(200)]
    new = list(old)
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(new))
        new[at : at + rng.randrange(3)] = [f"new {rng.random()}\n"] * rng.randrange(3)
    (tmp_path / "f").write_text("".join(old))
    diff = unified_diff("f", "".join(old).encode(), "".join(new).encode())
    done = subprocess.run(["patch", "-s", "f"], input=diff, text=True, cwd=tmp_path, capture_output=True, check=False)
    assert (tmp_path / "f").read_text() == "".join(new), done.stdout
