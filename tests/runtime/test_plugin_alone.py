"""The built plugin works without an installed hookwright, and yields to an installed one."""

import json
import os
import shutil
import subprocess

import pytest

from hookwright.runtime import launcher
from hookwright.testing.builders import bash
from tests.plugin_kit import build_plugin
from tests.runtime.test_plugin_launcher import LONG, START

pytestmark = pytest.mark.slow
DESTROYS = bash("rm -rf /").raw


class Alone:
    """A machine with a Python and the built plugin, and nothing else of ours."""

    def __init__(self, plugin, home):
        self.plugin, self.home, self.data = plugin, home, home / "data"
        self.python = home / "python"
        self.python.mkdir(parents=True)
        (self.python / "python3").symlink_to(launcher.find_interpreter())
        self.env = {"HOME": str(home), "PATH": f"{self.python}:/usr/bin:/bin", "LANG": "C.UTF-8"}
        self.env |= {"CLAUDE_PLUGIN_ROOT": str(plugin), "CLAUDE_PLUGIN_DATA": str(self.data)}

    def __call__(self, event, **env):
        hooks = json.loads((self.plugin / "hooks/hooks.json").read_text())["hooks"]
        text = hooks[event["hook_event_name"]][0]["hooks"][0]["command"]
        argv = ["/bin/sh", "-c", text]
        env = {**self.env, **env}
        data = json.dumps(event).encode()
        return subprocess.run(argv, input=data, capture_output=True, env=env, cwd=self.home, timeout=300, check=False)

    def decision(self, event, **env):
        done = self(event, **env)
        assert (done.returncode, done.stderr) == (0, b"")
        return json.loads(done.stdout)["hookSpecificOutput"].get("permissionDecision", "changed")

    def command(self, *words):
        argv = [str(self.plugin / "bin/hookwright"), *words]
        return subprocess.run(
            argv, capture_output=True, text=True, env=self.env, cwd=self.home, timeout=300, check=False
        )

    def package_of_launcher(self):
        return launcher.find_package((self.data / "hook").read_text())

    def journal(self):
        folder = self.home / ".local/state/hookwright/journal"
        return [line for path in folder.glob("*.jsonl") for line in path.read_text().splitlines() if line]


@pytest.fixture
def alone(built_plugin, tmp_path):
    return Alone(built_plugin, tmp_path / "alone")


@pytest.fixture(scope="module")
def built_plugin(tmp_path_factory):
    return build_plugin(tmp_path_factory.mktemp("plugin") / "with a blank")


def test_it_decides_from_the_first_event_on_and_later_ones_start_its_own_launcher(alone):
    assert alone.decision(DESTROYS) == "deny"
    assert alone.package_of_launcher() == str(alone.plugin / "lib")
    assert alone.decision(LONG, PATH="/nowhere") == "changed"  # Python is not looked for any more
    assert len(alone.journal()) == 2
    assert not (alone.home / ".local/share/hookwright").exists()  # that is an installed one's place


def test_after_an_update_the_launcher_names_the_new_copy(alone, tmp_path):
    alone.decision(LONG)
    alone.plugin = shutil.copytree(alone.plugin, tmp_path / "newer")
    alone.env["CLAUDE_PLUGIN_ROOT"] = str(alone.plugin)
    assert alone.decision(LONG) == "changed"
    assert alone.package_of_launcher() == str(tmp_path / "newer/lib")


def test_an_installed_hookwright_goes_first_and_settings_silence_the_plugin(alone, hook_process):
    """`hook_process` has a launcher in a home of its own, as after `hookwright install`."""
    alone.env["HOME"] = str(hook_process.home)
    assert alone.decision(DESTROYS) == "deny"
    assert not alone.data.exists()
    assert [row["event"] for row in hook_process.journal] == ["PreToolUse"]
    folder = hook_process.home / ".claude"
    folder.mkdir()
    ours = {"type": "command", "command": hook_process.argv[0], "args": []}
    (folder / "settings.json").write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [ours]}]}}))
    assert alone(DESTROYS).stdout == b""
    assert len(hook_process.journal) == 1


