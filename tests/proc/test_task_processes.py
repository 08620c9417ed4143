"""A background command's processes are found by the file they write to, and nothing else is ever signalled."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import uuid

import pytest

from hookwright.proc import task_processes
from hookwright.proc.task_processes import TaskProcess, end_group, find_processes, is_alive, list_ports, parse_output

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="processes are looked up in /proc"),
]
NAME = (str(uuid.uuid4()), "b1x")  # other tests run at the same time, with tasks of their own


@pytest.fixture
def launch(tmp_path):
    """Start a command as Claude Code does: leader of its own session, output into the task's file."""
    started = []

    def start(code, name=NAME):
        folder = tmp_path / "claude-0/-home-ann" / name[0] / "tasks"
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / f"{name[1]}.output", "ab") as output:
            process = subprocess.Popen(["/bin/sh", "-c", code], stdout=output, stderr=output, start_new_session=True)
        started.append(process)
        wait_until(lambda: find_processes({name}))
        return process

    yield start
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_until(check, seconds=60):
    end = time.monotonic() + seconds
    while not (found := check()):
        assert time.monotonic() < end
        time.sleep(0.02)
    return found


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/tmp/claude-0/-p/5a/tasks/b1.output", ("5a", "b1")),
        ("/tmp/tasks/x.txt", None),
        ("/tmp/5a/tasks/deep/b1.output", None),
        ("", None),
    ],
)
def test_the_path_of_an_output_names_session_and_task(path, name):
    assert parse_output(path) == name


def test_the_leader_and_its_children_are_one_group(launch):
    shell = launch("sleep 100 & sleep 100")
    process = wait_until(lambda: (p := find_processes({NAME})[NAME]) and len(p.pids) > 1 and p)
    assert (process.pid, process.group) == (shell.pid, shell.pid)
    assert find_processes({("other", "b1x")}) == {}


def test_ending_takes_the_whole_group_and_nobody_else(launch):
    other = launch("sleep 100", (NAME[0], "b2y"))
    shell = launch("sleep 100 > /dev/null & exec sleep 100")
    assert end_group(find_processes({NAME})[NAME])
    assert shell.wait() == -signal.SIGTERM
    assert find_processes({NAME}) == {}
    assert other.poll() is None


def test_who_ignores_sigterm_is_killed(launch):
    launch("trap '' TERM; while :; do sleep 0.1; done")
    process = find_processes({NAME})[NAME]
    time.sleep(0.3)  # the trap is set
    assert end_group(process, grace_s=0.5)


def test_a_number_that_went_to_another_process_is_not_signalled(launch):
    shell = launch("sleep 100")
    found = find_processes({NAME})[NAME]
    for wrong in (
        TaskProcess(found.pid, found.group, found.started - 1, found.output),
        TaskProcess(found.pid, found.group, found.started, "/elsewhere/tasks/b1x.output"),
        TaskProcess(found.pid, os.getpgrp(), found.started, found.output),
        TaskProcess(2**22 - 1, 2**22 - 1, found.started, found.output),
    ):
        assert not end_group(wrong, grace_s=0.1)
    assert shell.poll() is None


def test_our_own_group_is_never_ended(monkeypatch):
    group, started = task_processes.read_stat(os.getpid())
    process = TaskProcess(os.getpid(), group, started, "")
    monkeypatch.setattr(task_processes, "read_output", lambda pid: "")
    if group == os.getpgrp():
        assert not end_group(process)


def test_a_process_is_alive_as_long_as_it_is_the_same(launch):
    shell = launch("sleep 100")
    started = task_processes.read_stat(shell.pid)[1]
    assert is_alive(shell.pid, started) is True
    assert is_alive(shell.pid, started + 1) is False
    assert is_alive(0, started) is None
    shell.kill()
    shell.wait()
    assert is_alive(shell.pid, started) is False


def test_ports_of_a_server_are_found(launch):
    code = "import socket, time; s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); time.sleep(100)"
    launch(f'"{sys.executable}" -c "{code}"')
    ports = wait_until(lambda: list_ports(find_processes({NAME})[NAME]))
    with socket.create_connection(("127.0.0.1", ports[0]), timeout=10):
        pass


def test_a_command_that_serves_nothing_has_no_ports(launch):
    launch("sleep 100")
    assert list_ports(find_processes({NAME})[NAME]) == []
