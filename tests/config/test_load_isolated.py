"""Loading in a fork: the value comes back, and what stops is named."""

import os
import time

import pytest

from hookwright.config.load_isolated import LoadFailed, run_in_fork
from tests.proc.kit import run_with_time


def test_the_value_comes_back_whole():
    large = {"x": b"y" * 1_000_000, "z": ("a", 1, None)}
    assert run_in_fork(lambda tell: large) == large


def stops(deed):
    def make(tell):
        tell("first.py")
        tell("second.py")
        deed()
        tell("third.py")
        return 1

    return make


@pytest.mark.parametrize(
    ("deed", "why"),
    [
        (lambda: os._exit(0), "it ended the process"),
        (lambda: os.kill(os.getpid(), 9), "it ended the process"),
    ],
)
def test_the_file_that_ended_the_process_is_named(deed, why):
    with pytest.raises(LoadFailed) as stopped:
        run_in_fork(stops(deed), seconds=60)
    assert (stopped.value.file, stopped.value.why) == ("second.py", why)


def failure_of(make, seconds):
    try:
        return run_in_fork(make, seconds=seconds)
    except LoadFailed as failed:
        return failed


def test_the_file_that_takes_too_long_is_named():
    hangs = stops(lambda: time.sleep(600))
    failed = run_with_time(lambda seconds: failure_of(hangs, seconds), lambda failed: failed.file == "second.py")
    assert (failed.file, failed.why[:20]) == ("second.py", "it took longer than ")


@pytest.mark.slow
def test_time_begins_anew_with_each_file():
    def load(seconds):
        def make(tell):
            for number in range(4):
                tell(str(number))
                time.sleep(seconds / 3)  # more than the time for one file in sum
            return "done"

        return failure_of(make, seconds)

    assert run_with_time(load, lambda loaded: loaded == "done", 1.2) == "done"
