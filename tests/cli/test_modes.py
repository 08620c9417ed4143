"""Files of ours are for the user alone, whatever the umask: 0600, directories 0700, the launcher 0755."""

import json
import os
import stat
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

QUESTION = {"question": "A or B?", "header": "h", "options": [{"label": "A"}, {"label": "B"}]}


def bash(event, command, **fields):
    return {"hook_event_name": event, "tool_name": "Bash", "tool_input": {"command": command}, **fields}


SESSION = [
    {"hook_event_name": "SessionStart", "source": "startup"},
    {"hook_event_name": "UserPromptSubmit", "prompt": "go on"},
    bash("PreToolUse", "npm install", tool_use_id="a"),
    bash("PreToolUse", "rm -rf /", tool_use_id="b"),
    {"hook_event_name": "PostToolUse", "tool_name": "Write", "tool_input": {"file_path": "{cwd}/a", "content": "x"}},
    bash("PostToolUseFailure", "make", error="Exit code 2"),
    {**bash("PreToolUse", ""), "tool_name": "AskUserQuestion", "tool_input": {"questions": [QUESTION]}},
    {"hook_event_name": "Notification", "notification_type": "permission_prompt", "message": "m"},
    {"hook_event_name": "Stop", "stop_hook_active": False},
    {"hook_event_name": "SessionEnd", "reason": "logout"},
]
COMMANDS = [
    *(["status"], ["verify"], ["log"], ["why"], ["stats"], ["learn"], ["replay"], ["test"], ["config", "show"]),
    *(["config", "check"], ["explain", "ls"], ["run", "PreToolUse", "--command", "ls", "--yes"], ["trust", "--yes"]),
    *(["new", "hook", "my_hook"], ["new", "rule", "my_rule", "--stops", "git push"], ["questions", "list"]),
    *(["questions", "presence", "away"], ["questions", "set", "--question", "A or B?", "--answer", "A"]),
    *(["questions", "log"], ["test"], ["undo", "--yes"], ["install", "--yes"], ["status"]),
]


def wrong_modes(home):
    """Everything of ours that is not as private as it should be."""
    found = []
    for top in (".config/hookwright", ".local/state/hookwright", ".local/share/hookwright", ".cache/hookwright"):
        assert (home / top).is_dir(), top
        for folder, _, names in os.walk(home / top):
            paths = [folder, *(os.path.join(folder, name) for name in names)]
            for path in paths:
                mode = os.lstat(path).st_mode
                wanted = 0o700 if stat.S_ISDIR(mode) else 0o755 if path.endswith("share/hookwright/hook") else 0o600
                if stat.S_IMODE(mode) != wanted:
                    found.append(f"{stat.S_IMODE(mode):o} {path}")
    return found


@pytest.mark.parametrize("umask", [0o000, 0o077], ids=oct)
def test_every_file_is_private(tmp_path, umask):
    home, project = tmp_path / "home", tmp_path / "home" / "work"
    project.mkdir(parents=True)
    (project / ".hookwright.toml").write_text('[stop_guard]\nuncommitted = "block"\n')
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONPATH": os.pathsep.join(sys.path)}
    env["HOOKWRIGHT_NOTIFY_CHANNELS"] = "terminal"

    def start(*words, data=b""):
        return subprocess.run(
            [sys.executable, "-m", "hookwright", *words],
            input=data,
            env=env,
            cwd=project,
            capture_output=True,
            umask=umask,
            timeout=120,
            check=False,
        )

    assert start("install", "--yes").returncode == 0
    for event in SESSION:
        payload = {"session_id": "s1", "cwd": str(project), "transcript_path": "/nowhere.jsonl", **event}
        done = start("hook", data=json.dumps(payload).replace("{cwd}", str(project)).encode())
        assert done.returncode == 0, done
    for words in COMMANDS:
        done = start(*words)
        assert done.returncode in (0, 1), (words, done)
    assert wrong_modes(home) == []
