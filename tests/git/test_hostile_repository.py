"""No program that a repository names runs through a question of ours, nor one that lies in it."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from hookwright.git import directory, query
from hookwright.hooks.context.hook import Context
from hookwright.hooks.format.hook import Format
from hookwright.hooks.questions.preference_files import owner_of
from hookwright.hooks.stop_guard.hook import StopGuard
from hookwright.options import validate_option
from hookwright.proc.run_programs import run_job
from tests.git.hostile_repository import GIT_VARIABLES, HostileRepository
from tests.hooks.kit import Desk

pytestmark = pytest.mark.slow

SOURCE = Path(query.__file__).parents[1]
# Where a partial clone would fetch what is missing.
REMOTES = ("ext::{program}", "ssh://host.invalid/x", "git://host.invalid/x", "/nowhere/x", "evil::x")


@pytest.fixture
def hostile(tmp_path):
    return HostileRepository(tmp_path)


def ask_everything(top):
    """Every question that `git/query.py` and its users have for git, by their own functions."""
    query.tracked_changes(top)
    query.untracked_of(top, ["new", "a.py"])
    query.committed_since(top, "2 hours ago")
    query.branch_of(top)
    query.is_ignored(top, f"{top}/a.py")
    query.find_filtered(top, ["a.py", "plain"])
    directory.read_stamp(top)
    owner_of(top)


def fire_hooks(desk):
    """Every hook that asks git, with its options turned up."""
    checks = validate_option(StopGuard.checks, [{"command": "true", "files": ["**"]}])
    options = {"checks": checks, "uncommitted": "block"}
    desk.fire(Context, "SessionStart", source="startup")
    desk.fire(Context, "UserPromptSubmit", prompt="go on")
    desk.write(StopGuard, "a.py", "3\n", options)
    desk.write(StopGuard, "b.md", "3\n", options)
    desk.write(StopGuard, "c.txt", "3\n", options)
    desk.fire(StopGuard, "Stop", options, stop_hook_active=False)
    desk.put("pyproject.toml", "[tool.ruff]\n")
    desk.write(Format, "a.py", "x=1\n", {"mode": "on"})


def desk_of(hostile, tmp_path):
    os.rename(hostile.top, tmp_path / "project")
    hostile.top = tmp_path / "project"
    return Desk(tmp_path, repository=False)


def test_plain_git_does_run_them(hostile):
    """Otherwise the other tests would prove nothing."""
    for words in (["status"], ["log", "-3"], ["hash-object", "a.py"], ["hash-object", "c.txt"]):
        hostile.git(*words, check=False)
    seen = set(hostile.ran())
    hostile.lose_objects()
    hostile.git("log", "-3", check=False)
    seen.update(hostile.ran())
    found = {"core.fsmonitor", "filter.evil.clean", "filter.multi.process", "filter.a=b.clean", "remote.origin.url"}
    assert seen >= found | {"gpg.openpgp.program"}


def test_no_question_runs_a_program_of_the_repository(hostile):
    ask_everything(str(hostile.top))
    assert hostile.ran() == []


def test_no_hook_runs_a_program_of_the_repository(hostile, tmp_path):
    fire_hooks(desk_of(hostile, tmp_path))
    assert hostile.ran() == []


@pytest.mark.parametrize("remote", REMOTES)
def test_a_partial_clone_fetches_nothing(tmp_path, remote):
    hostile = HostileRepository(tmp_path, remote)
    hostile.lose_objects()
    ask_everything(str(hostile.top))
    fire_hooks(desk_of(hostile, tmp_path))
    assert hostile.ran() == []


def test_no_variable_of_git_runs_a_program_or_brings_settings(hostile, tmp_path, monkeypatch):
    for name in GIT_VARIABLES:
        monkeypatch.setenv(name, hostile.program(name))
    settings = tmp_path / "settings"
    settings.write_text(f'[filter "plain"]\n\tclean = {hostile.program("from a variable")}\n')
    hostile.write(".gitattributes", "* filter=plain\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'filter.plain.clean'='{hostile.program('parameters')}'")
    monkeypatch.setenv("GIT_EXEC_PATH", str(hostile.programs))
    ask_everything(str(hostile.top))
    assert hostile.ran() == []


@pytest.mark.parametrize("variable", ["HOME", "XDG_CONFIG_HOME"])
def test_settings_of_the_user_do_not_come_from_the_project(hostile, monkeypatch, variable):
    text = f'[filter "evil"]\n\tclean = {hostile.program("from a home")}\n'
    hostile.write(".gitconfig", text)
    hostile.write("git/config", text)
    monkeypatch.setenv(variable, str(hostile.top))
    ask_everything(str(hostile.top))
    assert hostile.ran() == []


def test_a_filter_of_the_users_own_still_runs_and_others_are_unknown(hostile, monkeypatch):
    (hostile.home / ".gitconfig").write_text(f'[filter "lfs"]\n\tclean = {hostile.program("of the user")}; cat\n')
    monkeypatch.setenv("HOME", str(hostile.home))
    hostile.git("config", "--unset", "filter.lfs.process")
    assert query.tracked_changes(str(hostile.top)) == {"d.bin", "plain", "staged"}
    assert hostile.ran() == ["of-the-user"]


@pytest.mark.parametrize("entry", ["", ".", "bin", "{top}/bin", "{top}", "{link}"])
def test_a_git_of_the_projects_own_does_not_run(hostile, tmp_path, monkeypatch, entry):
    (hostile.top / "bin").mkdir()
    for place in (hostile.top / "git", hostile.top / "bin/git"):
        shutil.copy(hostile.program("a fake git"), place)
    os.symlink(hostile.top / "bin", tmp_path / "link")
    folder = entry.format(top=hostile.top, link=tmp_path / "link")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.chdir(hostile.top)
    ask_everything(str(hostile.top))
    assert query.branch_of(str(hostile.top)) == "main"
    assert query.branch_of(str(hostile.top / "sub")) == "main"
    assert hostile.ran() == []


def test_a_bare_repository_inside_of_a_project_is_not_asked(hostile):
    bare = hostile.top / "bare"
    bare.mkdir()
    for name in ("HEAD", "config", "objects", "refs"):
        (shutil.copytree if (hostile.top / ".git" / name).is_dir() else shutil.copy)(
            hostile.top / ".git" / name, bare / name
        )
    ask_everything(str(bare))
    assert hostile.ran() == []


def test_a_git_that_cannot_switch_filters_off_is_not_asked(hostile, tmp_path, monkeypatch):
    """As one before 2.31, which does not read GIT_CONFIG_COUNT."""
    (tmp_path / "old").mkdir()
    old = tmp_path / "old/git"
    old.write_text(f'#!/bin/sh\nunset GIT_CONFIG_COUNT\nexec {shutil.which("git")} "$@"\n')
    old.chmod(0o755)
    monkeypatch.setenv("PATH", f"{old.parent}:{os.environ['PATH']}")
    result = run_job(query.build_job(str(hostile.top), "status"))
    assert result.problem == "cannot be started: the filters of the repository could not be switched off"
    assert hostile.ran() == []


def test_git_is_started_in_one_place():
    starts = re.compile(r"""(?:Job|run|Popen|spawn\w*|start_detached)\(\s*[\[(]?["']git\b""")
    files = [path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py") if starts.search(path.read_text())]
    assert files == ["git/query.py"]


def test_a_huge_configuration_that_never_ends_costs_its_time_only(hostile):
    os.mkfifo(hostile.top / ".git/more")
    subprocess.run(["git", "config", "include.path", "more"], cwd=hostile.top, check=True, timeout=60)
    assert query.run_git(str(hostile.top), "status", seconds=1) is None
    assert hostile.ran() == []
