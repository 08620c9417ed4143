"""What was learned is published whole or not at all, and a damaged file says nothing."""

import pytest

from hookwright.store import durations_read, durations_write
from hookwright.store.paths import project_dir


def row(p, *, n=3, median=10.0, p90=20.0, background=None):
    return (n, median, p90, background, *([p] * len(durations_read.THRESHOLDS)))


def test_what_is_written_is_read(tmp_path):
    rows = {"npm install": row(0.1, background=True)}
    assert durations_write.write_durations(str(tmp_path), "/p", rows)
    assert durations_write.read_durations(str(tmp_path), "/p") == rows
    assert durations_write.read_durations(str(tmp_path), "/other") == {}
    assert durations_write.read_durations(None, "/p") == {}


@pytest.mark.parametrize("damage", [b"", b"x", b"\0" * 200, "cut", "flip"])
def test_a_damaged_file_means_that_nothing_is_known(tmp_path, damage):
    durations_write.write_durations(str(tmp_path), "/p", {"a": row(0.5)})
    path = f"{project_dir(str(tmp_path), '/p')}/durations"
    with open(path, "rb") as file:
        good = file.read()
    changed = {"cut": good[:-3], "flip": good[:-3] + b"\xff" + good[-2:]}
    with open(path, "wb") as file:
        file.write(changed.get(damage, damage))
    assert durations_write.read_durations(str(tmp_path), "/p") == {}
    assert durations_read.read_rows(project_dir(str(tmp_path), "/p"), ["a"]) == ({}, False)
    assert durations_read.probe_command(project_dir(str(tmp_path), "/p"), "b", every=True) is None


@pytest.mark.parametrize(
    ("key", "names"),
    [
        *[("npm run build", ["npm"]), ("pytest …", ["pytest"]), ("python train.py --n <n>", ["train.py"])],
        *[("./scripts/run.sh <path>", ["run.sh"]), ("bash scripts/ci.sh", ["ci.sh"]), ("python -c", ["python"])],
        *[("ssh: make all", ["make"]), ("npm ci ; ./x.sh", ["npm", "x.sh"]), ("grep <path>", ["grep"])],
    ],
)
def test_the_words_without_which_a_command_cannot_have_a_key(key, names):
    assert durations_write.required_names(key) == names


def test_a_folder_that_cannot_be_written_is_no_exception():
    assert not durations_write.write_durations("/proc/nowhere", "/p", {})