def test_settings_silence_the_carried_copy_too(alone):
    folder = alone.home / ".claude"
    folder.mkdir()
    ours = {"type": "command", "command": f"{alone.home}/.local/share/hookwright/hook", "args": []}
    (folder / "settings.json").write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [ours]}]}}))
    for _ in range(2):
        assert alone(DESTROYS).stdout == b""


def test_without_a_python_that_is_new_enough_it_says_so_once_and_stops_nothing(alone):
    (alone.python / "python3").unlink()
    (alone.python / "python3").symlink_to("/bin/false")
    for name in ("sh", "mkdir"):
        (alone.python / name).symlink_to(f"/bin/{name}")
    path = str(alone.python)
    assert (alone(DESTROYS, PATH=path).stdout, alone(DESTROYS, PATH=path).returncode) == (b"", 0)
    assert "no Python 3.11 or newer" in json.loads(alone(START, PATH=path).stdout)["systemMessage"]
    assert alone(START, PATH=path).stdout == b""


@pytest.mark.parametrize("data", ["", "/dev/null/data"])
def test_without_a_place_to_write_it_still_decides(alone, data):
    assert alone.decision(DESTROYS, CLAUDE_PLUGIN_DATA=data) == "deny"


@pytest.mark.parametrize(
    "broken", ["lib/hookwright/runtime/main.py", "lib/hookwright/runtime/plugin_start.py", "start.sh"]
)
def test_a_broken_copy_never_denies(alone, broken, tmp_path):
    alone.plugin = shutil.copytree(alone.plugin, tmp_path / "broken")
    alone.env["CLAUDE_PLUGIN_ROOT"] = str(alone.plugin)
    (alone.plugin / broken).write_text("if (((\n")
    for event in (DESTROYS, START):
        done = alone(event)
        assert done.returncode != 2
        assert b"permissionDecision" not in done.stdout


def test_the_carried_commands_work_without_any_other_library(alone):
    alone.decision(DESTROYS)
    for words in (
        ["--help"],
        ["explain", "npm ci"],
        ["why", "last"],
        ["log"],
        ["stats"],
        ["status"],
        ["config", "show"],
        ["questions", "list"],
    ):
        done = alone.command(*words)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), (words, done)
    assert "recursive-delete" in alone.command("why", "last").stdout


def test_verify_proves_the_entries_of_its_own_plugin_and_starts_no_other_copy(alone, tmp_path):
    alone.env["CLAUDE_CODE_PLUGIN_DIRS"] = str(alone.plugin)
    rows = json.loads(alone.command("verify", "--json").stdout)["handlers"]
    [row] = [row for row in rows if row["event"] == "PreToolUse"]
    assert {proof["proof"] for proof in row["proofs"] if proof["ok"]} == {"deny", "rewrite", "silence"}
    other = shutil.copytree(alone.plugin, tmp_path / "other")
    (other / "lib/hookwright/runtime/plugin_start.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    alone.env["CLAUDE_CODE_PLUGIN_DIRS"] = str(other)
    rows = json.loads(alone.command("verify", "--json").stdout)["handlers"]
    assert {finding["code"] for row in rows for finding in row["findings"]} == {"plugin-alone"}
    assert not (tmp_path / "ran").exists()


def test_the_command_prefers_an_installed_one(alone):
    tool = alone.home / ".local/bin/hookwright"
    tool.parent.mkdir(parents=True)
    tool.write_text("#!/bin/sh\necho installed $1\n")
    tool.chmod(0o755)
    assert alone.command("status").stdout == "installed status\n"


def test_it_holds_no_compiled_file_and_the_licence_of_each_library(built_plugin):
    files = [path.relative_to(built_plugin) for path in built_plugin.rglob("*") if path.is_file()]
    files = [path for path in files if "__pycache__" not in path.parts]  # Python's own, of the tests before
    assert [str(path) for path in files if path.suffix in (".so", ".pyc", ".whl")] == []
    assert {path.stem for path in (built_plugin / "lib/licences").iterdir()} == {"click", "rich", "PyYAML"}
    assert sum(os.path.getsize(built_plugin / path) for path in files) < 8_000_000
