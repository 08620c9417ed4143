"""A program comes from an absolute directory of PATH, never from the project that somebody stands in."""

import os

import pytest

from hookwright.proc.find_program import clean_search_path, find_program
from hookwright.proc.run_programs import Job, run_job
from hookwright.proc.spawn import spawn_session


@pytest.fixture
def project(tmp_path):
    """A project with a `tool` of its own, and another one outside of it."""
    for place, text in (("project", "theirs"), ("project/bin", "theirs"), ("outside", "ours")):
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / "tool").write_text(f"#!/bin/sh\necho {text}; exit 7\n")
        (tmp_path / place / "tool").chmod(0o755)
    (tmp_path / "link").symlink_to(tmp_path / "project/bin")
    return tmp_path / "project"


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        (None, "/usr/bin:/bin"),
        ("", "/usr/bin:/bin"),
        (":", "/usr/bin:/bin"),
        (".:bin:../x", "/usr/bin:/bin"),
        ("/a::/b:.:c:/d:", "/a:/b:/d"),
        ("{0}:{0}/bin:{0}s/bin:{1}/outside", "{0}s/bin:{1}/outside"),
        ("{1}/link:/a", "/a"),
        ("{1}/outside/../project/bin:/a", "/a"),
    ],
)
def test_entries_that_mean_the_project_are_left_out(project, path, kept):
    names = (str(project), str(project.parent))
    assert clean_search_path(path and path.format(*names), (str(project),)) == kept.format(*names)


def test_only_a_file_that_can_be_executed_is_a_program(project):
    (project.parent / "outside/folder").mkdir()
    (project.parent / "outside/text").write_text("")
    path = str(project.parent / "outside")
    assert [find_program(name, path) for name in ("tool", "folder", "text", "none", "")] == [f"{path}/tool", *[""] * 4]
    assert find_program("./x", path) == "./x"


@pytest.mark.parametrize("entry", ["", ".", "bin"])
@pytest.mark.parametrize("command", [["tool"], "tool"])
def test_a_job_takes_no_program_from_the_current_directory(project, monkeypatch, entry, command):
    monkeypatch.setenv("PATH", f"{entry}:{project.parent}/outside:/bin")
    result = run_job(Job(command, cwd=str(project), seconds=60))
    assert (result.code, result.stdout) == (7, b"ours\n")


def test_a_job_avoids_directories_and_keeps_what_the_user_put_on_the_path_otherwise(project, monkeypatch):
    monkeypatch.setenv("PATH", f"{project}/bin:{project.parent}/outside:/bin")
    assert run_job(Job(["tool"], cwd="/", seconds=60)).stdout == b"theirs\n"
    assert run_job(Job(["tool"], cwd="/", seconds=60, avoid=(str(project),))).stdout == b"ours\n"
    assert run_job(Job(["nothing"], cwd="/", seconds=60)).problem == "cannot be started: No such file or directory"


@pytest.mark.parametrize("entry", ["", ".", "bin"])
def test_a_spawned_command_is_not_taken_from_the_current_directory(project, monkeypatch, entry):
    monkeypatch.chdir(project)
    monkeypatch.setenv("PATH", f"{entry}:/usr/bin:/bin")
    with pytest.raises(FileNotFoundError):
        spawn_session(["tool"], os.environb, [])
    monkeypatch.setenv("PATH", f"{entry}:{project.parent}/outside:/bin")
    pid = spawn_session(["tool"], os.environb, [])
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
