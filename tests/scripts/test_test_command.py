"""One command to test: what it fetches, what it says when something cannot be had, and that its help is true."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# No index answers at these addresses.
OFFLINE = {
    "PIP_INDEX_URL": "http://127.0.0.1:9/",
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "PIP_CONFIG_FILE": os.devnull,
    "npm_config_registry": "http://127.0.0.1:9/",
}


def run(*argv, **env):
    merged = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "CI", "MAKE"))}
    return subprocess.run(
        argv, cwd=ROOT, env={**merged, **env}, capture_output=True, text=True, timeout=500, check=False
    )


@pytest.mark.slow
def test_without_a_client_all_its_tests_are_one_skip_line(tmp_path):
    pytest_run = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-m", "client"]
    done = run(
        *pytest_run, "tests/client/test_memory.py", "tests/client/test_old_clients.py", XDG_CACHE_HOME=str(tmp_path)
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("SKIPPED")]
    assert (done.returncode, len(lines)) == (0, 1), done.stdout
    assert lines[0].endswith("tests/client/conftest.py: real client: not installed; try: make client")


@pytest.mark.slow
def test_without_a_package_index_the_test_command_goes_on_and_says_so_in_one_line(tmp_path):
    done = run(sys.executable, "-m", "tests.client.kit.install", "--optional", XDG_CACHE_HOME=str(tmp_path), **OFFLINE)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("client tests will be skipped: ")


def test_missing_programs_are_named_with_the_command_that_installs_them(tmp_path):
    for name in ("git", "jq", "make", "chromium", "unshare", "uname"):
        (tmp_path / name).symlink_to("/bin/true")
    done = run("/bin/sh", "scripts/test_tools.sh", PATH=str(tmp_path))
    assert done.returncode == 0
    assert done.stdout.startswith("not installed: strace tmux valgrind (")
    assert done.stdout.endswith(" sudo apt install strace tmux valgrind\n")


def test_help_lists_every_target_with_what_it_does():
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    listed = re.findall(r"^  make ([a-z]+) +\S", run("make", "help").stdout, flags=re.MULTILINE)
    assert listed == targets


def test_the_pages_that_speak_of_the_client_name_a_command_that_exists():
    """`python` alone is not there on Debian."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "tests/client/README.md"]
    assert [page.name for page in pages if "python -m tests.client" in page.read_text()] == []
