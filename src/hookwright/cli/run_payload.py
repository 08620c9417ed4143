"""Build the payload that `hookwright run` sends: the user's, or a harmless sample, with every usual key.

command-line options, perhaps a file → [build_payload] → what Claude Code would send
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
from hookwright.testing import sample_values

MAX_BYTES = 32 << 20  # guards against a wrong file; Claude Code itself has no such limit
EXAMPLE = """hookwright run PreToolUse --command 'git push --force'"""


def validate_event(ctx: click.Context, param: click.Parameter, value: str) -> str:
    """Accept one of Claude Code's events, else suggest the closest."""
    events = catalogue.list_events()
    if value in events:
        return value
    by_letters = {name.lower(): name for name in events}
    close = get_close_matches(value.lower().replace("_", "").replace("-", ""), by_letters, n=1)
    hint = f" Did you mean {by_letters[close[0]]!r}?" if close else f" Events: {', '.join(events)}."
    raise click.BadParameter(f"Claude Code has no event {value!r}.{hint}", ctx=ctx, param=param)


def build_payload(event: str, source: str | None, tool: str | None, command: str | None, env: Mapping[str, str]) -> Any:
    """The whole payload: what is given, and for the rest what Claude Code usually sends."""
    about_tools = catalogue.is_about_tools(event)
    if (tool or command) and source:
        raise click.UsageError("--payload cannot be combined with --tool or --command.")
    if (tool or command) and not about_tools:
        raise click.UsageError(f"{event} has no tool; --tool and --command do not apply.")
    if command is not None and tool not in (None, "Bash", "PowerShell"):
        raise click.UsageError(f"{tool} has no command; give its input with --payload.")
    given: dict[str, Any] = _read_payload(event, source) if source else {"tool_name": tool} if tool else {}
    if command is not None:
        given["tool_input"] = {"command": command}
    return _fill_defaults(event, given, env, about_tools=about_tools)


def _fill_defaults(event: str, given: dict[str, Any], env: Mapping[str, str], *, about_tools: bool) -> dict[str, Any]:
    cwd = _payload_cwd(given)
    session = given.get("session_id") or str(uuid.uuid4())
    config = env.get("CLAUDE_CONFIG_DIR") or os.path.join(env.get("HOME", "~"), ".claude")
    transcript = os.path.join(config, "projects", re.sub(r"[^A-Za-z0-9]", "-", cwd), f"{session}.jsonl")
    own = {"session_id": session, "transcript_path": transcript, "cwd": cwd, "hook_event_name": event}
    usual = dict(sample_values.EVENTS[event])
    if about_tools:
        tool = given.get("tool_name", usual["tool_name"])
        usual["tool_input"] = dict(sample_values.TOOLS.get(tool, {}))
        if event == "PostToolUse":
            usual["tool_response"] = sample_values.RESPONSES.get(tool, {})
    whole: dict[str, Any] = {**own, **sample_values.expand_project(usual, cwd), **given}
    return whole


def _payload_cwd(given: Mapping[str, Any]) -> str:
    """The payload's cwd: there Claude Code looks for settings."""
    cwd = given.get("cwd")
    if cwd is None:
        try:
            return os.getcwd()
        except FileNotFoundError:
            raise UserError("the current directory no longer exists", fix="cd") from None
    if not isinstance(cwd, str) or not os.path.isdir(cwd):
        raise UserError(
            f"no such directory: {cwd}", where="cwd of the payload", fix="leave cwd out to use the current directory"
        )
    return cwd


# --- a payload from a file or stdin
def _read_payload(event: str, source: str) -> dict[str, Any]:
    where = "stdin" if source == "-" else source
    try:
        value = json.loads(_read_bytes(source, where))
    except UnicodeDecodeError:
        raise UserError("the payload is not UTF-8", where=where, fix="give the JSON that a hook reads") from None
    except RecursionError:
        raise UserError("the payload is nested too deeply", where=where) from None
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}:{error.colno}"
        raise UserError(f"the payload is not JSON: {error.msg}", where=place, fix=EXAMPLE) from None
    _check_payload(event, value, where)
    return dict(value)


def _read_bytes(source: str, where: str) -> bytes:
    try:
        if source == "-":
            data = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with open(source, "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"the payload cannot be read: {error.strerror}", where=where) from None
    if len(data) > MAX_BYTES:
        raise UserError(f"the payload is larger than {MAX_BYTES >> 20} MiB", where=where, fix="give a smaller payload")
    if not data.strip():
        raise UserError("the payload is empty", where=where, fix=EXAMPLE)
    return data


def _check_payload(event: str, value: Any, where: str) -> None:
    """Reject a payload of another event, or with keys of the wrong type."""
    if not isinstance(value, dict):
        raise UserError("the payload must be one JSON object", where=where, fix='{"tool_name": …, "tool_input": {…}}')
    name = value.get("hook_event_name", event)
    if name != event:
        raise UserError(f"this is a payload of {name}, not of {event}", where=where, fix=f"hookwright run {name}")
    wanted = {"tool_name": str, "tool_input": dict, "session_id": str, "transcript_path": str}
    for key, kind in wanted.items():
        if key in value and not isinstance(value[key], kind):
            what = "an object" if kind is dict else "a string"
            raise UserError(f"{key} must be {what}, not {json.dumps(value[key])[:60]}", where=where)
