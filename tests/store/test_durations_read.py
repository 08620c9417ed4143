"""What the hook process knows of durations: probed by hash, put together for compound commands, or unknown."""

import pytest

from hookwright.shell.command_key import key_of
from hookwright.store import durations_read, durations_write
from hookwright.store.paths import project_dir


def row(p, *, n=3, median=10.0, p90=20.0, background=None):
    return (n, median, p90, background, *([p] * len(durations_read.THRESHOLDS)))


def ask(rows, command, long_s=60):
    key = key_of(command)
    return durations_read.estimate_segments(rows, key.segments, key.text, long_s)


@pytest.mark.parametrize(
    "command",
    [
        *("npm run build", "python3 ./train.py --n 5", "cd a && bash scripts/ci.sh", "ssh h 'make all'", "python -c 1"),
        *("uv run pytest -x a.py::T", "sudo timeout 5 /usr/bin/npm ci && ./x.sh", "docker exec db psql -c x"),
    ],
)
def test_a_command_contains_every_name_that_its_duration_keys_require(command):
    key = key_of(command)
    levels = [level for segment in key.segments for level in segment.levels] + [key.text]
    names = durations_read.extract_names(command)
    assert all(f"\n{name}\n" in names for level in levels for name in durations_write.required_names(level))


@pytest.mark.parametrize(
    ("command", "every", "seen"),
    [
        ("cd x && ./run.sh", False, ()),
        ("npm install", True, ()),
        ("npm install", False, None),  # a quick past says nothing new of a command that is quick by its name
        ("bash -c 'npm install'", True, ()),
        ("git status", True, None),
        ("run.sh.bak", True, None),
        ("./train.sh --n 5", False, ("./train.sh", False, row(0.9))),
        ("./train.sh --n 6", False, None),
    ],
)
def test_only_a_command_that_a_key_can_be_about_is_looked_up(tmp_path, command, every, seen):
    rows = {"npm install": row(0.01), "./run.sh": row(0.9)}
    texts = {"./train.sh --n 5": ("./train.sh", False, row(0.9))}
    durations_write.write_durations(str(tmp_path), "/p", rows, texts)
    assert durations_read.probe_command(project_dir(str(tmp_path), "/p"), command, every=every) == seen
    assert durations_read.probe_command(project_dir(str(tmp_path), "/q"), command, every=every) is None


def test_every_key_of_many_is_found_and_no_other(tmp_path):
    rows = {f"./job-{number}.sh": row(round(number / 1000, 3)) for number in range(600)}
    texts = {f"./job-{number}.sh now": (f"./job-{number}.sh", True, row(0.5)) for number in range(400)}
    durations_write.write_durations(str(tmp_path), "/p", rows, texts)
    folder = project_dir(str(tmp_path), "/p")
    assert durations_read.read_rows(folder, [*rows, "./job-600.sh", ""]) == (rows, False)
    assert durations_write.read_durations(str(tmp_path), "/p") == rows
    assert durations_read.probe_command(folder, "./job-7.sh now", every=False)[0] == "./job-7.sh"


def test_it_is_told_whether_a_key_serves(tmp_path):
    durations_write.write_durations(
        str(tmp_path), "/p", {"npm run dev": row(0.1), "make": row(0.1)}, serving={"npm run dev"}
    )
    folder = project_dir(str(tmp_path), "/p")
    assert durations_read.read_rows(folder, ["make"])[1] is False
    assert durations_read.read_rows(folder, ["make", "npm run dev"])[1] is True


@pytest.mark.parametrize(
    ("rows", "command", "p"),
    [
        ({"npm install": row(0.9)}, "npm install", 0.9),
        ({"pytest …": row(0.2)}, "pytest -x a.py::T", 0.2),
        ({"pytest …": row(0.2), "pytest <node>": row(0.1)}, "pytest -x a.py::T", 0.1),
        ({"npm ci …": row(0.5), "npm test …": row(0.5)}, "npm ci && npm test", 0.75),
        ({"npm ci ; npm test": row(0.1), "npm ci …": row(0.9)}, "npm ci && npm test", 0.1),
        ({"psql …": row(0.3), "python load.py …": row(0.6)}, "psql -c x | python load.py", 0.6),
        ({"npm ci …": row(0.9)}, "npm ci && ./unknown.sh", 0.9),
        ({"npm ci …": row(0.1)}, "npm ci && ./unknown.sh", None),
        ({"npm ci …": row(0.9)}, "make", None),
        ({}, "npm install", None),
        ({"": row(0.9)}, "", None),
    ],
)
def test_the_narrowest_knowledge_wins_and_parts_add_up(rows, command, p):
    found = ask(rows, command)
    assert (found and round(found[4], 6)) == p


@pytest.mark.parametrize(("long_s", "p"), [(1, 0.9), (2, 0.9), (59, 0.5), (60, 0.4), (100, 0.4), (10_000, 0.1)])
def test_the_threshold_below_the_asked_one_answers(long_s, p):
    chances = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
    assert ask({"make": (1, 1.0, 2.0, None, *chances)}, "make", long_s)[4] == p


def test_the_last_decision_and_the_figures_are_there_to_be_told():
    found = ask({"make": row(0.5, n=4, median=7.0, p90=9.0, background=False)}, "make")
    assert found == (4, 7.0, 9.0, False, 0.5)
