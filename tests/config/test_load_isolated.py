"""Loading in a fork: the value comes back, and what stops is named."""

import os
import time

import pytest

from hookwright.config.load_isolated import LoadFailed, run_in_fork


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
        (lambda: time.sleep(600), "it took longer than 0.5 s"),
    ],
)
def test_the_file_that_was_being_loaded_is_named(deed, why):
    with pytest.raises(LoadFailed) as stopped:
        run_in_fork(stops(deed), seconds=0.5)
    assert (stopped.value.file, stopped.value.why) == ("second.py", why)


def test_time_begins_anew_with_each_file():
    def make(tell):
        for number in range(4):
            tell(str(number))
            time.sleep(0.4)
        return "done"

    assert run_in_fork(make, seconds=1.5) == "done"
