"""Builders for tests of the engine: settings, events, handlers."""

import asyncio
import contextlib
import json
import os
import time

from hookwright.engine import Engine, Handler

BASH = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}
STOP = {"hook_event_name": "Stop"}


def command(text, **options):
    return {"type": "command", "command": text, **options}


def says(answer, **options):
    """A command that prints this object."""
    return command(f"printf %s '{json.dumps(answer)}'", **options)


def decides(word, reason=None, **options):
    reason = {} if reason is None else {"permissionDecisionReason": reason}
    specific = {"hookEventName": "PreToolUse", "permissionDecision": word, **reason}
    return says({"hookSpecificOutput": specific}, **options)


def settings(*handlers, event="PreToolUse", matcher=None, **more):
    group = {"hooks": list(handlers)} if matcher is None else {"matcher": matcher, "hooks": list(handlers)}
    return {"user": {"hooks": {event: [group]}, **more}}


def engine(tmp_path, *handlers, given=None, **options):
    """An engine with these handlers before a tool, in an empty project."""
    project = tmp_path / "project"
    project.mkdir(exist_ok=True)
    env = {"PATH": os.environ["PATH"], **options.pop("env", {})}
    return Engine.from_settings(
        project=str(project),
        home=str(tmp_path / "home"),
        settings=given or settings(*handlers),
        env=env,
        managed=str(tmp_path / "etc"),
        **options,
    )


def handler(kind="command", event="PreToolUse", **options):
    defaults = {
        "command": {"command": "x"},
        "http": {"url": "http://h/x"},
        "prompt": {"prompt": "Is it fine?"},
        "agent": {"prompt": "Is it fine?"},
        "mcp_tool": {"server": "lab", "tool": "guard"},
    }
    return Handler(kind, event, "user", "f.json", 3, None, {"type": kind, **defaults[kind], **options})


async def there(mark):
    """Wait until a handler has created this file."""
    while not mark.exists():  # noqa: ASYNC110 - another process makes it
        await asyncio.sleep(0.01)


def gone(pid):
    """Whether a process ends within reason."""
    for _ in range(6000):
        try:
            os.kill(pid, 0)
            with contextlib.suppress(FileNotFoundError), open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except ProcessLookupError:
            return True
        time.sleep(0.01)
    return False
