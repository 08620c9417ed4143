"""The plugin's text finds the launcher, or passes in silence; it never ends with 2."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from hookwright.runtime import launcher, plugin_launcher
from hookwright.runtime.entry_match import runs_hookwright
from hookwright.testing.builders import bash, payload

pytestmark = pytest.mark.slow

LONG = bash("npm install").raw
DENIED = bash("rm -rf /").raw
START = payload("SessionStart", source="startup")
SHELLS = [shell for shell in ("/bin/sh", "/bin/bash") if os.path.exists(shell)]


class Plugin:
    def __init__(self, hook_process, shell):
        self.hook_process, self.shell = hook_process, shell
        self.file = hook_process.launcher

    def __call__(self, event, **env):
        text = plugin_launcher.text_for(event["hook_event_name"])
        return subprocess.run(
            [self.shell, "-c", text],
            input=json.dumps(event).encode(),
            capture_output=True,
            env={**self.hook_process.env, "CLAUDE_PLUGIN_DATA": f"{self.hook_process.home}/data", **env},
            cwd=self.hook_process.home,
            timeout=60,
            check=False,
        )

    def answer(self, event, **env):
        done = self(event, **env)
        assert (done.returncode, done.stderr) == (0, b"")
        return json.loads(done.stdout) if done.stdout else None


@pytest.fixture(params=SHELLS, ids=os.path.basename)
def plug(hook_process, request):
    return Plugin(hook_process, request.param)


def test_the_plugin_becomes_the_hook_process(plug):
    assert plug.answer(DENIED) == plug.hook_process.answer(DENIED)
    assert plug.answer(bash("git status").raw) is None
    assert [row["event"] for row in plug.hook_process.journal] == ["PreToolUse"] * 3


def test_it_stands_aside_where_settings_register_the_event(plug):
    folder = plug.hook_process.home / ".claude"
    folder.mkdir()
    ours = {"type": "command", "command": plug.hook_process.argv[0], "args": plug.hook_process.argv[1:]}
    (folder / "settings.json").write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [ours]}]}}))
    assert plug.answer(LONG) is None
    assert plug.hook_process.journal == []
    assert plug(START).returncode == 0
    assert [row["event"] for row in plug.hook_process.journal] == ["SessionStart"]


def test_without_the_package_it_says_so_once_and_passes(plug):
    plug.file.unlink()
    assert plug.answer(LONG) is None
    assert plug.answer(START, CLAUDE_CODE_ENTRYPOINT="sdk-cli") is None  # nobody sees it there
    assert "uv tool install hookwright" in plug.answer(START)["systemMessage"]
    assert plug.answer(START) is None
    assert plug.answer(START, CLAUDE_PLUGIN_DATA="") is None


@pytest.mark.parametrize("damage", ["", "if [ ; then", "exit 2", "\0\0\0", "#!/nowhere\n# package: /\n", ") ) )", None])
def test_a_damaged_launcher_never_becomes_a_block(plug, damage):
    if damage is None:
        plug.file.unlink()
        plug.file.mkdir()
    else:
        plug.file.write_text(damage)
    for event in (LONG, START):
        assert plug(event).returncode != 2


def test_a_launcher_of_another_interpreter_or_package_is_replaced_by_the_command(plug):
    """The launcher names an interpreter or a package that is gone; `hookwright` on PATH writes it anew."""
    tool = plug.hook_process.home / ".local/bin/hookwright"
    tool.parent.mkdir(parents=True)
    os.symlink(shutil.which("hookwright", path=os.path.dirname(sys.executable)), tool)
    for interpreter, package in (("/gone/python3", launcher.package_root()), (sys.executable, "/gone/site-packages")):
        plug.file.write_text(launcher.render_launcher(interpreter, package, launcher.bundle_prefix()))
        assert plug.answer(DENIED) == plug.hook_process.answer(DENIED)
        assert "/gone/" not in plug.file.read_text()


def test_the_data_home_is_followed(plug, tmp_path):
    moved = tmp_path / "with a blank/hookwright/hook"
    moved.parent.mkdir(parents=True)
    plug.file.rename(moved)
    assert plug.answer(LONG, XDG_DATA_HOME=str(tmp_path / "with a blank")) is not None
    assert plug.answer(LONG) is None


def test_a_relative_data_home_counts_as_unset(plug):
    """It would be looked for in the project."""
    planted = plug.hook_process.home / "data/hookwright/hook"
    planted.parent.mkdir(parents=True)
    planted.write_text("#!/bin/sh\n# package: /\ntouch planted\n")
    planted.chmod(0o755)
    assert plug.answer(DENIED, XDG_DATA_HOME="data") == plug.hook_process.answer(DENIED)
    assert not (plug.hook_process.home / "planted").exists()


def test_the_plugins_entries_are_ours():
    with open("plugin/hooks/hooks.json", encoding="utf-8") as file:
        hooks = json.load(file)["hooks"]
    handlers = [handler for groups in hooks.values() for group in groups for handler in group["hooks"]]
    assert handlers
    assert all(map(runs_hookwright, handlers))
