"""Processes for tests: is it alive, wait until."""

import time


def is_alive(pid):
    """A zombie counts as gone: nobody of its family has reaped it yet, but it does nothing any more."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not (found := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return found


def run_with_time(run, reached, seconds=0.5):
    """The result of `run(seconds)`; again with more time while the machine was too slow for it to reach its point."""
    while True:
        result = run(seconds)
        if reached(result) or seconds > 30:
            return result
        seconds *= 4


def has_pids(path, count):
    return path.exists() and len(path.read_text().split()) == count


def read_pids(path, count):
    """The numbers that a shell wrote to a file, once all are there."""
    wait_until(lambda: has_pids(path, count))
    return [int(pid) for pid in path.read_text().split()]
