"""`make install` in a fresh home: environment, command, hooks, proof; and again, to upgrade."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

CLONE = Path(__file__).resolve().parent.parent.parent  # where `make install` runs; it has a .hookwright.toml
SCRIPT = CLONE / "scripts/setup_user.py"


@pytest.fixture
def fresh(tmp_path):
    """A home whose environment sees this one's libraries, so that the test needs no package index."""
    home = tmp_path / "home"
    venv = home / ".local/share/hookwright/venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(venv)], check=True)
    [libraries] = venv.glob("lib/python*/site-packages")
    (libraries / "borrowed.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return home


def setup(home, *words):
    env = {
        "HOME": str(home),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads this one the other way round: build with what is here
        "PIP_CONFIG_FILE": os.devnull,
    }
    argv = [sys.executable, str(SCRIPT), *words]
    return subprocess.run(
        argv, env=env, cwd=CLONE, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=170, check=False
    )


@pytest.mark.slow
def test_a_fresh_home_has_working_hooks_afterwards(fresh):
    done = setup(fresh)
    assert done.returncode == 0, done
    assert "Adds hookwright to 13 events" in done.stdout  # what it does is shown even if nobody can be asked
    assert 'export PATH="$HOME/.local/bin:$PATH"' in done.stdout
    assert "Next: ~/.local/bin/hookwright status" in done.stdout
    assert "Undo: " in done.stdout
    assert "denied" in done.stdout
    assert (fresh / ".claude/settings.json").exists()
    tool = fresh / ".local/bin/hookwright"
    shown = subprocess.run([tool, "status"], env={"HOME": str(fresh)}, capture_output=True, text=True, check=True)
    assert "~/.claude/settings.json" in shown.stdout
    again = setup(fresh)
    assert again.returncode == 0
    assert "nothing was changed" in again.stdout
    gone = setup(fresh, "--remove")
    assert gone.returncode == 0, gone
    assert [str(path) for path in fresh.rglob("*") if not path.is_dir()] == []
