"""A process group ends whole: also a child that ignores SIGTERM, and grandchildren that nobody waits for."""

import os
import signal
import subprocess
import sys
import time

import pytest

from hookwright.proc import kill_group
from tests.proc.kit import is_alive, read_pids, wait_until

pytestmark = pytest.mark.slow


def start(script):
    return subprocess.Popen(["/bin/sh", "-c", script], start_new_session=True)


@pytest.fixture(params=["pidfd", "polling"])
def waiting(request, monkeypatch):
    """Both ways to see an exit: Linux has pidfds, macOS has none."""
    if request.param == "polling":
        monkeypatch.delattr(os.sys.modules["posix"], "pidfd_open")


def reaped(process, status):
    process.returncode = os.waitstatus_to_exitcode(status)  # so that Popen does not wait for it again
    return process.returncode


@pytest.mark.usefixtures("waiting")
def test_a_program_that_obeys_sigterm_ends_with_it(tmp_path):
    process = start(f"sleep 300 & echo $! $$ > {tmp_path}/pids; wait")
    pids = read_pids(tmp_path / "pids", 2)
    assert reaped(process, kill_group.terminate_group(process.pid)) == -signal.SIGTERM
    assert wait_until(lambda: not any(map(is_alive, pids)))


@pytest.mark.usefixtures("waiting")
def test_a_program_that_ignores_sigterm_is_killed_after_the_grace(tmp_path):
    process = start(f"trap '' TERM; sleep 300 & echo $! $$ > {tmp_path}/pids; wait; sleep 300")
    pids = read_pids(tmp_path / "pids", 2)
    begun = time.monotonic()
    assert reaped(process, kill_group.terminate_group(process.pid, 0.3)) == -signal.SIGKILL
    assert time.monotonic() - begun >= 0.3
    assert wait_until(lambda: not any(map(is_alive, pids)))


@pytest.mark.usefixtures("waiting")
def test_what_a_program_left_behind_ends_although_the_program_has_ended(tmp_path):
    process = start(f"(trap '' TERM; sleep 300; sleep 300) & echo $! > {tmp_path}/pids; exit 3")
    [grandchild] = read_pids(tmp_path / "pids", 1)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert reaped(process, kill_group.terminate_group(process.pid)) == 3
    assert wait_until(lambda: not is_alive(grandchild))


def test_a_fork_that_has_no_group_yet_is_killed():
    child = os.fork()
    if not child:
        try:
            time.sleep(300)  # it never comes to its setsid()
        finally:
            os._exit(0)
    assert os.WTERMSIG(kill_group.kill_child(child)) == signal.SIGKILL


def test_a_group_that_is_gone_is_no_error():
    process = start("exit 0")
    process.wait()
    assert kill_group.signal_group(process.pid, signal.SIGKILL) is False


def test_sigterm_to_us_kills_the_group_and_tells_the_signal(tmp_path):
    program = (
        "import subprocess, time\n"
        "from hookwright.proc.kill_group import kill_on_sigterm\n"
        f"child = subprocess.Popen(['/bin/sh', '-c', 'trap \"\" TERM; sleep 300 & echo $$ $! > {tmp_path}/new; "
        f"mv {tmp_path}/new {tmp_path}/pids; wait; sleep 300'], start_new_session=True)\n"
        "kill_on_sigterm(child.pid)\n"
        f"open('{tmp_path}/ready', 'w').close()\n"
        "time.sleep(300)\n"
    )
    ours = subprocess.Popen([sys.executable, "-c", program])
    pids = read_pids(tmp_path / "pids", 2)
    assert wait_until((tmp_path / "ready").exists)
    ours.terminate()
    assert ours.wait(60) == 128 + signal.SIGTERM
    assert wait_until(lambda: not any(map(is_alive, pids)))
