"""A file is replaced whole or not at all: whoever writes at the same time, dies, or runs out of disk."""

import os
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time

import pytest

from hookwright.proc.atomic_write import LEFTOVER_S, Replacement, is_temporary, remove_leftovers, write_atomic

pytestmark = pytest.mark.slow


def temporary_files(folder):
    return [path.name for path in folder.iterdir() if is_temporary(path.name)]


@pytest.mark.parametrize("durable", [False, True])
@pytest.mark.parametrize("before", [None, b"old", b"x" * 100_000])
def test_the_content_is_replaced_and_the_file_is_for_the_user_alone(tmp_path, before, durable):
    path = tmp_path / "file"
    if before is not None:
        path.write_bytes(before)
        path.chmod(0o644)
    write_atomic(str(path), b"new", durable=durable)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_a_symlink_is_replaced_and_what_it_points_at_stays(tmp_path):
    (tmp_path / "target").write_bytes(b"theirs")
    (tmp_path / "link").symlink_to("target")
    write_atomic(str(tmp_path / "link"), b"ours")
    assert (tmp_path / "target").read_bytes() == b"theirs"
    assert not (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("kind", ["no directory", "a directory in its place", "a NUL"])
def test_what_cannot_be_written_raises_and_leaves_nothing(tmp_path, kind):
    (tmp_path / "folder" / "in it").mkdir(parents=True)
    path = {
        "no directory": f"{tmp_path}/no/file",
        "a directory in its place": f"{tmp_path}/folder",
        "a NUL": f"{tmp_path}/a\0b",
    }[kind]
    with pytest.raises((OSError, ValueError)):
        write_atomic(path, b"new")
    assert temporary_files(tmp_path) == []


def test_an_exception_before_the_commit_leaves_the_old_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with Replacement(str(path)) as new, pytest.raises(TypeError):
        new.write("not bytes")
    assert path.read_bytes() == b"old"
    assert temporary_files(tmp_path) == []


def test_a_planted_temporary_file_is_never_written_through(tmp_path):
    """Somebody who knows the name could put a symlink there."""
    (tmp_path / "victim").write_bytes(b"theirs")
    (tmp_path / "name.tmp").symlink_to("victim")
    with pytest.raises(FileExistsError), Replacement(str(tmp_path / "file"), f"{tmp_path}/name.tmp") as new:
        new.write(b"ours")
    assert (tmp_path / "victim").read_bytes() == b"theirs"


WRITES_MUCH = """
import sys
from hookwright.proc.atomic_write import write_atomic
write_atomic(sys.argv[1], b"old")
try:
    write_atomic(sys.argv[1], b"x" * 1_000_000)
except OSError as error:
    with open(sys.argv[1]) as file:
        print(error.strerror, file.read(), len(__import__("os").listdir(sys.argv[2])))
"""
MOUNTED = 'mount -t tmpfs -o size=64k tmpfs "$3" && exec "$0" -c "$1" "$2" "$3"'


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_a_file_that_may_not_grow_leaves_the_old_one_and_no_rest(tmp_path):
    """The first write takes what fits, the second fails: as on a disk that runs full."""
    command = [sys.executable, "-c", WRITES_MUCH, f"{tmp_path}/file", str(tmp_path)]
    done = subprocess.run(command, preexec_fn=limit_file_size, capture_output=True, text=True, check=True)
    assert done.stdout == "File too large old 1\n"


def test_a_full_disk_leaves_the_old_file_and_no_rest(tmp_path):
    """A file system of 64 KiB in a namespace of its own: it goes with the process."""
    if shutil.which("unshare") is None:
        pytest.skip("unshare is not installed")
    namespace = ["unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", MOUNTED]
    command = [*namespace, sys.executable, WRITES_MUCH, f"{tmp_path}/file", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no mount namespace here: {done.stderr}")
    assert done.stdout == "No space left on device old 1\n"


WRITES_HALF = """
import sys, time
from hookwright.proc.atomic_write import Replacement
with Replacement(sys.argv[1]) as new:
    new.write(b"half")
    print("written", flush=True)
    time.sleep(300)
"""


def test_a_writer_killed_before_the_rename_leaves_the_old_file_and_its_rest_goes_later(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    writer = subprocess.Popen([sys.executable, "-c", WRITES_HALF, str(path)], stdout=subprocess.PIPE)
    with writer:
        assert writer.stdout.readline() == b"written\n"
        writer.send_signal(signal.SIGKILL)
    assert path.read_bytes() == b"old"
    [rest] = temporary_files(tmp_path)
    assert remove_leftovers(str(tmp_path), time.time()) == 0  # its writer may be alive
    assert remove_leftovers(str(tmp_path), time.time() + LEFTOVER_S + 60) == 1
    assert [found.name for found in tmp_path.iterdir()] == ["file"]
    (tmp_path / rest).write_bytes(b"")
    os.utime(tmp_path / rest, (1, 1))
    write_atomic(str(path), b"new", sweep=False)
    assert (tmp_path / rest).exists()
    write_atomic(str(path), b"new", sweep=True)
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("name", ["file", "file.tmp", "file.12345678", "12345678.tmp", "a.1234567x.tmp", "a.1234.tmp"])
def test_only_temporary_files_of_ours_are_removed(tmp_path, name):
    (tmp_path / name).write_bytes(b"")
    os.utime(tmp_path / name, (1, 1))
    assert remove_leftovers(str(tmp_path), time.time()) == 0


def test_a_directory_that_is_gone_has_no_leftovers(tmp_path):
    assert remove_leftovers(str(tmp_path / "gone"), time.time()) == 0


WRITES_ON = """
import sys
from hookwright.proc.atomic_write import write_atomic
print("on", flush=True)
while True:
    write_atomic(sys.argv[1], sys.argv[2].encode() * 50_000)
"""


def test_readers_see_one_whole_content_while_writers_race_and_die(tmp_path):
    path = tmp_path / "file"
    command = [sys.executable, "-c", WRITES_ON, str(path)]
    writers = [subprocess.Popen([*command, letter], stdout=subprocess.PIPE) for letter in "abc"]
    try:
        for writer in writers:
            writer.stdout.readline()
        while not path.exists():
            time.sleep(0.01)
        for turn in range(200):
            if turn == 100:
                writers[0].kill()
            content = path.read_bytes()
            assert len(content) == 50_000
            assert len(set(content)) == 1
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
