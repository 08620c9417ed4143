"""A file that somebody else put there is read if it is one: nothing else holds us up or fills the memory."""

import os
import socket

import pytest

from hookwright.proc.safe_read import (
    FileTooLarge,
    NotRegularFile,
    open_regular,
    read_file,
    read_head,
    read_tail,
)

pytestmark = pytest.mark.slow

LIMIT = 1000
READERS = [
    pytest.param(lambda path, **how: read_file(path, LIMIT, **how), id="file"),
    pytest.param(lambda path, **how: read_head(path, LIMIT, **how), id="head"),
    pytest.param(lambda path, **how: read_tail(path, LIMIT, **how)[0], id="tail"),
]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("content", [b"", b"x", b"line\n" * 100, bytes(LIMIT)])
def test_an_ordinary_file_is_read_whole(tmp_path, read, content):
    (tmp_path / "file").write_bytes(content)
    (tmp_path / "link").symlink_to("file")
    assert read(str(tmp_path / "file")) == read(str(tmp_path / "link")) == content


def make_fifo(path):
    os.mkfifo(path)


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.getcwd()
        os.chdir(path.parent)  # the path of a socket must be short
        listener.bind(path.name)
        os.chdir(here)


def make_device(path):
    path.symlink_to("/dev/zero")


def make_link_to_fifo(path):
    os.mkfifo(f"{path}.fifo")
    path.symlink_to(f"{path}.fifo")


def make_loop(path):
    path.symlink_to(path.name)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("make", "error"),
    [
        (make_fifo, NotRegularFile),
        (make_link_to_fifo, NotRegularFile),
        (make_device, NotRegularFile),
        (make_socket, OSError),
        (os.mkdir, IsADirectoryError),
        (make_loop, OSError),
        (lambda path: None, FileNotFoundError),
    ],
)
def test_anything_else_is_refused_at_once(tmp_path, read, make, error):
    make(tmp_path / "it")
    before = os.listdir("/proc/self/fd")
    with pytest.raises(error):
        read(str(tmp_path / "it"))
    assert os.listdir("/proc/self/fd") == before


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize("path", ["a\0b", "\udcff\ud800", ""])
def test_a_path_that_cannot_be_is_an_oserror(read, path):
    with pytest.raises(OSError):  # noqa: PT011  whichever: callers catch one thing
        read(path)


@pytest.mark.parametrize("read", READERS)
def test_a_symlink_can_be_refused(tmp_path, read):
    (tmp_path / "file").write_bytes(b"x")
    (tmp_path / "link").symlink_to("file")
    assert read(str(tmp_path / "file"), follow=False) == b"x"
    with pytest.raises(OSError, match="symbolic links"):
        read(str(tmp_path / "link"), follow=False)


def test_more_than_the_limit_is_refused_or_cut(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"a" * LIMIT + b"z")
    with pytest.raises(FileTooLarge):
        read_file(str(path), LIMIT)
    assert read_head(str(path), LIMIT) == b"a" * LIMIT
    assert read_tail(str(path), LIMIT) == (b"a" * (LIMIT - 1) + b"z", False)
    assert read_tail(str(path), LIMIT + 1) == (path.read_bytes(), True)


def test_a_huge_file_costs_neither_time_nor_memory(tmp_path):
    path = tmp_path / "huge"
    path.touch()
    os.truncate(path, 1 << 40)
    with pytest.raises(FileTooLarge):
        read_file(str(path), LIMIT)
    assert read_head(str(path), LIMIT) == bytes(LIMIT)
    assert read_tail(str(path), LIMIT) == (bytes(LIMIT), False)


def test_a_file_without_a_size_is_read_to_its_end_or_its_limit():
    """Files in /proc say that they are empty."""
    with open("/proc/self/maps", "rb") as file:
        expected = file.read()
    assert read_file("/proc/self/stat", 1 << 20).startswith(b"%d (" % os.getpid())
    assert len(read_head("/proc/self/maps", 100)) == 100
    assert read_head("/proc/self/maps", 1 << 24)[:200] == expected[:200]
    with pytest.raises(FileTooLarge):
        read_file("/proc/self/maps", 100)


def test_what_was_checked_is_what_is_read(tmp_path):
    """The check is on the open file: another one that takes its name afterwards does not matter."""
    (tmp_path / "file").write_bytes(b"checked")
    descriptor, found = open_regular(str(tmp_path / "file"))
    (tmp_path / "file").unlink()
    os.mkfifo(tmp_path / "file")
    assert (os.read(descriptor, 100), found.st_size) == (b"checked", 7)
    os.close(descriptor)
