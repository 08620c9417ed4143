"""An administrator's policy and managed install in the real client: nothing that a user or project says lowers them."""

import functools
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from hookwright.proc.root_owned import why_not_root_owned
from hookwright.runtime import managed_launcher
from hookwright.runtime.launcher import find_interpreter, package_root
from tests.client.kit import covers, netns
from tests.client.kit.scripted_api import bash

DENIED = "git push --force origin main"  # would fail by itself, if it ran: there is no repository
POLICY = 'revision = "2026-11-18"\n[command_guard]\nmode = "on"\n'
OFF = '[command_guard]\nmode = "off"\noff = ["git-force-push"]\n'
VARIABLES = {"HOOKWRIGHT_COMMAND_GUARD_MODE": "off", "HOOKWRIGHT_COMMAND_GUARD_OFF": "git-force-push"}
NOBODY = 65534


class Machine:
    """A machine with an administrator: /etc and /usr/local/lib are folders of its own, in a mount namespace."""

    def __init__(self, root):
        self.root = Path(root)
        self.etc, self.lib = self.root / "etc", self.root / "lib"
        self.policy = self.etc / "hookwright/policy.toml"
        self.work = self.root / "project"
        self.covers = {"/etc": str(self.etc), "/usr/local/lib": str(self.lib)}

    def prepare(self):
        for folder in (self.work, self.etc / "hookwright", self.etc / "claude-code"):
            folder.mkdir(parents=True)
        target = self.lib / "hookwright/package/hookwright"
        shutil.copytree(f"{package_root()}/hookwright", target, ignore=lambda *_: ["__pycache__"])

    def run(self, argv, env=None, stdin=""):
        """A program of the administrator's, behind the fence."""
        covered = [sys.executable, covers.__file__, json.dumps(self.covers), *argv]
        base = {"HOME": str(self.root / "root"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        env = {**base, "PYTHONDONTWRITEBYTECODE": "1", **(env or {})}
        return subprocess.run(
            netns.inside(covered), env=env, cwd=self.work, input=stdin, capture_output=True, text=True, check=False
        )

    def __call__(self, *words, expect=0, env=None):
        package = {"PYTHONPATH": f"/usr/local/lib/hookwright/package:{sysconfig.get_paths()['purelib']}"}
        done = self.run([find_shared_python(), "-m", "hookwright", *words], {**package, **(env or {})})
        assert done.returncode == expect, done
        return done.stdout


@functools.cache
def find_shared_python():
    """An interpreter that every user can start and only root can change; the one of the tests may be in root's home."""
    for python in (find_interpreter(), "/usr/bin/python3", "/usr/local/bin/python3"):
        asked = [python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
        is_closed = managed_launcher._find_closed_directory(python) or why_not_root_owned(python)
        if os.path.exists(python) and not is_closed and subprocess.run(asked, check=False).returncode == 0:
            return python
    return None


class Managed(Machine):
    """The lab on such a machine."""

    def __init__(self, lab):
        super().__init__(lab.root)
        self.lab = lab
        lab.covers = self.covers
        lab.allow("Bash")

    def is_denied(self, **session):
        result = self.lab.run([bash(DENIED), "done"], **session).tool_results[0]
        return "hookwright git-force-push" in result.text

    def write_config(self, home, text):
        folder = Path(home)
        folder.mkdir(parents=True, mode=0o700)
        (folder / "config.toml").write_text(text)

    @property
    def records(self):
        folder = Path(self.lab.home) / ".local/state/hookwright/journal"
        lines = [line for path in folder.glob("*.jsonl") for line in path.read_text().splitlines() if line]
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def installed(tmp_path_factory, claude_binary):
    """A machine on which the administrator has installed hookwright for everybody."""
    if os.geteuid() != 0:
        pytest.skip("policy: it counts only if root owns it, so this has to be run as root")
    if find_shared_python() is None:
        pytest.skip("policy: no Python from 3.11 on that all users can start")
    machine = Machine(tmp_path_factory.mktemp("machine"))
    machine.prepare()
    machine("install", "--scope", "managed", "--yes")
    return machine


@pytest.fixture
def managed(installed, lab):
    for folder in ("etc", "lib"):
        shutil.copytree(installed.root / folder, lab.path(folder))
    return Managed(lab)


def say_off(managed):
    managed.write_config(f"{managed.lab.home}/.config/hookwright", OFF)
    return {}


def set_variables(managed):
    return {"env": VARIABLES}


def set_variables_in_settings(managed):
    managed.lab.settings["env"] = VARIABLES
    return {}


def move_configuration(managed):
    home = managed.lab.path("elsewhere")
    managed.write_config(home, OFF)
    return {"env": {"HOOKWRIGHT_CONFIG_HOME": home, "HOOKWRIGHT_STATE_HOME": managed.lab.path("other-state")}}


ATTACKS = {"user file": say_off, "environment": set_variables, "settings": set_variables_in_settings}
ATTACKS |= {"moved home": move_configuration}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_the_guard_goes_without_a_policy_and_stays_with_one(managed, attack):
    session = attack(managed)
    assert not managed.is_denied(**session)  # so the attack is one
    managed.policy.write_text(POLICY)
    assert managed.is_denied(**session)


def test_a_user_can_switch_own_hooks_off_but_not_managed_ones(managed):
    managed.policy.write_text(POLICY)
    managed.lab.settings["disableAllHooks"] = True
    managed.lab.hook("PreToolUse", "users own")
    run = managed.lab.run([bash(DENIED), "done"])
    assert "hookwright git-force-push" in run.tool_results[0].text
    assert run.calls("users own") == []


def test_all_attacks_at_once_are_denied_and_recorded_with_the_revision(managed):
    managed.policy.write_text(POLICY)
    revision = json.loads(managed("policy", "show", "--json"))["revision"]
    assert revision.startswith("2026-11-18+")
    managed("verify", "--expect", "policy=2026-11-18")
    managed("verify", "--expect", "policy=2026-11-19", expect=1)
    say_off(managed)
    set_variables_in_settings(managed)
    session = move_configuration(managed)
    session["env"] = {"HOOKWRIGHT_CONFIG_HOME": session["env"]["HOOKWRIGHT_CONFIG_HOME"], **VARIABLES}
    managed.lab.settings["disableAllHooks"] = True
    assert managed.is_denied(**session)
    assert {row["policy"] for row in managed.records} == {revision}


def test_a_broken_policy_leaves_the_last_good_one_in_force_and_the_user_is_told_once(managed):
    managed.policy.write_text(POLICY)
    say_off(managed)
    assert managed.is_denied()
    managed.policy.write_text("[command_guard\n")
    run = managed.lab.run([bash(DENIED), bash(DENIED), "done"])
    assert all("hookwright git-force-push" in result.text for result in run.tool_results)
    assert sum("stays in force" in json.dumps(event) for event in run.events) == 1
    assert "not taken over" in managed("policy", "check", expect=1, env={"HOME": managed.lab.home})


AS_NOBODY = ["setpriv", f"--reuid={NOBODY}", "--clear-groups", f"--regid={NOBODY}"]


def test_any_user_can_run_the_launcher_and_its_compiled_code(managed):
    managed.policy.write_text(POLICY)
    home = managed.etc / "home-of-nobody"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/", "tool_name": "Bash"}
    line = json.dumps({**payload, "tool_input": {"command": DENIED}})
    for readable in (True, False):  # the second time the plan is there, and the sources are not needed any more
        for source in (managed.lib / "hookwright/package").rglob("*.py"):
            source.chmod(0o644 if readable else 0o600)
        env = {"HOME": "/etc/home-of-nobody"}
        done = managed.run([*AS_NOBODY, "/usr/local/lib/hookwright/hook"], env, line)
        assert json.loads(done.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny", (readable, done)


def test_nobody_but_root_can_change_what_is_installed(managed):
    places = "/usr/local/lib/hookwright /etc/claude-code /etc/hookwright"
    done = managed.run([*AS_NOBODY, "sh", "-c", f"find {places} -writable"])
    assert (done.stdout, done.returncode) == ("", 0)


@pytest.mark.parametrize("part", ["hook", "package/hookwright/dispatch.py"])
def test_code_that_others_can_change_is_a_finding_and_is_not_started(managed, part):
    os.chown(managed.lib / "hookwright" / part, NOBODY, 0)
    report = json.loads(managed("verify", "--json", expect=1))
    assert [row["code"] for row in report["findings"]] == ["package-writable"]
    assert {row["started"] for row in report["handlers"] if row["ours"]} == {None}


def test_uninstall_is_the_exact_inverse_and_only_root_may(managed):
    def paths():
        found = [*managed.etc.rglob("*"), *(managed.lib / "hookwright").iterdir()]
        return {str(path.relative_to(managed.root)) for path in found}

    package = {"PYTHONPATH": "/usr/local/lib/hookwright/package"}
    words = ["-m", "hookwright", "uninstall", "--scope", "managed", "--yes"]
    before = paths()
    done = managed.run([*AS_NOBODY, sys.executable, *words], {**package, "HOME": "/tmp"})
    assert done.returncode == 1
    assert "only root may write them" in done.stderr
    assert paths() == before
    shown = json.loads(managed("uninstall", "--scope", "managed", "--dry-run", "--json"))
    assert shown["files"][0]["changed"]
    managed("install", "--scope", "managed", "--yes")  # twice changes nothing
    assert paths() == before
    managed("uninstall", "--scope", "managed", "--yes")
    assert paths() == {"etc/hookwright", "etc/claude-code", "lib/hookwright/package"}
    assert not managed.is_denied()
