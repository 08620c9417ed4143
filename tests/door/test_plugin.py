"""The plugin's text finds the door, or passes in silence; it never ends with 2."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from hookwright.door import bundle, plugin
from hookwright.door.entry import starts_the_door
from hookwright.testing.builders import bash, payload

LONG = bash("npm install").raw
START = payload("SessionStart", source="startup")
SHELLS = [shell for shell in ("/bin/sh", "/bin/bash") if os.path.exists(shell)]


class Plugin:
    def __init__(self, door, shell):
        self.door, self.shell = door, shell
        self.state = door.home / ".local/state/hookwright"
        self.file = self.state / "door"
        plugin.leave(door.argv, bundle.package_root(), str(self.state))

    def __call__(self, event, **env):
        text = plugin.text_for(event["hook_event_name"])
        return subprocess.run(
            [self.shell, "-c", text],
            input=json.dumps(event).encode(),
            capture_output=True,
            env={**self.door.env, "CLAUDE_PLUGIN_DATA": f"{self.door.home}/data", **env},
            cwd=self.door.home,
            timeout=60,
            check=False,
        )

    def answer(self, event, **env):
        done = self(event, **env)
        assert done.returncode == 0
        return json.loads(done.stdout) if done.stdout else None


@pytest.fixture(params=SHELLS, ids=os.path.basename)
def plug(door, request):
    return Plugin(door, request.param)


def test_the_plugin_is_the_door(plug):
    assert plug.answer(LONG) == plug.door.answer(LONG)
    assert plug.answer(bash("git status").raw) is None
    assert [row["event"] for row in plug.door.journal] == ["PreToolUse"] * 3


def test_it_stands_aside_where_settings_register_the_event(plug):
    folder = plug.door.home / ".claude"
    folder.mkdir()
    ours = {"type": "command", "command": plug.door.argv[0], "args": plug.door.argv[1:]}
    (folder / "settings.json").write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [ours]}]}}))
    assert plug.answer(LONG) is None
    assert plug.door.journal == []
    assert plug(START).returncode == 0
    assert [row["event"] for row in plug.door.journal] == ["SessionStart"]


def test_without_the_package_it_says_so_once_and_passes(plug):
    plug.file.unlink()
    assert plug.answer(LONG) is None
    assert plug.answer(START, CLAUDE_CODE_ENTRYPOINT="sdk-cli") is None  # nobody sees it there
    assert "make install" in plug.answer(START)["systemMessage"]
    assert plug.answer(START) is None
    assert plug.answer(START, CLAUDE_PLUGIN_DATA="") is None


@pytest.mark.parametrize("damage", ["if [ ; then", "exit 2", "\0\0\0", "exec /nowhere", "return 2", ") ) )", None])
def test_a_damaged_way_in_never_becomes_a_block(plug, damage):
    if damage is None:
        plug.file.unlink()
        plug.file.mkdir()
    else:
        plug.file.write_text(damage)
    for event in (LONG, START):
        assert plug(event).returncode != 2


def test_another_interpreter_or_package_is_found_by_the_command(plug):
    """The file tells of an interpreter that is gone; `hookwright` on PATH takes over and writes it anew."""
    tool = plug.door.home / ".local/bin/hookwright"
    tool.parent.mkdir(parents=True)
    os.symlink(shutil.which("hookwright", path=os.path.dirname(sys.executable)), tool)
    for gone in (["/gone/python3", *plug.door.argv[1:]], plug.door.argv):
        plugin.leave(gone, "/gone/site-packages", str(plug.state))
        assert plug.answer(LONG) == plug.door.answer(LONG)
        assert "/gone/" not in plug.file.read_text()


def test_the_folders_of_the_environment_are_followed(plug, tmp_path):
    plug.file.rename(tmp_path / "door")
    assert plug.answer(LONG, HOOKWRIGHT_STATE_HOME=str(tmp_path)) is not None
    (tmp_path / "hookwright").mkdir()
    (tmp_path / "door").rename(tmp_path / "hookwright/door")
    assert plug.answer(LONG, XDG_STATE_HOME=str(tmp_path)) is not None


def test_paths_with_odd_characters_are_quoted(tmp_path):
    argv = ["/opt/it's here/python3", "-c", "print('$HOME')\n"]
    text = plugin.script(argv, "/opt/it's here")
    done = subprocess.run(["/bin/sh", "-n"], input=text.encode(), check=False)
    assert done.returncode == 0
    assert "'/opt/it'\"'\"'s here/python3'" in text


def test_the_plugins_entries_are_ours():
    with open("plugin/hooks/hooks.json", encoding="utf-8") as file:
        hooks = json.load(file)["hooks"]
    handlers = [handler for groups in hooks.values() for group in groups for handler in group["hooks"]]
    assert handlers
    assert all(map(starts_the_door, handlers))
