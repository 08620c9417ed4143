"""A cache that others can write to is no cache: events are answered from source, and nothing that lies there runs."""

import marshal
import os
import shutil
import subprocess
import sys
from _imp import source_hash
from pathlib import Path

import pytest

from hookwright.config import plan_cache
from hookwright.proc.shared_dir import find_sharing
from hookwright.runtime import bundle_update, launcher
from hookwright.testing.builders import bash
from hookwright.verify.check_files import check_own_files

pytestmark = pytest.mark.slow

STRANGER = 65534
FORCE = bash("npm install").raw
DESTROY = bash("rm -rf /").raw
root_only = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another user")
MARK = "import posix; posix.close(posix.open({!r}, posix.O_CREAT)); posix._exit(0)"


def denied(answer):
    return answer["hookSpecificOutput"]["permissionDecision"] == "deny"


def codes():
    return [finding.code for finding in check_own_files()]


def as_stranger(code, *words):
    """Run Python code as another user."""
    run = [sys.executable, "-I", "-c", f"import os; os.setgid({STRANGER}); os.setuid({STRANGER})\n{code}", *words]
    return subprocess.run(run, check=False, capture_output=True, text=True)


def open_parents(path):
    """Let another user reach it: pytest's own directories are private."""
    for above in path.parents:
        if above.stat().st_uid == os.geteuid() and not above.stat().st_mode & 0o001:
            above.chmod(above.stat().st_mode | 0o011)


@pytest.fixture
def shared(hook_process, tmp_path_factory, monkeypatch):
    """The hook process with its cache in a place that everybody may write to: `shared(mode, owner)`."""
    place = tmp_path_factory.mktemp("shared")
    open_parents(place)

    def prepare(mode, owner=0, parent=0o777):
        place.chmod(parent)
        cache = place / "hookwright"
        cache.mkdir()
        cache.chmod(mode)
        os.chown(cache, owner, owner)
        monkeypatch.setenv("XDG_CACHE_HOME", str(place))
        hook_process.env["XDG_CACHE_HOME"] = str(place)
        launcher.install_launcher()
        return cache

    return prepare


PLANT = """
import sys, marshal, shutil
from _imp import source_hash
bundle, core = sys.argv[1], sys.argv[2]
rows = marshal.loads(open(core, "rb").read()[8:])
code = compile(sys.argv[3], "planted", "exec")
data = marshal.dumps([(rows[0][0], code, *rows[0][2:]), *rows[1:]])
for attempt in (lambda: os.rename(bundle, bundle + ".away"), lambda: shutil.rmtree(bundle)):
    try: attempt(); break
    except OSError: pass
os.makedirs(bundle, mode=0o700, exist_ok=True)
os.chmod(bundle, 0o700)
with open(bundle + "/core", "wb") as file: file.write(source_hash(sys.hexversion, data) + data)
os.chmod(bundle + "/core", 0o600)
print("planted")
"""


@root_only
@pytest.mark.parametrize(
    ("mode", "owner", "parent"),
    [(0o777, 0, 0o1777), (0o777, STRANGER, 0o1777), (0o700, STRANGER, 0o1777), (0o700, 0, 0o777)],
    ids=["writable", "writable and foreign", "foreign", "below a writable one"],
)
def test_what_another_user_plants_never_runs(hook_process, shared, tmp_path, mode, owner, parent):
    core = tmp_path / "core"
    shutil.copy(Path(launcher.bundle_dir()) / "core", core)  # of the fixture's own, private cache
    core.chmod(0o644)
    open_parents(core)
    cache = shared(mode, owner, parent)
    marks = tmp_path / "marks"
    marks.mkdir()
    marks.chmod(0o777)
    assert denied(hook_process.answer(DESTROY))
    done = as_stranger(PLANT, launcher.bundle_dir(), str(core), MARK.format(str(marks / "planted")))
    for _ in range(3):
        assert denied(hook_process.answer(DESTROY)), done
    assert list(marks.iterdir()) == []
    if owner or parent == 0o777:
        assert codes() == ["cache-not-private"]
        assert not bundle_update.update_bundle(launcher.bundle_dir())
        assert not list(cache.glob("plan-*"))


