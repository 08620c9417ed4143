"""After an upgrade or with a lost or damaged cache: every event is answered at once, whatever the machine's load.

Measured is the CPU time of each event's own process: the time on the clock is the machine's business. What has to be
built is built later, by one process, and what a killed builder leaves behind goes with the next build.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from hookwright.testing.builders import bash
from tests.hook_kit import install_copy
from tests.proc.kit import is_alive

pytestmark = pytest.mark.slow

DESTROY = json.dumps(bash("rm -rf /").raw).encode()
AT_ONCE = 6
HOGS = 10
MOST_CPU_S = 1.5


@pytest.fixture
def installed(hook_process, tmp_path):
    """A package that can be changed, with its launcher and bundle; the builder counts its builds."""
    hook_process.root = tmp_path / "site"
    hook_process.argv = install_copy(hook_process.root, hook_process.env)
    hook_process.cache = hook_process.home / ".cache/hookwright"
    [hook_process.bundle] = [path for path in hook_process.cache.glob("bundle-site*") if path.is_dir()]
    hook_process.builds = tmp_path / "builds"
    hook_process.builds.mkdir()
    return hook_process


@pytest.fixture
def load():
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(HOGS)]
    yield
    for hog in hogs:
        hog.kill()
        hog.wait()


def note_builds(installed):
    """Each build leaves a directory with its start, and one with its end."""
    builder = installed.root / "hookwright/runtime/bundle_builder.py"
    text = builder.read_text()
    begin, end = "    os.chmod(new, 0o700)\n", "    _remove_old_bundles(folder)\n"
    assert text.count(begin) == text.count(end) == 1
    for line, mark in ((begin, "begin"), (end, "end")):
        text = text.replace(
            line, f"{line}    os.mkdir(f'{installed.builds}/{{time.time_ns()}}-{mark}-{{os.getpid()}}')\n"
        )
    builder.write_text(text)


def builds(installed):
    return sorted(path.name.split("-")[1:] for path in installed.builds.iterdir())


def events_at_once(installed, count=AT_ONCE):
    """The answers of so many events at the same time, and the CPU seconds of each process."""
    started = []
    for _ in range(count):
        with tempfile.TemporaryFile() as file, tempfile.NamedTemporaryFile(delete=False, dir=installed.home) as out:
            file.write(DESTROY)
            file.seek(0)
            started.append((subprocess.Popen(installed.argv, stdin=file, stdout=out, env=installed.env), out.name))
    found = []
    for child, out in started:
        _, status, used = os.wait4(child.pid, 0)  # without the children that nobody waits for: the builder
        child.returncode = os.waitstatus_to_exitcode(status)
        found.append((child.returncode, json.loads(Path(out).read_text()), used.ru_utime + used.ru_stime))
        os.unlink(out)
    return found


def touch_one(installed):
    (installed.root / "hookwright/dispatch.py").touch()


def touch_all(installed):
    for path in (installed.root / "hookwright").rglob("*.py"):
        path.touch()


def upgrade(installed):
    (installed.root / "hookwright/version.py").write_text('__version__ = "9.9.9"\n')
    touch_all(installed)
    for folder in (installed.root / "hookwright").rglob("__pycache__"):
        shutil.rmtree(folder)


def lose_cache(installed):
    shutil.rmtree(installed.cache)


def lose_bundle(installed):
    shutil.rmtree(installed.bundle)


def cut_core(installed):
    os.truncate(installed.bundle / "core", 1000)


def damage_events(installed):
    for path in installed.bundle.glob("PreToolUse*"):
        path.write_bytes(b"x" * 5000)


KINDS = (touch_one, touch_all, upgrade, lose_cache, lose_bundle, cut_core, damage_events)


@pytest.mark.parametrize("make_stale", KINDS, ids=lambda kind: kind.__name__)
def test_stale_code_delays_no_answer_and_is_built_once(installed, load, wait_for, make_stale):
    note_builds(installed)
    make_stale(installed)
    lock = Path(f"{installed.bundle}.lock")
    if lock.exists():
        os.utime(lock, (1, 1))  # the last build was long ago
    for code, answer, cpu in events_at_once(installed) + events_at_once(installed):
        print(f"{make_stale.__name__}: {cpu:.2f} s CPU")
        assert code == 0
        assert answer["hookSpecificOutput"]["permissionDecision"] == "deny"
        assert cpu <= MOST_CPU_S
    wait_for(lambda: (installed.bundle / "manifest").exists() and any(mark == "end" for mark, _ in builds(installed)))
    assert [mark for mark, _ in builds(installed)] == ["begin", "end"]
    assert leftovers(installed) == []


def leftovers(installed):
    """Files beside the bundle and its lock that a build has made."""
    names = {installed.bundle.name, f"{installed.bundle.name}.lock"}
    return [path.name for path in installed.cache.glob(f"{installed.bundle.name}*") if path.name not in names]


def test_builders_that_are_killed_leave_nothing_that_stays(installed, wait_for):
    note_builds(installed)
    shutil.rmtree(installed.bundle)
    for number in range(1, 7):
        os.utime(f"{installed.bundle}.lock", (1, 1))
        events_at_once(installed, 2)
        wait_for(lambda number=number: sum(mark == "begin" for mark, _ in builds(installed)) == number)
        [pid] = {int(pid) for mark, pid in builds(installed) if mark == "begin"} - ended(installed)
        time.sleep(0.05 * number)  # at another point each time; whether it comes in time does not matter
        os.kill(pid, signal.SIGKILL) if is_alive(pid) else None
        wait_for(lambda pid=pid: not is_alive(pid))
        (installed.builds / f"0-end-{pid}").mkdir(exist_ok=True)
        shutil.rmtree(installed.bundle, ignore_errors=True)
        assert len(leftovers(installed)) <= 2  # the directories .new and .old, always the same ones
    os.utime(f"{installed.bundle}.lock", (1, 1))
    events_at_once(installed, 2)
    wait_for(lambda: (installed.bundle / "manifest").exists() and leftovers(installed) == [])
    for code, answer, _ in events_at_once(installed, 2):
        assert (code, answer["hookSpecificOutput"]["permissionDecision"]) == (0, "deny")


def ended(installed):
    return {int(pid) for mark, pid in builds(installed) if mark == "end"}
