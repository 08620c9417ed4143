"""hookwright background: what runs, how much longer, and an end for what has none."""

import os
import subprocess
import time
import uuid

import pytest

from hookwright.proc.task_processes import read_stat
from hookwright.store import background_tasks

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="processes are looked up in /proc")
NAME = (str(uuid.uuid4()), "b1x")  # other tests run at the same time, with tasks of their own


@pytest.fixture
def place(home, tmp_path):
    """A home with one recorded task; `place.run()` starts its process."""
    home.state = str(home.path / ".local/state/hookwright")
    home.started = []
    with subprocess.Popen(["sleep", "300"]) as client:

        def record(task="b1x", ago=40.0, **known):
            given = {
                "project": "/home/ann/shop",
                "command": "npm run build",
                "key": "npm run build",
                "past": (6, 100.0, 160.0, None, 0.9),
                "endless": False,
                "serves": False,
                "client": client.pid,
                "client_started": read_stat(client.pid)[1],
            }
            background_tasks.add_start(home.state, NAME[0], task, time.time() - ago, **{**given, **known})

        def run(task="b1x"):
            folder = tmp_path / NAME[0] / "tasks"
            folder.mkdir(parents=True, exist_ok=True)
            with open(folder / f"{task}.output", "ab") as output:
                process = subprocess.Popen(["sleep", "300"], stdout=output, stderr=output, start_new_session=True)
            home.started.append(process)
            return process

        home.record, home.run, home.client_process = record, run, client
        yield home
        for process in (*home.started, client):
            process.kill()
            process.wait()


def tasks(place, *words):
    code, found = place.json("background", *words)
    assert code == 0
    return found["tasks"]


def test_without_tasks_it_says_so(place):
    assert place("background")[1] == "No background command runs.\n"
    assert tasks(place, "list") == []


def test_a_running_command_has_an_expected_end(place):
    place.record()
    process = place.run()
    (row,) = tasks(place)
    assert (row["id"], row["state"], row["pid"], row["overdue"]) == ("b1x", "running", process.pid, False)
    assert 30 < row["remaining_s"] < 100
    assert row["expected"]["median_s"] == 100.0
    out = place("background")[1]
    assert "npm run build" in out
    assert "running" in out


def test_status_shows_what_runs_and_what_is_left(place):
    place.record()
    place.run()
    (row,) = place.json("status")[1]["background"]
    assert (row["id"], row["remaining_s"] is not None) == ("b1x", True)
    assert "npm run build" in place("status")[1]


@pytest.mark.parametrize(("known", "state"), [({}, "overdue"), ({"endless": True}, "running")])
def test_an_overdue_command_is_marked(place, known, state):
    place.record(ago=5000.0, **known)
    place.run()
    assert state in place("background")[1]


def test_a_command_whose_process_is_gone_is_not_shown_as_running(place):
    place.record()
    assert tasks(place) == []
    (row,) = tasks(place, "list", "--all")
    assert row["state"] == "gone"


def test_a_command_of_an_ended_session_is_offered_and_ended_only_when_asked(place):
    place.record()
    process = place.run()
    place.client_process.kill()
    place.client_process.wait()
    out = place("background")[1]
    assert "orphan" in out
    assert "hookwright background end b1x" in out
    assert process.poll() is None
    code, found = place.json("background", "end", "b1x")
    assert (code, found["ended"]["id"], found["ended"]["state"]) == (0, "b1x", "ended")
    assert process.wait() != 0
    assert tasks(place) == []
    assert "has ended already" in place("background", "end", "b1x")[2]


@pytest.mark.parametrize(("name", "words"), [("nobody", "no background command is called"), ("b1x", "does not run")])
def test_what_does_not_run_cannot_be_ended(place, name, words):
    place.record()
    code, _, err = place("background", "end", name)
    assert code == 1
    assert words in err


def test_help_says_that_nothing_is_ended_unasked(place):
    assert "Nothing is ended unless you say so" in " ".join(place("background", "--help")[1].split())
