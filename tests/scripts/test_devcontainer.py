"""The devcontainer feature: its install.sh is run in a prefix and a home of its own."""

import json
import os
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

from hookwright.version import __version__

ROOT = Path(__file__).resolve().parents[2]
FEATURE = ROOT / "devcontainer/src/hookwright"
ABOUT = json.loads((FEATURE / "devcontainer-feature.json").read_text())


@pytest.fixture
def container(tmp_path):
    """A prefix whose environment sees this one's libraries, so that the test needs no package index."""
    venv = tmp_path / "opt/hookwright"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    [libraries] = venv.glob("lib/python*/site-packages")
    (libraries / "borrowed.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    (tmp_path / "home").mkdir()
    return tmp_path


def install(container, **options):
    env = {
        "PATH": f"{os.path.dirname(sys.executable)}:{os.defpath}",
        "HOME": "/nowhere",
        "_REMOTE_USER": subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip(),
        "_REMOTE_USER_HOME": str(container / "home"),
        "HOOKWRIGHT_PREFIX": str(container),
        "HOOKWRIGHT_PACKAGE": str(ROOT),
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this one the other way round: build with what is here
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_ROOT_USER_ACTION": "ignore",
        **{name.upper(): row["default"] for name, row in ABOUT["options"].items()},
        **options,
    }
    argv = ["sh", str(FEATURE / "install.sh")]
    return subprocess.run(argv, env=env, cwd="/", stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_hooks_of_the_containers_user_work_and_a_second_build_changes_nothing(container):
    done = install(container, HOOKS="command_guard observer")
    assert done.returncode == 0, done
    file = container / "home/.claude/settings.json"
    registered = json.loads(file.read_text())["hooks"]["PreToolUse"][0]["hooks"][0]
    assert registered["command"] == str(container / "home/.local/share/hookwright/hook")
    assert set(registered["args"]) == {"command_guard", "observer"}
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}
    argv = [registered["command"], *registered["args"]]
    env = {"HOME": str(container / "home"), "PATH": os.defpath}
    answer = subprocess.run(argv, input=json.dumps(event), env=env, capture_output=True, text=True, check=True)
    assert '"deny"' in answer.stdout
    before = file.read_bytes()
    assert install(container, HOOKS="command_guard observer").returncode == 0
    assert file.read_bytes() == before
    command = container / "usr/local/bin/hookwright"
    assert subprocess.run([command, "--version"], env=env, capture_output=True, text=True, check=True).stdout


def test_without_a_python_it_says_what_to_add(container, tmp_path):
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "id"):
        (tools / name).symlink_to(f"/usr/bin/{name}")
    done = install(container, PATH=str(tools))
    assert (done.returncode, "add the python feature" in done.stderr) == (1, True), done


def test_the_features_file_says_what_the_project_says():
    homepage = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Homepage"]
    assert ABOUT["version"] == __version__
    assert ABOUT["id"] == FEATURE.name
    assert all(ABOUT[name].startswith(homepage) for name in ("documentationURL", "licenseURL"))
    assert f"ghcr.io/{homepage.removeprefix('https://github.com/')}/" in (ROOT / "devcontainer/README.md").read_text()
