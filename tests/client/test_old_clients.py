"""Install, then a session, in old clients: the user's own rules and hooks go on working, and ours do what they claim.

Each test plays a few seconds through a real client of that version. Theirs run as shell text: exec form is newer.
"""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from hookwright.protocol import client_versions
from hookwright.protocol.client_versions import format_version, parse_version
from tests.client.conftest import find_client
from tests.client.kit import install, netns
from tests.client.kit.lab import PROBE, PYTHON, Lab
from tests.client.kit.scripted_api import bash, call

pytestmark = [pytest.mark.client, pytest.mark.slow]

VERSIONS = (*install.OLD_VERSIONS, install.VERSION)
OLDEST = min(VERSIONS, key=parse_version)
DESTROYS = "rm -rf ~/"
PUSHES = "git push --force"


def has_exec_form(version):
    return client_versions.has(parse_version(version), client_versions.EXEC_FORM)


class OldLab:
    """A lab with a client of this version on PATH, a rule and a hook of the user's, and our commands."""

    def __init__(self, root, version, binary):
        self.version = version
        self.lab = Lab(root, binary=binary)
        self.bin = self.lab.path("bin")
        os.makedirs(self.bin)
        # Behind the fence, as every client here.
        fenced = shlex.join(netns.inside([binary]))
        Path(self.bin, "claude").write_text(f'#!/bin/sh\nPATH={install.PATH}\nexec {fenced} "$@"\n')
        Path(self.bin, "claude").chmod(0o755)
        self.lab.settings = {"permissions": {"allow": ["Bash"], "deny": ["Read(.env)", "Read(**/.env)"]}}
        self.lab.handler("PreToolUse", self.own_hook("mine"), matcher="Bash")
        self.lab.write(".env", "SECRET=1")
        self.lab.write_settings()
        self.lab.settings = {}  # from here on the file is the installer's

    def own_hook(self, name):
        return {"type": "command", "command": shlex.join([PYTHON, "-I", "-S", PROBE, self.lab.behave(name)])}

    @property
    def file(self):
        return Path(self.lab.home) / ".claude/settings.json"

    def hookwright(self, *words, expect=0):
        env = {"HOME": self.lab.home, "PATH": f"{self.bin}:{install.PATH}", "LANG": "C.UTF-8", **self.lab.env}
        argv = [sys.executable, "-m", "hookwright", *words]
        done = subprocess.run(argv, env=env, cwd=self.lab.project, capture_output=True, text=True, check=False)
        assert done.returncode == expect, done
        return done.stdout

    def decisions(self):
        """(command, hook, verdict) of all that our hooks decided."""
        folder = Path(self.lab.home) / ".local/state/hookwright/journal"
        lines = [line for path in folder.glob("*.jsonl") for line in path.read_text().splitlines() if line]
        rows = [json.loads(line) for line in lines]
        return [(row.get("command"), said["hook"], said["verdict"]) for row in rows for said in row["decisions"]]

    def assert_theirs_work(self, run):
        """The user's own deny rule refused the first call, the user's own hook saw every Bash call."""
        assert run.tool_results[0].failed
        assert "denied by your permission settings" in run.tool_results[0].text
        assert len(run.calls("mine")) == len(run.tool_results) - 1

    def read_env(self):
        return call("Read", file_path=f"{self.lab.project}/.env")


@pytest.fixture(params=VERSIONS)
def old(request, tmp_path):
    return build_lab(tmp_path / "lab", request.param)


def build_lab(root, version):
    return OldLab(root, version, find_client(version))


def test_the_oldest_client_of_the_tests_is_the_least_supported_one():
    assert format_version(client_versions.least_version()) == OLDEST


def test_after_install_their_rules_and_hooks_work_and_ours_deny(old):
    found = json.loads(old.hookwright("install", "--yes", "--json"))
    assert (found["client"]["version"], found["client"]["supported"]) == (old.version, True)
    registered = set(json.loads(old.file.read_text())["hooks"])
    assert all(client_versions.knows_event(parse_version(old.version), event) for event in registered)
    run = old.lab.run([old.read_env(), bash(DESTROYS), bash(PUSHES), bash("echo fine"), "done"])
    old.assert_theirs_work(run)
    assert [result.failed for result in run.tool_results] == [True, True, True, False]
    assert run.tool_results[3].text == "fine"
    denied = [(command, hook) for command, hook, verdict in old.decisions() if verdict == "deny"]
    assert denied == [(DESTROYS, "command_guard"), (PUSHES, "command_guard")]
    assert json.loads(old.hookwright("verify", "--json"))["ok"] is True


def test_strict_and_chosen_hooks_work_or_are_said_not_to(old):
    lacks_strict = not client_versions.has(parse_version(old.version), client_versions.ON_FAILURE)
    said = old.hookwright("install", "--yes", "--strict", "--only", "command_guard", "--with", "verify-completion")
    assert ("--strict has no effect" in said) is lacks_strict
    run = old.lab.run([old.read_env(), bash(PUSHES), bash("npm install"), "done"], side='{"ok": true}')
    old.assert_theirs_work(run)
    assert {hook for _, hook, _ in old.decisions()} == {"command_guard"}
    findings = json.loads(old.hookwright("verify", "--json", expect=1 if lacks_strict else 0))["findings"]
    assert [finding["code"] for finding in findings] == ["on-failure-ignored"] * lacks_strict


@pytest.mark.parametrize("version", [version for version in VERSIONS if not has_exec_form(version)])
def test_a_launcher_whose_path_needs_quotes_is_started_without_exec_form(tmp_path, version):
    old = build_lab(tmp_path / "lab", version)
    old.lab.env["XDG_DATA_HOME"] = old.lab.path("data of ann; and 'bob'")
    old.hookwright("install", "--yes")
    run = old.lab.run([old.read_env(), bash(PUSHES), "done"])
    old.assert_theirs_work(run)
    assert [decided[2] for decided in old.decisions() if decided[1] == "command_guard"] == ["deny"]


def test_events_of_a_newer_client_are_found_and_taken_away(tmp_path):
    """A downgraded client: the file that hookwright wrote for the newest one is skipped whole, until install runs."""
    old = build_lab(tmp_path / "lab", OLDEST)
    old.hookwright("install", "--yes", "--client-version", install.VERSION)
    run = old.lab.run([old.read_env(), "done"])
    assert "SECRET" in run.tool_results[0].text  # why the gate exists
    os.remove(Path(old.lab.home) / ".local/state/hookwright/client-version")
    findings = json.loads(old.hookwright("verify", "--json", expect=1))["findings"]
    assert "client-skips-file" in [finding["code"] for finding in findings]
    old.hookwright("install", "--yes")
    run = old.lab.run([old.read_env(), bash(PUSHES), "done"])
    old.assert_theirs_work(run)
    assert run.tool_results[1].failed
