"""What counts as a duration, and what is only a bound."""

import pytest

from hookwright.store import duration_sums, durations_read, durations_write
from hookwright.store.paths import project_dir


@pytest.mark.parametrize(
    ("ending", "sample"),
    [
        ({"took": 3.0}, (3.0, "exact", 1.0)),
        ({"took": 3.0, "failed": True, "outcome": "failed", "exit_code": 1}, (3.0, "exact", 0.5)),
        ({"took": 120.0, "failed": True, "outcome": "timed_out", "exit_code": None}, (120.0, "least", 1.0)),
        ({"took": 5.0, "outcome": "interrupted"}, (5.0, "least", 0.2)),
        ({"took": 120.0, "outcome": "background", "task_id": "b1"}, (120.0, "least", 1.0)),
        ({"took": 0.01, "outcome": "background", "task_id": "b1", "behind": True}, None),
    ],
    ids=["ok", "failed", "timed out", "interrupted", "moved by the client", "launched behind"],
)
def test_an_ending_is_a_duration_a_bound_or_nothing(past, ending, sample):
    past.ran("make", **ending)
    assert past.samples() == ([("make", *sample)] if sample else [])


@pytest.mark.parametrize(
    ("status", "kind", "weight"), [("ok", "exact", 1.0), ("failed", "exact", 0.5), ("interrupted", "least", 0.5)]
)
def test_a_background_command_s_duration_ends_with_the_client_s_notice(past, status, kind, weight):
    past.moved("make", ends_after=90.0, status=status)
    assert past.samples() == [("make", 90.0, kind, weight)]


def test_the_notice_makes_a_bound_exact(past):
    call = past.ran("make", 120.0, outcome="background", task_id="b1")
    past.event("UserPromptSubmit", later=60.0, tool_use_id=call, task_id="b1", outcome="ok")
    assert past.samples() == [("make", 180.0, "exact", 1.0)]


def test_a_task_that_is_no_longer_listed_had_ended_by_then(past):
    past.moved("make", task="b7")
    past.event("Stop", later=10.0, tasks=[{"id": "b7", "status": "running"}])
    past.event("Stop", later=30.0)
    assert past.samples() == [("make", 40.0, "most", 0.5)]


def test_a_call_that_never_ended_took_longer_than_until_the_next(past):
    past.pre("make")
    past.pre("ls", later=40.0)
    assert past.samples() == [("make", 40.0, "least", 0.2)]


@pytest.mark.parametrize("answer", ["deny", "ask", "block"])
def test_a_call_that_was_not_let_through_is_no_sample(past, answer):
    past.pre("rm -rf /", answer=answer)
    past.pre("ls", later=40.0)
    assert past.samples() == []


def test_samples_are_taken_once_however_often_they_are_asked_for(past):
    past.ran("make", 3.0)
    assert past.samples() == past.samples()
    past.ran("make", 4.0)
    assert len(past.samples()) == 2


def test_commands_get_their_key_and_intent(past):
    past.pre("pytest -x tests/a.py::T")
    row = past.store().execute("SELECT key, intent FROM events").fetchone()
    assert tuple(row) == ("pytest -x <node>", "test")


def test_what_was_learned_is_published_for_the_hook_process(past):
    for _ in range(3):
        past.ran("./slow.sh", 200.0)
        past.ran("npm install", 2.0)
    past.store()
    rows = durations_write.read_durations(past.state, "/home/ann/shop")
    at = 4 + durations_read.THRESHOLDS.index(60)
    assert rows["./slow.sh"][at] > 0.6
    assert rows["npm install"][at] < 0.1
    assert rows["./slow.sh"][0] == 3


def test_what_was_run_is_found_in_the_same_words(past):
    for _ in range(3):
        past.ran("./slow.sh --n 5 2>&1 | tail -3", 200.0)
        past.ran("npm install", 2.0)
        past.ran("npm run dev", 3.0)
        past.ran("ls -la", 0.1)
    past.store()
    folder = project_dir(past.state, "/home/ann/shop")
    seen = {
        command: durations_read.probe_command(folder, command, every=False)
        for command in ("./slow.sh --n 5 2>&1 | tail -3", "npm install", "npm run dev", "ls -la", "./slow.sh --n 6")
    }
    assert {command: found and found[:2] for command, found in seen.items()} == {
        "./slow.sh --n 5 2>&1 | tail -3": ("./slow.sh --n <n>", False),
        "npm install": ("npm install", False),
        "npm run dev": ("npm run dev", True),
        "ls -la": None,
        "./slow.sh --n 6": (),
    }


def test_the_last_decision_is_published_with_it(past):
    past.moved("make all", ends_after=50.0)
    past.ran("npm install", 0.1)
    past.store()
    rows = durations_write.read_durations(past.state, "/home/ann/shop")
    assert rows["make all"][3] is True
    assert rows["npm install"][3] is False


def test_a_compound_command_is_learned_as_a_whole(past):
    past.ran("npm ci && npm run build", 100.0)
    past.store()
    assert set(durations_write.read_durations(past.state, "/home/ann/shop")) == {"npm ci ; npm run build"}
    assert duration_sums.describe_command("npm ci && npm run build")[0] == ("npm ci ; npm run build",)


@pytest.mark.parametrize(
    ("command", "shared"), [("pytest", "pytest …"), ("./run.sh", ""), ("python x.py", ""), ("", "")]
)
def test_only_what_means_the_same_elsewhere_is_shared_between_projects(command, shared):
    assert duration_sums.describe_command(command)[1] == shared
