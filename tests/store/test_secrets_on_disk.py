"""Every labelled secret goes through the hook process and the commands; nothing below HOME may hold one afterwards."""

import gzip
import json
import os
import sqlite3
import subprocess
import sys

import pytest

from tests.store.labelled_lines import read_secrets

pytestmark = pytest.mark.slow

CONFIG = """
[observer]
project_log = ".agent-os/observed-bash.jsonl"
[stop_guard]
uncommitted = "block"
[guard]
scripts = true
"""
# A hook of the user that quotes the whole command, as a reason and on stdout.
QUOTING_HOOK = """
from hookwright import PreToolUse, ask, hook


@hook(PreToolUse, "Bash")
def quoting(event):
    command = event.tool_input["command"]
    print("looked at", command)
    return ask(f"do you want {command}? Better: run it yourself, {command[:60]}")
"""
# One process that answers many payloads: starting one for each would take most of an hour.
LOOP = """
import json, sys
from hookwright.runtime import main
for line in sys.stdin:
    main.answer_payload(json.loads(line), b"test")
"""
OTHERS = 4  # every so manyth line goes through all events, the others before and after the tool only
SAMPLE = 101  # every so manyth event also goes through the registered process itself


def payloads(number, command, cwd):
    """The events of a session that runs this command, fails, asks about it and ends."""
    common = {"session_id": f"session-{number}", "cwd": cwd, "transcript_path": "/nowhere.jsonl"}
    bash = {"tool_name": "Bash", "tool_input": {"command": command, "description": "run it"}, "tool_use_id": "t1"}
    question = {"question": f"Shall I run `{command}`?", "header": "Run", "multiSelect": False}
    question["options"] = [{"label": f"Yes: `{command}`", "description": "d"}, {"label": "No", "description": "d"}]
    asked = {"tool_name": "AskUserQuestion", "tool_input": {"questions": [question]}, "tool_use_id": "t2"}
    answers = {"answers": {question["question"]: f"Yes: `{command}`"}}
    task = {"id": "b1", "type": "shell", "status": "running", "command": command}
    yield {**common, **bash, "hook_event_name": "PreToolUse"}
    yield {**common, **bash, "hook_event_name": "PostToolUse", "tool_response": {"stdout": command, "stderr": ""}}
    yield {**common, **bash, "hook_event_name": "PostToolUseFailure", "error": f"Exit code 1\n{command}: failed"}
    yield {**common, **asked, "hook_event_name": "PreToolUse"}
    yield {**common, **asked, "hook_event_name": "PostToolUse", "tool_response": answers}
    yield {**common, "hook_event_name": "UserPromptSubmit", "prompt": command}
    yield {**common, "hook_event_name": "Stop", "stop_hook_active": False, "background_tasks": [task]}
    yield {**common, "hook_event_name": "Stop", "stop_hook_active": False, "last_assistant_message": command}


def transcript(number, command):
    """The same command and question as Claude Code itself records them, for `learn`."""
    call = {"type": "tool_use", "id": f"c{number}", "name": "Bash", "input": {"command": command}}
    done = {"type": "tool_result", "tool_use_id": f"c{number}", "content": command}
    session = {"sessionId": f"t-{number}", "cwd": "/w"}
    yield {**session, "type": "assistant", "timestamp": "2026-01-05T10:00:00Z", "message": {"content": [call]}}
    yield {**session, "type": "user", "timestamp": "2026-01-05T10:00:09Z", "message": {"content": [done]}}


def contents(folder):
    """Every file below a folder with its text; compressed files and databases as what they hold."""
    for path in folder.rglob("*"):
        if not path.is_file() or path.is_symlink():
            continue
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = gzip.decompress(data)
        if data.startswith(b"SQLite format 3"):
            store = sqlite3.connect(path)
            data += "\n".join(store.iterdump()).encode()
            store.close()
        yield path, data.decode("utf-8", "replace")


@pytest.fixture(scope="module")
def lines():
    return [(f"{number:05}", *line) for number, line in enumerate(read_secrets())]


@pytest.fixture
def used_home(hook_process, lines, tmp_path):
    """A home in which every line was run, with all hooks on and all commands used afterwards."""
    home = hook_process.home
    hook_process.config.write_text(CONFIG)
    (hook_process.config.parent / "hooks").mkdir()
    (hook_process.config.parent / "hooks" / "quoting.py").write_text(QUOTING_HOOK)
    project = home / "work"
    project.mkdir()
    subprocess.run(["git", "init", "-q", str(project)], check=True)
    events = []
    for at, (number, command, _) in enumerate(lines):
        of_line = list(payloads(number, command, str(project)))
        events += of_line[: None if at % OTHERS == 0 else 2]
    env = {**hook_process.env, "PYTHONPATH": os.pathsep.join(sys.path), "CLAUDE_PROJECT_DIR": str(project)}
    data = "".join(json.dumps(payload) + "\n" for payload in events)
    subprocess.run(
        [sys.executable, "-c", LOOP], input=data.encode(), env=env, stdout=subprocess.DEVNULL, check=True, timeout=900
    )
    for payload in events[::SAMPLE]:
        hook_process(payload, CLAUDE_PROJECT_DIR=str(project))
    talks = tmp_path / "claude" / "projects" / "w"  # Claude Code's own files are not ours to mask
    talks.mkdir(parents=True)
    rows = [row for number, command, _ in lines for row in transcript(number, command)]
    (talks / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    env["CLAUDE_CONFIG_DIR"] = str(tmp_path / "claude")
    for words in (["learn"], ["log"], ["stats"], ["status"], ["verify"], ["questions", "log"], ["replay"]):
        subprocess.run(
            [sys.executable, "-m", "hookwright", *words], env=env, cwd=project, capture_output=True, check=False
        )
    return home


def test_no_secret_is_left_on_disk(used_home, lines):
    files = list(contents(used_home))
    assert any(".agent-os" in str(path) for path, _ in files)
    assert any(path.name == "ledger.db" for path, _ in files)
    journal = "".join(text for path, text in files if path.parent.name == "journal")
    assert journal.count("do you want") >= len(lines)  # the reason of the user's hook
    assert journal.count("Shall I run") >= len(lines) // OTHERS
    left = {}
    for number, command, secrets in lines:
        for secret in secrets:
            for path, text in files:
                if secret in text and _stands_for_itself(secret, text, number, command):
                    left.setdefault(command, (secret, []))[1].append(path.name)
    print(f"{len(left)} of {len(lines)} left on disk")
    assert not left, "\n".join(f"{line!r}: {where}" for line, where in left.items())


def _stands_for_itself(secret, text, number, command):
    """Not a word that stands there for another reason: look only where this line's session is named, if it is short."""
    if secret.startswith("-----END"):
        return False  # the last line of a key block tells nothing
    if len(secret) >= 8 and not secret.isalpha():
        return True
    hits = [row for row in text.splitlines() if f"-{number}" in row and secret in row.replace(f"-{number}", "")]
    return command.count(secret) == 1 and any(secret in row for row in hits)