@root_only
def test_a_planted_bundle_would_run_if_it_belonged_to_the_user(hook_process, shared, tmp_path):
    """Otherwise the test above would prove nothing."""
    core = Path(launcher.bundle_dir()) / "core"
    shared(0o700, 0, 0o1777)
    bundle = Path(launcher.bundle_dir())
    rows = marshal.loads(core.read_bytes()[8:])
    data = marshal.dumps([(rows[0][0], compile(MARK.format(str(tmp_path / "ran")), "x", "exec"), *rows[0][2:])])
    (bundle / "core").write_bytes(source_hash(sys.hexversion, data) + data)
    hook_process(FORCE)
    assert (tmp_path / "ran").exists()


# --- the plan
@pytest.mark.parametrize("mode", [0o644, 0o660, 0o606, 0o700])
def test_a_plan_of_another_mode_is_not_read(tmp_path, mode):
    path = tmp_path / "plan-x"
    assert plan_cache.write_plan_file(str(path), (b"", (), {}))
    assert plan_cache.read_plan_file(str(path)) == (b"", (), {})
    path.chmod(mode)
    assert plan_cache.read_plan_file(str(path)) is None


@root_only
def test_a_plan_of_another_user_is_not_read(tmp_path):
    path = tmp_path / "plan-x"
    assert plan_cache.write_plan_file(str(path), (b"", (), {}))
    os.chown(path, STRANGER, STRANGER)
    assert plan_cache.read_plan_file(str(path)) is None


def test_a_fifo_for_a_plan_holds_nobody_up(tmp_path):
    os.mkfifo(tmp_path / "plan-x", 0o600)
    assert plan_cache.read_plan_file(str(tmp_path / "plan-x")) is None


# --- who could write there
def test_sharing_is_told_in_words(tmp_path):
    cache = tmp_path / "above/cache"
    cache.mkdir(parents=True, mode=0o700)
    assert find_sharing(str(cache)) == ""
    cache.chmod(0o770)
    assert find_sharing(str(cache)) == f"{cache} can be written by others (mode 0770)"
    cache.chmod(0o700)
    cache.parent.chmod(0o777)
    assert find_sharing(str(cache)) == f"{cache.parent}, above it, can be written by everyone (mode 0777)"
    assert find_sharing(str(cache / "not/yet")) == f"{cache.parent}, above it, can be written by everyone (mode 0777)"
    cache.parent.chmod(0o1777)
    assert find_sharing(str(cache)) == ""
    (tmp_path / "file").touch()
    assert find_sharing(str(tmp_path / "file")) == f"{tmp_path / 'file'} is not a directory"


# --- verify
def test_nothing_is_wrong_with_what_was_installed(hook_process):
    assert codes() == []


def test_a_launcher_that_was_changed_is_named(hook_process):
    text = hook_process.launcher.read_text()
    hook_process.launcher.write_text(text.replace("main(bundle)", "sys.exit(0)"))
    assert codes() == ["launcher-changed"]
    hook_process.launcher.write_text(text)
    hook_process.launcher.chmod(0o777)
    assert codes() == ["launcher-not-private"]


@pytest.mark.parametrize("name", ["core", "PreToolUse-Bash", "hookwright.shell.parser", "a-new-one"])
def test_a_bundle_that_was_changed_is_named(hook_process, name):
    path = Path(launcher.bundle_dir()) / name
    rows = marshal.loads((path if path.exists() else path.parent / "core").read_bytes()[8:])
    data = marshal.dumps([(rows[0][0], compile("pass", rows[0][2], "exec"), *rows[0][2:]), *rows[1:]])
    path.unlink(missing_ok=True)
    path.write_bytes(source_hash(sys.hexversion, data) + data)
    path.chmod(0o600)
    [finding] = check_own_files()
    assert finding.code == "bundle-changed"
    assert f"is not what this version builds: {name};" in finding.what
