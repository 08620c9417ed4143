"""The launcher cannot lock the user out, whatever is gone."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hookwright.door import bundle, launcher
from hookwright.testing.builders import bash, payload

FORCE = bash("npm install").raw
START = payload("SessionStart", source="startup")


@pytest.fixture
def installed(door, tmp_path):
    """The door of a package that can be taken away: a copy of it, and its bundle."""
    root = tmp_path / "site"
    shutil.copytree(Path(bundle.package_root()) / "hookwright", root / "hookwright", ignore=lambda *_: ["__pycache__"])
    code = "import json, sys; sys.path.insert(0, sys.argv[1]); from hookwright.door.launcher import argv"
    code += "; print(json.dumps(argv()))"
    made = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, env=door.env, check=True)
    door.argv = json.loads(made.stdout)
    assert door.argv[7] == str(root)
    door.root = root
    door.cache = door.home / ".cache/hookwright"
    return door


def forced(answer):
    return answer["hookSpecificOutput"]["updatedInput"]["run_in_background"]


def test_the_interpreter_is_the_one_behind_the_virtual_environment():
    argv = launcher.argv()
    assert os.path.realpath(argv[0]) == os.path.realpath(sys._base_executable)
    assert not argv[0].startswith(sys.prefix + "/") or sys.prefix == sys.base_prefix
    assert argv[1:5] == ["-I", "-S", "-Xutf8", "-c"]


def test_with_the_package_removed_tools_go_on_and_the_user_is_told_once(installed):
    shutil.rmtree(installed.root)
    assert "package is gone" in installed.answer(FORCE)["systemMessage"]
    assert installed.answer(FORCE) is None
    assert installed.answer(START) is None


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
    bundle.ensure(installed.argv[5], str(installed.root))


@pytest.mark.parametrize(
    "damage",
    [
        "empty",
        "cut",
        "flipped in the block",
        "flipped in the length",
        "flipped in the head",
        "flipped in a body",
        "text",
        "a folder",
    ],
)
def test_a_damaged_bundle_is_made_anew(installed, damage):
    [path] = installed.cache.glob("door-site*cpython*")
    data = path.read_bytes()
    if damage == "a folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes(
            {
                "empty": b"",
                "cut": data[: len(data) // 3],
                "flipped in the block": data[:200] + bytes([data[200] ^ 255]) + data[201:],
                "flipped in the length": data[:8206] + bytes([data[8206] ^ 255]) + data[8207:],
                "flipped in the head": data[:9000] + bytes([data[9000] ^ 255]) + data[9001:],
                "flipped in a body": data[:-50] + bytes([data[-50] ^ 255]) + data[-49:],
                "text": b"not a bundle" * 1000,
            }[damage]
        )
    assert forced(installed.answer(FORCE))
    assert forced(installed.answer(FORCE))


def test_a_source_that_changed_is_never_answered_from_the_old_bundle(installed):
    assert forced(installed.answer(FORCE))
    hook = installed.root / "hookwright/hooks/auto_background.py"
    hook.write_text(hook.read_text().replace('f"Moved to the background: ', 'f"CHANGED: '))
    assert "CHANGED" in json.dumps(installed.answer(FORCE))
    version = installed.root / "hookwright/version.py"
    version.write_text('__version__ = "9.9.9"\n')
    assert forced(installed.answer(FORCE))
    assert installed.journal[-1]["version"] == "9.9.9"


def test_a_broken_module_passes_in_silence(installed):
    (installed.root / "hookwright/dispatch.py").write_text("this is not Python")
    for _ in range(2):
        done = installed(FORCE)
        assert (done.returncode, done.stderr) == (0, b"")
        assert not done.stdout or "systemMessage" in json.loads(done.stdout)


def other_pythons():
    found = {}
    for name in ("python3.12", "python3.13", "python3.14"):
        for folder in (*os.environ["PATH"].split(":"), *map(str, Path.home().glob(".pyenv/versions/*/bin"))):
            path = os.path.join(folder, name)
            if os.access(path, os.X_OK) and "shims" not in path:
                found.setdefault(name, os.path.realpath(path))
    return sorted(set(found.values())) or [None]


@pytest.mark.parametrize("python", other_pythons())
def test_another_python_version_works(installed, python):
    if python is None:
        pytest.skip("no other Python version here")
    installed.argv[0] = python
    assert forced(installed.answer(FORCE))
    assert forced(installed.answer(FORCE))
    assert len(list(installed.cache.glob("door-site*cpython*"))) == 2


def test_without_a_home_the_answer_is_the_same_and_nothing_is_written(door):
    door.env.pop("HOME")
    assert forced(door.answer(FORCE))


def test_a_state_folder_that_cannot_be_written_changes_no_answer(door):
    (door.home / ".local").write_text("a file where a folder should be")
    assert forced(door.answer(FORCE))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_home_changes_no_answer(door):
    door.home.chmod(0o500)
    assert forced(door.answer(FORCE))


def test_a_cache_that_cannot_be_written_changes_no_answer(door):
    shutil.rmtree(door.home / ".cache")
    (door.home / ".cache").write_text("a file where a folder should be")
    for _ in range(2):
        assert forced(door.answer(FORCE))


def test_a_full_disk_changes_no_answer(door):
    limit = (
        "import os,resource,sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); os.execv(sys.argv[1], sys.argv[1:])"
    )
    door.argv = [
        sys.executable,
        "-c",
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); " + limit,
        *door.argv,
    ]
    assert forced(door.answer(FORCE))


def test_a_missing_bundle_argument_or_root_never_becomes_exit_2(door):
    for argv in (door.argv[:6], door.argv[:7], [*door.argv[:6], "/nonexistent/", "/nonexistent", door.argv[8]]):
        done = subprocess.run(argv, input=b"{}", capture_output=True, env=door.env, check=False)
        assert done.returncode != 2
