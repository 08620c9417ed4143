"""The list of a session's background commands, and how long each should take."""

import math
import os
import random

import pytest

from hookwright.store import background_tasks as tasks

PAST = (6, 100.0, 160.0, None, 0.9)  # runs, median, p90, last decision, p_long


def start(state, task="b1", session="s1", started=1000.0, **known):
    given = {
        "project": "/home/ann/shop",
        "command": "npm run build",
        "key": "npm run build",
        "past": PAST,
        "endless": False,
        "serves": False,
    }
    assert tasks.add_start(str(state), session, task, started, **{**given, **known})
    return tasks.read_tasks(str(state), session)[task]


def test_what_was_written_is_read_whatever_the_command_holds(tmp_path):
    command = "printf 'a\tb\n50%% %09 \udcff'"
    task = start(tmp_path, command=command, client=7, client_started=123456)
    assert (task.command, task.client, task.client_started) == (command, 7, 123456)
    assert (task.runs, task.median_s, task.p90_s, task.endless) == (6, 100.0, 160.0, False)


def test_ends_looks_and_marks_belong_to_their_task(tmp_path):
    start(tmp_path, "b1")
    start(tmp_path, "b2")
    for kind, what in ((tasks.LOOK, ""), (tasks.LOOK, ""), (tasks.TOLD, "looks"), (tasks.END, "completed")):
        tasks.add_mark(str(tmp_path), "s1", kind, "b1", 1005.0, what)
    tasks.add_mark(str(tmp_path), "s1", tasks.END, "unheard-of", 1005.0)
    first, second = tasks.read_tasks(str(tmp_path), "s1").values()
    assert (first.looks, first.told, first.ended, first.outcome) == (2, {"looks"}, 1005.0, "completed")
    assert (second.looks, second.ended) == (0, None)
    assert [task.id for task in tasks.list_running(str(tmp_path))] == ["b2"]


def test_torn_and_foreign_lines_are_skipped(tmp_path):
    start(tmp_path)
    with open(tasks.tasks_path(str(tmp_path), "s1"), "ab") as file:
        file.write(b"start\t12\tb9\nend\tx\tb1\tok\n\xff\xfe\n\nstart\t1.0")
    assert list(tasks.read_tasks(str(tmp_path), "s1")) == ["b1"]
    assert tasks.read_tasks(str(tmp_path), "s1")["b1"].ended is None


@pytest.mark.parametrize("state", [None, "/nonexistent"])
def test_without_a_state_directory_there_is_nothing(state):
    assert tasks.list_tasks(state) == []
    assert not tasks.has_tasks(state, "s1")


@pytest.mark.parametrize(
    ("known", "late"),
    [
        ({"past": None}, tasks.UNKNOWN_LATE_S),
        ({"past": (3, 2.0, 4.0, None, 0.0)}, tasks.LEAST_LATE_S),
        ({"endless": True}, math.inf),
        ({"past": (1000, 100.0, 100.0 * math.exp(1.2816 * 0.5), None, 0.9)}, 100 * math.exp(2.3263 * 0.5)),
    ],
)
def test_a_command_is_late_when_99_of_100_runs_have_ended(tmp_path, known, late):
    task = start(tmp_path, **known)
    assert task.late_seconds == pytest.approx(late, rel=0.01)
    assert not task.is_overdue(1000.0 + min(late, 1e9) - 1)
    assert task.is_overdue(1000.0 + late + 1) == (late < math.inf)


def test_few_runs_make_the_bound_wider(tmp_path):
    few, many = (start(tmp_path, name, past=(n, 100.0, 160.0, None, 0.9)) for name, n in (("b1", 1), ("b2", 50)))
    assert few.late_seconds > many.late_seconds > 160.0


def test_what_remains_is_the_median_of_those_runs_that_lasted_so_long(tmp_path):
    task = start(tmp_path)
    spread = math.log(1.6) / 1.2816
    chance = random.Random(4)
    runs = [math.exp(math.log(100) + spread * chance.gauss(0, 1)) for _ in range(40_000)]
    for elapsed in (1, 60, 100, 150):
        left = sorted(run - elapsed for run in runs if run > elapsed)
        assert task.remaining_seconds(1000 + elapsed) == pytest.approx(left[len(left) // 2], rel=0.06)


@pytest.mark.parametrize("known", [{"past": None}, {"endless": True}])
def test_nothing_is_said_about_the_end_of_the_unknown_and_the_endless(tmp_path, known):
    assert start(tmp_path, **known).remaining_seconds(1010.0) is None


def test_a_session_with_very_many_tasks_stops_being_recorded_instead_of_growing(tmp_path, monkeypatch):
    monkeypatch.setattr(tasks, "MAX_BYTES", 2000)
    for number in range(100):
        tasks.add_mark(str(tmp_path), "s1", tasks.LOOK, f"b{number}", 1.0)
    assert os.path.getsize(tasks.tasks_path(str(tmp_path), "s1")) < 2100
