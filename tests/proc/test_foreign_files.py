"""Wherever we read what a project, the client or a user put there: a fifo, a device or a huge file is unreadable."""

import os

import pytest

from hookwright.config.compiler import resolve_options
from hookwright.config.discover_entry_points import library_paths, read_entry_points
from hookwright.config.discover_files import read_files
from hookwright.engine.handlers.conversation import read_conversation
from hookwright.git import directory
from hookwright.hooks.base import World
from hookwright.hooks.format.format_file import ProjectFormatter
from hookwright.hooks.format.formatters import select_formatter
from hookwright.hooks.observer.project_log import append_command
from hookwright.hooks.questions.preference_files import UnusableFile, load_preferences
from hookwright.hooks.questions.skill import find_current_skill
from hookwright.runtime.entry_filter import is_registered
from hookwright.settings.find import read_json_object
from hookwright.settings.handler_command import read_shebang
from hookwright.shell.project_scripts.find_script import read_file
from hookwright.store.transcripts import TranscriptReader

pytestmark = pytest.mark.slow


def read_preferences(path):
    with pytest.raises(UnusableFile):
        load_preferences(path)


def read_transcript(path):
    with pytest.raises(OSError):  # noqa: PT011  whichever
        list(TranscriptReader(path).read_entries())


def read_configuration(path):
    found = resolve_options(path, "", trusted=False)
    assert found.broken
    assert "cannot be read" in found.problems[0].what


def in_place(name, path):
    """The file under another name, in a directory of its own."""
    folder = os.path.join(os.path.dirname(path), "place")
    target = os.path.join(folder, name)
    os.makedirs(os.path.dirname(target))
    os.symlink(path, target)
    return folder


def read_settings_of_project(path):
    folder = in_place(".claude/settings.json", path)
    return is_registered("Stop", None, World(project=folder))


# What each of them returns for a file that cannot be read.
READERS = {
    "package.json, Makefile": (read_file, None),
    "git file": (lambda path: directory.git_dir(in_place(".git", path)).endswith("/.git"), True),
    "hook file": (lambda path: read_files([path])[path], b""),
    "config.toml": (read_configuration, None),
    ".pth file": (lambda path: library_paths([in_place("a.pth", path)])[1:], ()),
    "entry points": (lambda path: list(read_entry_points(in_place("a.dist-info/entry_points.txt", path))), []),
    "preferences": (read_preferences, None),
    "skill in a transcript": (lambda path: find_current_skill(path, "id", 0.0), None),
    "transcript": (read_transcript, None),
    "conversation": (lambda path: read_conversation({"transcript_path": path}), []),
    "settings.json": (read_settings_of_project, False),
    "file of the client": (read_json_object, {}),
    "script of a hook": (read_shebang, None),
    "formatter's configuration": (
        lambda path: select_formatter(
            f"{in_place('pyproject.toml', path)}/a.py", os.path.dirname(path), ["ruff"], "", trusted=True
        ),
        None,
    ),
}


def make_fifo(path):
    os.mkfifo(path)


def make_device(path):
    os.symlink("/dev/zero", path)


@pytest.mark.parametrize("make", [make_fifo, make_device, os.mkdir])
@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_file_is_unreadable(tmp_path, reader, make):
    read, expected = READERS[reader]
    path = str(tmp_path / "it")
    make(path)
    assert read(path) == expected


def test_a_huge_hook_file_or_configuration_is_unreadable(tmp_path):
    path = tmp_path / "huge"
    path.touch()
    os.truncate(path, 1 << 40)
    assert read_files([str(path)]) == {str(path): b""}
    read_configuration(str(path))


def test_a_fifo_in_the_place_of_a_project_s_log_is_not_written(tmp_path):
    os.mkfifo(tmp_path / "log")
    assert not append_command(str(tmp_path), "log", 0.0, {"command": "ls"})


def test_a_fifo_that_claude_wrote_is_not_formatted(tmp_path):
    os.mkfifo(tmp_path / "a.py")
    formatter = ProjectFormatter(
        str(tmp_path), formatters=[], commands=[{"files": ["*.py"], "command": "cat", "name": "cat"}]
    )
    assert formatter.format_file(str(tmp_path / "a.py"), None).skipped
