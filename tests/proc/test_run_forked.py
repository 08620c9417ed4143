"""A function in a forked child: its result comes back, whatever else it does stays there."""

import os
import signal
import subprocess
import time

import pytest

from hookwright.proc.run_forked import TIMED_OUT, run_forked
from tests.proc.kit import is_alive, run_with_time, wait_until

pytestmark = pytest.mark.slow


def run(function, seconds=60.0, **more):
    return run_forked(function, seconds, repr, **more)


@pytest.mark.parametrize("data", [b"", b"x", os.urandom(3_000_000)])
def test_the_result_comes_back_whole(data):
    result = run(lambda report: data)
    assert (result.data, result.problem) == (data, "")


def close_and_sleep(report):
    os.closerange(3, 256)
    time.sleep(600)


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (lambda report: 1 / 0, "ZeroDivisionError('division by zero')"),
        (lambda report: os._exit(3), "it ended its process with code 3"),
        (lambda report: os.kill(os.getpid(), signal.SIGKILL), "it ended without an answer"),
        (lambda report: os.abort(), "it was ended by signal 6"),
        (lambda report: time.sleep(600), TIMED_OUT),
        (close_and_sleep, "it ended without an answer"),
    ],
)
def test_a_failure_is_named(function, problem):
    result = run(function, 1.0 if problem == TIMED_OUT else 60.0)
    assert (result.data, result.problem, result.timed_out) == (None, problem, problem == TIMED_OUT)


def test_a_report_starts_the_deadline_anew_and_the_last_one_is_kept():
    def run_for(seconds):
        def reports(report):
            for number in range(4):
                report(b"%d" % number)
                time.sleep(seconds / 3)  # more than one deadline in sum
            time.sleep(600)

        return run(reports, seconds)

    result = run_with_time(run_for, lambda result: result.progress == b"3", 1.2)
    assert (result.progress, result.problem) == (b"3", TIMED_OUT)


def test_what_the_child_prints_is_kept_and_goes_nowhere_else(capfd):
    def prints(report):
        os.write(1, b"out ")
        subprocess.run(["echo", "from a program"], check=True)
        return b"done"

    result = run(prints)
    assert (result.data, result.printed) == (b"done", b"out from a program\n")
    assert capfd.readouterr() == ("", "")


def test_stdin_is_empty():
    assert run(lambda report: os.read(0, 10)).data == b""


def test_what_it_started_ends_with_it(tmp_path):
    def starts(report):
        child = subprocess.Popen(["sleep", "600"])
        return str(child.pid).encode()

    pid = int(run(starts).data)
    assert wait_until(lambda: not is_alive(pid))


def test_a_fork_of_the_fork_that_returns_answers_nothing():
    def forks(report):
        os.fork()
        return b"%d" % os.getpid()

    assert run(forks).data
