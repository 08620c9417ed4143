"""The lock beyond one process: a fork does not inherit it, and a lock that cannot be had says why.

What the state kit promises of it is in tests/store/test_lock.py.
"""

import os
import stat

import pytest

from hookwright.proc.file_lock import Lock, owner_pid

pytestmark = pytest.mark.slow


def in_fork(function):
    """What the function returns in a forked child, as a small number."""
    child = os.fork()
    if not child:
        code = 99
        try:
            code = int(function())
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_a_forked_child_does_not_hold_its_parents_lock_and_cannot_free_it(tmp_path):
    path = str(tmp_path / "l")
    lock = Lock(path)
    assert lock.acquire()
    assert in_fork(lambda: owner_pid(path) == os.getppid()) == 1
    assert in_fork(lambda: Lock(path).acquire()) == 0
    assert in_fork(lambda: lock.release() or Lock(path).acquire()) == 0
    lock.release()
    assert in_fork(lambda: Lock(path).acquire()) == 1


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda path: path.symlink_to("elsewhere"), OSError),
        (lambda path: path.mkdir(), IsADirectoryError),
        (lambda path: None, type(None)),
    ],
)
def test_why_a_lock_cannot_be_had_is_told(tmp_path, make, error):
    make(tmp_path / "l")
    lock = Lock(str(tmp_path / "l"))
    assert lock.acquire() is (error is type(None))
    assert isinstance(lock.problem, error)
    lock.release()
    assert not (tmp_path / "elsewhere").exists()


def test_a_held_lock_is_no_problem_of_the_file(tmp_path):
    path = str(tmp_path / "deep" / "er" / "l")
    with Lock(path) as held, Lock(path) as again:
        assert (bool(held), bool(again), again.problem) == (True, False, None)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(tmp_path / "deep").st_mode) == 0o700
