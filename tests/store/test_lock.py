"""Locks: one holder, and a dead one holds nothing."""

import os
import signal
import threading
import time

import pytest

from hookwright.store.lock import Lock, owner_pid

HOLDER = """
from hookwright.store.lock import Lock
with Lock(sys.argv[1], 10) as held:
    print("held" if held else "not", flush=True)
    sys.stdin.readline()
"""


def test_a_free_lock_is_had_and_a_held_one_is_not(tmp_path, crowd):
    path = str(tmp_path / "deep" / "l")
    holder = crowd.start(HOLDER, path)
    assert holder.stdout.readline() == "held\n"
    with Lock(path) as held:
        assert not held
    assert owner_pid(path) == holder.pid


@pytest.mark.parametrize("end", ["leaves", "is killed"])
def test_the_lock_is_free_again_when_its_holder(tmp_path, crowd, end):
    path = str(tmp_path / "l")
    holder = crowd.start(HOLDER, path)
    holder.stdout.readline()
    if end == "leaves":
        holder.stdin.write("\n")
        holder.stdin.flush()
    else:
        holder.send_signal(signal.SIGKILL)
    with Lock(path, wait_seconds=30) as held:
        assert held
        assert owner_pid(path) == os.getpid()
    assert owner_pid(path) == 0


def test_waiting_ends_after_its_time(tmp_path, crowd):
    path = str(tmp_path / "l")
    crowd.start(HOLDER, path).stdout.readline()
    started = time.monotonic()
    assert not Lock(path, wait_seconds=0.2).acquire()
    assert time.monotonic() - started >= 0.2


def test_holders_in_one_process_exclude_each_other_and_the_refused_one_frees_nothing(tmp_path, crowd):
    path = str(tmp_path / "l")
    first, second = Lock(path), Lock(path)
    assert first.acquire()
    assert not second.acquire()
    second.release()
    probe = crowd.start("from hookwright.store.lock import Lock; print(bool(Lock(sys.argv[1]).acquire()))", path)
    assert probe.stdout.readline() == "False\n"
    first.release()
    assert second.acquire()
    second.release()


def test_threads_take_turns(tmp_path):
    path = str(tmp_path / "l")
    inside, most = [], []

    def work():
        for _ in range(5):
            with Lock(path, wait_seconds=60) as held:
                assert held
                inside.append(1)
                most.append(len(inside))
                time.sleep(0.001)
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 20


COUNTER = """
from hookwright.store.lock import Lock
import os
for _ in range(int(sys.argv[3])):
    with Lock(sys.argv[1], 100) as held:
        assert held
        with open(sys.argv[2], "r+") as f:
            n = int(f.read())
            f.seek(0)
            f.write(f"{n + 1:08}")
print("done")
"""


def test_eight_processes_that_count_under_the_lock_lose_nothing(tmp_path, crowd):
    (tmp_path / "n").write_text("00000000")
    for _ in range(8):
        crowd.start(COUNTER, tmp_path / "l", tmp_path / "n", 25)
    assert crowd.outputs() == ["done"] * 8
    assert int((tmp_path / "n").read_text()) == 200


@pytest.mark.parametrize("path", ["/proc/nowhere/l", "/dev/null/l", "\0"])
def test_a_lock_that_cannot_be_is_simply_not_held(path):
    with Lock(path) as held:
        assert not held
    assert owner_pid(path) == 0


def test_what_cannot_be_opened_is_not_waited_for(tmp_path):
    (tmp_path / "l").mkdir()
    start = time.monotonic()
    with Lock(str(tmp_path / "l"), 3600) as held:
        assert not held
        assert isinstance(held.problem, OSError)
    assert time.monotonic() - start < 1800
