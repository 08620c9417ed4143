"""The event that `hookwright run` plays: yours, or a harmless one of its kind, complete in either case.

words of the command line, perhaps a file → [payload] → what Claude Code would send
"""

from __future__ import annotations

import json
import os
import re
import sys
import uuid
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import click

from hookwright.errors import UserError
from hookwright.protocol import catalogue
from hookwright.testing import typical

LARGEST = 32 << 20  # bytes; the client has no such limit, a mistake has
EXAMPLE = """hookwright run PreToolUse --command 'git push --force'"""


def known_event(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """One of Claude Code's events."""
    events = catalogue.events()
    if value in events:
        return value
    by_letters = {name.lower(): name for name in events}
    close = get_close_matches(value.lower().replace("_", "").replace("-", ""), by_letters, n=1)
    hint = f" Did you mean {by_letters[close[0]]!r}?" if close else f" It has {', '.join(events)}."
    raise click.BadParameter(f"Claude Code has no event {value!r}.{hint}", ctx=ctx, param=param)


def payload(event: str, source: str | None, tool: str | None, command: str | None, env: Mapping[str, str]) -> Any:
    """The whole payload. What is given counts; the rest is what the client usually sends."""
    about_tools = catalogue.is_about_tools(event)
    if (tool or command) and source:
        raise click.UsageError("--payload already says what happens; leave --tool and --command out.")
    if (tool or command) and not about_tools:
        raise click.UsageError(f"{event} is not about a tool; leave --tool and --command out.")
    if command is not None and tool not in (None, "Bash", "PowerShell"):
        raise click.UsageError(f"{tool} runs no command; say its input with --payload.")
    given: dict[str, Any] = _read(event, source) if source else {"tool_name": tool} if tool else {}
    if command is not None:
        given["tool_input"] = {"command": command}
    return _complete(event, given, env, about_tools=about_tools)


def _complete(event: str, given: dict[str, Any], env: Mapping[str, str], *, about_tools: bool) -> dict[str, Any]:
    cwd = _folder(given)
    session = given.get("session_id") or str(uuid.uuid4())
    config = env.get("CLAUDE_CONFIG_DIR") or os.path.join(env.get("HOME", "~"), ".claude")
    transcript = os.path.join(config, "projects", re.sub(r"[^A-Za-z0-9]", "-", cwd), f"{session}.jsonl")
    own = {"session_id": session, "transcript_path": transcript, "cwd": cwd, "hook_event_name": event}
    usual = dict(typical.EVENTS[event])
    if about_tools:
        tool = given.get("tool_name", usual["tool_name"])
        usual["tool_input"] = dict(typical.TOOLS.get(tool, {}))
        if event == "PostToolUse":
            usual["tool_response"] = typical.RESPONSES.get(tool, {})
    whole: dict[str, Any] = {**own, **typical.placed(usual, cwd), **given}
    return whole


def _folder(given: Mapping[str, Any]) -> str:
    """Where it happens: there Claude Code would look for settings."""
    cwd = given.get("cwd")
    if cwd is None:
        try:
            return os.getcwd()
        except FileNotFoundError:
            raise UserError("the folder that you are in is gone", fix="cd") from None
    if not isinstance(cwd, str) or not os.path.isdir(cwd):
        raise UserError(
            f"there is no folder {cwd}", where="the payload's cwd", fix="leave cwd out: it is where you are"
        )
    return cwd


# --- a payload that is given
def _read(event: str, source: str) -> dict[str, Any]:
    where = "stdin" if source == "-" else source
    try:
        value = json.loads(_bytes(source, where))
    except UnicodeDecodeError:
        raise UserError("the payload is no UTF-8 text", where=where, fix="give the JSON that a hook reads") from None
    except RecursionError:
        raise UserError("the payload is nested too deeply", where=where) from None
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}:{error.colno}"
        raise UserError(f"the payload is no JSON: {error.msg}", where=place, fix=EXAMPLE) from None
    _check(event, value, where)
    return dict(value)


def _bytes(source: str, where: str) -> bytes:
    try:
        if source == "-":
            data = sys.stdin.buffer.read(LARGEST + 1)
        else:
            with open(source, "rb") as file:
                data = file.read(LARGEST + 1)
    except OSError as error:
        raise UserError(f"the payload cannot be read: {error.strerror}", where=where) from None
    if len(data) > LARGEST:
        raise UserError(f"the payload is larger than {LARGEST >> 20} MiB", where=where, fix="shorten what it carries")
    if not data.strip():
        raise UserError("the payload is empty", where=where, fix=EXAMPLE)
    return data


def _check(event: str, value: Any, where: str) -> None:
    """What would make it another event, or none at all."""
    if not isinstance(value, dict):
        raise UserError("the payload must be one JSON object", where=where, fix='{"tool_name": …, "tool_input": {…}}')
    name = value.get("hook_event_name", event)
    if name != event:
        raise UserError(f"the payload is of {name}, not of {event}", where=where, fix=f"hookwright run {name}")
    wanted = {"tool_name": str, "tool_input": dict, "session_id": str, "transcript_path": str}
    for key, kind in wanted.items():
        if key in value and not isinstance(value[key], kind):
            what = "an object" if kind is dict else "a text"
            raise UserError(f"{key} must be {what}, not {json.dumps(value[key])[:60]}", where=where)
