"""Install, uninstall, plugin and strict in the real client: what is registered fires, what is not does not."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.client.kit import netns
from tests.client.kit.scripted_api import bash, call
from tests.plugin_kit import build_plugin

REPOSITORY = Path(__file__).resolve().parent.parent.parent
PLUGIN = str(REPOSITORY / "plugin")
DESTROYS = "rm -rf ~/"


class Installed:
    """The lab, with our own commands run in its home."""

    def __init__(self, lab):
        self.lab = lab
        self.file = Path(lab.home) / ".claude/settings.json"
        self.file.write_text(json.dumps({"permissions": {"allow": ["Bash", "Read"]}}))

    def __call__(self, *words, expect=0):
        env = {"HOME": self.lab.home, "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
        argv = [sys.executable, "-m", "hookwright", *words]
        done = subprocess.run(argv, env=env, cwd=self.lab.project, capture_output=True, text=True, check=False)
        assert done.returncode == expect, done
        return done.stdout

    @property
    def events(self):
        folder = Path(self.lab.home) / ".local/state/hookwright/journal"
        lines = [line for path in folder.glob("*.jsonl") for line in path.read_text().splitlines() if line]
        return [json.loads(line) for line in lines]

    def tools(self):
        return [(row["event"], row["tool"]) for row in self.events if row.get("tool")]


@pytest.fixture
def ours(lab):
    return Installed(lab)


def test_after_install_the_hooks_fire_and_after_uninstall_they_do_not(ours):
    ours("install", "--yes")
    run = ours.lab.run([bash(DESTROYS), bash("echo fine"), "done"])
    assert run.tool_results[0].failed
    assert "hookwright recursive-delete" in run.tool_results[0].text
    assert run.tool_results[1].text == "fine"
    seen = [row["event"] for row in ours.events]
    assert {"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd"} <= set(seen)
    assert '"calls": 2' in ours("status", "--json")
    ours("verify")
    count = len(ours.events)
    ours("uninstall", "--yes")
    left = json.loads(ours.file.read_text())  # the client has written it anew meanwhile, in its own form
    assert left["permissions"] == {"allow": ["Bash", "Read"]}
    assert "hooks" not in left
    run = ours.lab.run([bash("echo fine"), "done"])
    assert run.tool_results[0].text == "fine"
    assert len(ours.events) == count


def test_the_plugin_form_fires_and_beside_settings_it_stands_aside(ours):
    args = ["--plugin-dir", PLUGIN]
    ours("hook", "--print-argv")  # any command of ours leaves the way in
    run = ours.lab.run([bash(DESTROYS), "done"], args=args)
    assert "hookwright recursive-delete" in run.tool_results[0].text
    assert ours.tools() == [("PreToolUse", "Bash")]
    ours("install", "--yes")
    run = ours.lab.run([bash(DESTROYS), "done"], args=args)
    assert run.tool_results[0].text.count("hookwright recursive-delete") == 1
    assert ours.tools() == [("PreToolUse", "Bash")] * 2  # one more, not two


def test_the_plugin_without_the_package_says_so_once_and_stops_nothing(ours, tmux):
    args = ["--plugin-dir", PLUGIN]
    for first in (True, False):
        with ours.lab.terminal([bash("echo fine"), "all done"], args=args) as screen:
            screen.say("go")
            screen.wait("all done")
            assert screen.shows("hookwright itself is not installed") is first
            screen.leave()
    run = ours.lab.run([bash("echo fine"), "done"], args=args)
    assert run.tool_results[0].text == "fine"


@pytest.fixture
def plugin(tmp_path):
    return build_plugin(tmp_path / "plugin")


def test_the_built_plugin_works_alone_and_beside_an_install_it_stands_aside(ours, plugin):
    """No hookwright is installed in this home: neither a launcher nor a command on PATH."""
    args = ["--plugin-dir", str(plugin)]
    run = ours.lab.run([bash(DESTROYS), bash("hookwright why last"), "done"], args=args)
    denied, asked = run.tool_results
    assert "hookwright recursive-delete" in denied.text
    assert "Sent: deny" in asked.text  # the plugin's bin/ is on the PATH of Claude's shell
    assert not (Path(ours.lab.home) / ".local/share/hookwright").exists()
    assert ours.tools().count(("PreToolUse", "Bash")) == 2
    ours("install", "--yes")
    run = ours.lab.run([bash(DESTROYS), "done"], args=args)
    assert run.tool_results[0].text.count("hookwright recursive-delete") == 1
    assert ours.tools().count(("PreToolUse", "Bash")) == 3  # one more, not two


def test_the_plugin_is_added_from_a_marketplace_and_passes_the_clients_own_validation(ours, plugin, claude_binary):
    env = {**ours.lab._environment({}), "HOME": ours.lab.home}

    def claude(*words):
        argv = netns.inside([claude_binary, "plugin", *words])
        return subprocess.run(argv, env=env, cwd=REPOSITORY, capture_output=True, text=True, timeout=100, check=False)

    for folder in (PLUGIN, str(plugin), str(REPOSITORY)):
        done = claude("validate", "--strict", folder)
        assert done.returncode == 0, done.stdout
    assert claude("marketplace", "add", str(plugin)).returncode == 0
    assert claude("install", "hookwright@hookwright").returncode == 0
    run = ours.lab.run([bash(DESTROYS), "done"])
    assert "hookwright recursive-delete" in run.tool_results[0].text
    assert (Path(ours.lab.home) / ".claude/plugins/data").is_dir()
    ours("hook", "--print-argv")
    report = json.loads(ours("verify", "--json"))
    rows = [row for row in report["handlers"] if row["event"] == "PreToolUse"]
    assert [(row["scope"], row["ours"]) for row in rows] == [("plugin", True)]
    assert {proof["proof"] for proof in rows[0]["proofs"] if proof["ok"]} == {"deny", "rewrite", "silence"}


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("broken", ["launcher", "run bit", "interpreter", "package"])
def test_a_broken_hook_process_lets_through_unless_it_is_strict(ours, strict, broken):
    ours("install", "--yes", "--strict" if strict else "--no-strict")
    path = Path(json.loads(ours.file.read_text())["hooks"]["PreToolUse"][0]["hooks"][0]["command"])
    text = path.read_text()
    if broken == "interpreter":
        text = "#!/gone/python3 -ISXutf8\n" + text.partition("\n")[2]
    elif broken == "package":
        text = re.sub(r"(?m)^PACKAGE = .*", "PACKAGE = '/gone/site-packages'", text)
        text = re.sub(r"(?m)^BUNDLE = .*", "BUNDLE = '/gone/cache/bundle.'", text)
    path.write_text(text)
    if broken == "run bit":
        path.chmod(0o644)
    if broken == "launcher":
        path.unlink()
    run = ours.lab.run([bash("echo fine"), "done"])
    assert run.tool_results[0].failed is strict
    assert (run.tool_results[0].text == "fine") is not strict


def test_only_the_chosen_hook_speaks(ours):
    ours("install", "--yes", "--only", "observer")
    ours.lab.write("kept/file", "here")
    run = ours.lab.run([bash("cd kept && rm -rf ~/nothing-there; ls"), call("Read", file_path="nothing"), "done"])
    assert run.tool_results[0].text == "file"
    hooks = {said["hook"] for row in ours.events for said in row["decisions"]}
    assert hooks == {"observer"}
