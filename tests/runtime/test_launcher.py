"""The launcher cannot lock the user out, whatever is gone; and it is a file that a person can read."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from hookwright.errors import UserError
from hookwright.runtime import launcher
from hookwright.testing.builders import bash, payload
from tests.hook_kit import install_copy

pytestmark = pytest.mark.slow

FORCE = bash("npm install").raw
START = payload("SessionStart", source="startup")


@pytest.fixture
def installed(hook_process, tmp_path):
    """The hook process of a package that can be taken away: a copy of it, with its launcher and bundle."""
    hook_process.root = tmp_path / "site"
    hook_process.argv = install_copy(hook_process.root, hook_process.env)
    hook_process.cache = hook_process.home / ".cache/hookwright"
    return hook_process


def forced(answer):
    return answer["hookSpecificOutput"]["updatedInput"]["run_in_background"]


def start(argv, env, data=b"{}"):
    return subprocess.run(argv, input=data, capture_output=True, env=env, check=False)


# --- the file
def test_the_launcher_is_short_executable_and_at_a_path_without_a_version(hook_process):
    path = hook_process.home / ".local/share/hookwright/hook"
    assert hook_process.argv == [str(path)]
    text = path.read_text()
    assert len(text.splitlines()) <= 40
    assert path.stat().st_mode & 0o777 == 0o755
    assert text.splitlines()[0] == f"#!{launcher.find_interpreter()} -ISXutf8"
    assert str(launcher.package_root()) in text


def test_the_interpreter_is_the_one_behind_the_virtual_environment():
    found = launcher.find_interpreter()
    assert os.path.realpath(found) == os.path.realpath(sys._base_executable)
    assert not found.startswith(sys.prefix + "/") or sys.prefix == sys.base_prefix


def test_it_is_written_only_if_it_differs(hook_process):
    before = hook_process.launcher.stat()
    assert launcher.install_launcher(with_bundle=False) is False
    assert hook_process.launcher.stat().st_ino == before.st_ino
    hook_process.launcher.chmod(0o644)
    assert launcher.install_launcher(with_bundle=False) is True
    assert os.access(hook_process.launcher, os.X_OK)
    assert os.listdir(hook_process.launcher.parent) == ["hook"]


def test_without_a_place_for_it_the_user_is_told(hook_process):
    shutil.rmtree(hook_process.launcher.parent)
    hook_process.launcher.parent.write_text("a file in the way")
    with pytest.raises(UserError, match="launcher cannot be written"):
        launcher.install_launcher(with_bundle=False)


@pytest.mark.parametrize("name", ["my python", "it's mine", "x" * 130, "a $HOME `b` & c;"])
def test_an_interpreter_that_a_first_line_cannot_name_is_started_by_the_shell(hook_process, tmp_path, name):
    folder = tmp_path / name
    folder.mkdir()
    interpreter = folder / "python3"
    interpreter.write_text(f'#!/bin/sh\nexec {launcher.find_interpreter()} "$@"\n')
    interpreter.chmod(0o755)
    text = launcher.render_launcher(str(interpreter), launcher.package_root(), launcher.bundle_prefix())
    assert text.startswith("#!/bin/sh\n")
    assert len(text.splitlines()) <= 40
    hook_process.launcher.write_text(text)
    assert forced(hook_process.answer(FORCE))
    hook_process.argv.append("observer")
    assert hook_process.answer(FORCE) is None
    interpreter.unlink()
    for words, code in ([], 0), (["fail-closed"], 1), (["observer", "fail-closed"], 1):
        done = start([*hook_process.argv[:1], *words], hook_process.env)
        assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


@pytest.mark.parametrize("name", ['a "b" c', "a \\ b", "a\nb"])
def test_an_interpreter_that_a_script_cannot_name_either_is_refused(name):
    with pytest.raises(UserError, match="cannot be written into a script"):
        launcher.render_launcher(f"/opt/{name}/python3", "/site", "/cache/bundle.")


def test_odd_paths_of_package_and_cache_are_quoted(hook_process, tmp_path):
    root = tmp_path / 'it\'s "here" \\ {x}'
    hook_process.argv = install_copy(root, hook_process.env)
    assert forced(hook_process.answer(FORCE))
    assert launcher.find_package(hook_process.launcher.read_text()) == str(root)


# --- what may be gone or broken
def of_session(event, session):
    return {**event, "session_id": session}


def test_with_the_package_removed_tools_go_on_and_each_session_is_told_once(installed):
    shutil.rmtree(installed.root)
    for session in ("e7f3a1c0-1111", "e7f3a1c0-2222", "e7f3a1c0-3333"):
        assert "package is gone" in installed.answer(of_session(FORCE, session))["systemMessage"]
        assert installed.answer(of_session(FORCE, session)) is None
        assert installed.answer(of_session(START, session)) is None
    assert installed.answer(of_session(FORCE, "e7f3a1c0-1111")) is None
    [told] = installed.cache.glob("bundle-*missing")
    assert told.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'{"session_id"', b'{"session_id": null}', b'"session_id":"', b"\xff" * 99]
)
def test_with_the_package_removed_any_payload_passes(installed, data):
    shutil.rmtree(installed.root)
    done = start(installed.argv, installed.env, data)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "package is gone" in json.loads(done.stdout)["systemMessage"]


def test_with_package_and_cache_removed_the_session_start_tells(installed):
    shutil.rmtree(installed.root)
    shutil.rmtree(installed.cache)
    assert installed.answer(FORCE) is None
    assert "package is gone" in installed.answer(START)["systemMessage"]


def test_a_package_that_comes_back_works_again_and_its_next_loss_is_told_again(installed):
    away = installed.root.with_name("away")
    installed.root.rename(away)
    assert installed.answer(FORCE)["systemMessage"]
    away.rename(installed.root)
    assert forced(installed.answer(FORCE))
    shutil.move(installed.root, away)
    install_copy(installed.root, installed.env)
    shutil.rmtree(installed.root)
    assert installed.answer(FORCE)["systemMessage"]


def install_from(environment, hook_process):
    """Install the launcher from a package in this environment."""
    venv.create(environment, symlinks=True)
    [site] = environment.glob("lib/python*/site-packages")
    shutil.copytree(Path(launcher.package_root()) / "hookwright", site / "hookwright")
    code = "from hookwright.runtime import launcher; launcher.install_launcher()"
    subprocess.run([environment / "bin/python", "-c", code], env=hook_process.env, check=True)


def test_the_virtual_environment_may_go_with_the_package(hook_process):
    environment = hook_process.home / ".local/share/hookwright/venv"  # as `make install` makes it
    install_from(environment, hook_process)
    assert str(environment / "bin") not in hook_process.launcher.read_text()
    assert forced(hook_process.answer(FORCE))
    shutil.rmtree(environment)
    assert "package is gone" in hook_process.answer(FORCE)["systemMessage"]
    assert hook_process.answer(FORCE) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "place",
    [
        ".cache/uv/archive-v0/QvYq0_x1",  # uvx
        ".cache/uv/environments-v2/hookwright-1f2e",  # uv run --with
        ".local/share/pipx/.cache/1a2b3c",  # pipx run
        "scratch/venv",  # an environment in a temporary directory
    ],
)
def test_a_package_in_a_place_that_is_cleaned_is_copied_and_the_hooks_outlive_it(hook_process, place):
    environment = hook_process.home / place
    install_from(environment, hook_process)
    assert str(environment) not in hook_process.launcher.read_text()
    shutil.rmtree(environment)
    assert forced(hook_process.answer(FORCE))
    shutil.rmtree(hook_process.home / ".cache", ignore_errors=True)  # `uv cache clean`, and our own cache
    assert forced(hook_process.answer(FORCE))
    [copy] = (hook_process.home / ".local/share/hookwright/package").iterdir()
    assert f"# package: {copy}" in hook_process.launcher.read_text()


@pytest.mark.parametrize("text", ["this is not Python", "raise SystemExit(2)", "import posix; posix._exit(0)\n1/0"])
def test_a_broken_module_passes_in_silence(installed, text):
    (installed.root / "hookwright/dispatch.py").write_text(text)
    for _ in range(2):
        done = installed(FORCE)
        assert (done.returncode, done.stderr) == (0, b"")
        assert not done.stdout or "systemMessage" in json.loads(done.stdout)


def test_a_failing_hook_process_exits_1_only_with_fail_closed(installed):
    for words, code in ([], 0), (["fail-closed"], 1):
        assert start([*installed.argv, *words], installed.env, b"{no").returncode == code
    shutil.rmtree(installed.root)
    for words, code in ([], 0), (["fail-closed"], 1), (["fail-closed", "observer"], 1):
        assert start([*installed.argv, *words], installed.env).returncode == code


def test_a_launcher_or_interpreter_that_is_gone_cannot_be_started_at_all(hook_process):
    """A spawn error, which the client lets pass (tests/client); never an exit code of 2."""
    text = hook_process.launcher.read_text()
    hook_process.launcher.write_text("#!/gone/python3 -ISXutf8\n" + text.partition("\n")[2])
    with pytest.raises(FileNotFoundError):
        start(hook_process.argv, hook_process.env)
    hook_process.launcher.chmod(0o644)
    with pytest.raises(PermissionError):
        start(hook_process.argv, hook_process.env)
    hook_process.launcher.unlink()
    with pytest.raises(FileNotFoundError):
        start(hook_process.argv, hook_process.env)


def test_a_launcher_that_was_cut_never_ends_with_2(hook_process):
    text = hook_process.launcher.read_text()
    for kept in range(text.index("\n") + 1, len(text), 171):
        hook_process.launcher.write_text(text[:kept])
        assert start(hook_process.argv, hook_process.env).returncode != 2


@pytest.mark.parametrize("stream", [0, 1, 2])
def test_a_closed_stream_is_no_error(hook_process, stream):
    close = f"import os,sys; os.close({stream}); os.execv(sys.argv[1], sys.argv[1:])"
    done = start([sys.executable, "-c", close, *hook_process.argv], hook_process.env, json.dumps(FORCE).encode())
    assert (done.returncode, done.stderr) == (0, b"")


def other_pythons():
    found = {}
    for name in ("python3.12", "python3.13", "python3.14"):
        for folder in (*os.environ["PATH"].split(":"), *map(str, Path.home().glob(".pyenv/versions/*/bin"))):
            path = os.path.join(folder, name)
            if os.access(path, os.X_OK) and "shims" not in path:
                found.setdefault(name, os.path.realpath(path))
    return sorted(set(found.values())) or [None]


def with_interpreter(path, python):
    path.write_text(f"#!{python} -ISXutf8\n" + path.read_text().partition("\n")[2])


@pytest.mark.parametrize("python", other_pythons())
def test_another_python_version_works_and_gets_its_own_bundle(installed, wait_for, python):
    if python is None:
        pytest.skip("no other Python version here")
    with_interpreter(installed.launcher, python)
    assert forced(installed.answer(FORCE))
    wait_for(lambda: len([path for path in installed.cache.glob("bundle-*") if path.suffix[:8] == ".cpython"]) >= 2)
    assert forced(installed.answer(FORCE))


OLD_PYTHONS = sorted(Path.home().glob(".pyenv/versions/3.[6789].*/bin/python3")) or [None]


@pytest.mark.parametrize("python", OLD_PYTHONS)
def test_a_python_that_is_too_old_lets_tools_go_on(installed, python):
    if python is None:
        pytest.skip("no older Python version here")
    with_interpreter(installed.launcher, python)
    done = start(installed.argv, installed.env)
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr


# --- surroundings
def test_without_a_home_the_answer_is_the_same_and_nothing_is_written(hook_process):
    hook_process.env.pop("HOME")
    assert forced(hook_process.answer(FORCE))


def test_a_state_folder_that_cannot_be_written_changes_no_answer(hook_process):
    (hook_process.home / ".local/state").write_text("a file where a folder should be")
    assert forced(hook_process.answer(FORCE))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_home_changes_no_answer(hook_process):
    hook_process.home.chmod(0o500)
    assert forced(hook_process.answer(FORCE))


def test_a_cache_that_cannot_be_written_changes_no_answer(hook_process):
    shutil.rmtree(hook_process.home / ".cache")
    (hook_process.home / ".cache").write_text("a file where a folder should be")
    for _ in range(2):
        assert forced(hook_process.answer(FORCE))


def test_a_full_disk_changes_no_answer(hook_process):
    limit = (
        "import os,resource,sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); os.execv(sys.argv[1], sys.argv[1:])"
    )
    limited = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); " + limit
    hook_process.argv = [sys.executable, "-c", limited, *hook_process.argv]
    assert forced(hook_process.answer(FORCE))
    shutil.rmtree(hook_process.home / ".cache")
    assert forced(hook_process.answer(FORCE))


def test_the_message_about_a_missing_package_is_one_object(hook_process):
    [text] = re.findall(r"print\('(.*?)'\)", hook_process.launcher.read_text(), re.DOTALL)
    assert list(json.loads(text.replace("\\\n", ""))) == ["systemMessage"]
