"""What the door knows of durations: read in one piece, put together for compound commands, or unknown."""

import pytest

from hookwright.shell.key import key_of
from hookwright.state import durations
from hookwright.state.paths import project_dir


def row(p, *, n=3, median=10.0, p90=20.0, background=None):
    return (n, median, p90, background, *([p] * len(durations.THRESHOLDS)))


def ask(rows, command, long_s=60):
    key = key_of(command)
    return durations.look_up(rows, key.segments, key.text, long_s)


def test_what_is_written_is_read(tmp_path):
    rows = {"npm install": row(0.1, background=True)}
    assert durations.write(str(tmp_path), "/p", rows)
    assert durations.read(str(tmp_path), "/p") == rows
    assert durations.read(str(tmp_path), "/other") == {}
    assert durations.read(None, "/p") == {}


@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 200, "cut", "flip"])
def test_a_damaged_file_means_that_nothing_is_known(tmp_path, damage):
    durations.write(str(tmp_path), "/p", {"a": row(0.5)})
    path = f"{project_dir(str(tmp_path), '/p')}/durations"
    with open(path, "rb") as file:
        good = file.read()
    changed = {"cut": good[:-3], "flip": good[:-3] + b"\xff" + good[-2:]}
    with open(path, "wb") as file:
        file.write(changed.get(damage, damage))
    assert durations.read(str(tmp_path), "/p") == {}


@pytest.mark.parametrize(
    ("key", "names"),
    [
        *[("npm run build", ["npm"]), ("pytest …", ["pytest"]), ("python train.py --n <n>", ["train.py"])],
        *[("./scripts/run.sh <path>", ["run.sh"]), ("bash scripts/ci.sh", ["ci.sh"]), ("python -c", ["python"])],
        *[("ssh: make all", ["make"]), ("npm ci ; ./x.sh", ["npm", "x.sh"]), ("grep <path>", ["grep"])],
    ],
)
def test_the_words_without_which_a_command_cannot_have_a_key(key, names):
    assert durations.names_in(key) == names


@pytest.mark.parametrize(
    "command",
    [
        *("npm run build", "python3 ./train.py --n 5", "cd a && bash scripts/ci.sh", "ssh h 'make all'", "python -c 1"),
        *("uv run pytest -x a.py::T", "sudo timeout 5 /usr/bin/npm ci && ./x.sh", "docker exec db psql -c x"),
    ],
)
def test_what_names_say_of_a_key_is_in_every_command_of_that_key(command):
    key = key_of(command)
    levels = [level for segment in key.segments for level in segment.levels] + [key.text]
    assert all(name in command for level in levels for name in durations.names_in(level))


def test_a_command_that_no_key_can_be_about_gets_nothing(tmp_path):
    rows = {"npm install": row(0.1), "./run.sh": row(0.9)}
    durations.write(str(tmp_path), "/p", rows)
    assert durations.relevant(str(tmp_path), "/p", "cd x && ./run.sh") == rows
    assert durations.relevant(str(tmp_path), "/p", "git status") == {}
    assert durations.relevant(str(tmp_path), "/q", "npm install") == {}


def test_a_folder_that_cannot_be_written_is_no_exception():
    assert not durations.write("/proc/nowhere", "/p", {})


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
    assert (found and round(found.p_long, 6)) == p


@pytest.mark.parametrize(("long_s", "p"), [(1, 0.9), (2, 0.9), (59, 0.5), (60, 0.4), (100, 0.4), (10_000, 0.1)])
def test_the_threshold_below_the_asked_one_answers(long_s, p):
    chances = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1)
    assert ask({"make": (1, 1.0, 2.0, None, *chances)}, "make", long_s).p_long == p


def test_the_last_decision_and_the_figures_are_there_to_be_told():
    found = ask({"make": row(0.5, n=4, median=7.0, p90=9.0, background=False)}, "make")
    assert (found.n, found.median_s, found.p90_s, found.background) == (4, 7.0, 9.0, False)
