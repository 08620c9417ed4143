"""Harmless payloads, as the client would send them from this project, one or more an event.

event, matcher, project → [harmless] → bytes for stdin
Nothing that they tell of exists: a session of its own, a command that only looks, a file that is not there.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from hookwright.protocol import catalogue
from hookwright.settings import matchers
from hookwright.testing import typical

LOOK = typical.LOOK
CALL = "toolu_hookwright_verify"
TOOLS: Mapping[str, Mapping[str, Any]] = {
    **typical.TOOLS,
    "Bash": {"command": LOOK, "description": "a look, by hookwright verify"},
}


def harmless(event: str, matcher: str | None, project: str) -> list[bytes]:
    """Payloads of this event that the matcher lets through; more than one where a hook should tell them apart."""
    return [encoded(_here(payload, project)) for payload in _of(event, matcher)]


def bash_call(command: str, project: str) -> bytes:
    """A Bash call of a session that does not exist."""
    return encoded(_here(_tool_call("PreToolUse", "Bash", {**TOOLS["Bash"], "command": command}), project))


def again(payload: bytes) -> bytes:
    """The same stop, after a hook has already kept Claude going."""
    return encoded({**json.loads(payload), "stop_hook_active": True})


def encoded(payload: Mapping[str, Any]) -> bytes:
    """One line, as the client writes it."""
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def _of(event: str, matcher: str | None) -> Iterator[dict[str, Any]]:
    if not catalogue.is_about_tools(event):
        yield _matched(event, matcher)
        return
    for tool in tools_for(matcher):
        yield _tool_call(event, tool, TOOLS.get(tool, {}))


def _matched(event: str, matcher: str | None) -> dict[str, Any]:
    """The event's keys, with the matched one as the matcher wants it."""
    fields = {"hook_event_name": event, **typical.EVENTS[event]}
    name = str(catalogue.protocol()["events"][event]["matcher_field"] or "").partition(" ")[0].rstrip(";")
    wanted = matchers.names(matcher)
    if name in fields and wanted and fields[name] not in wanted:
        fields[name] = min(wanted)
    return fields


def tools_for(matcher: str | None) -> list[str]:
    """Up to three tools that this matcher lets through."""
    names = matchers.names(matcher)
    if names is not None:
        return sorted(names, key=lambda name: (name not in TOOLS, list(TOOLS).index(name) if name in TOOLS else 0))[:3]
    if matchers.matches_all(matcher) or matcher is None:
        return ["Bash", "Read", "Write"]
    try:
        found = [name for name in TOOLS if re.search(matcher, name)]
    except re.error:
        found = []
    return found[:3] or [re.sub(r"\.[*+]|[^\w-]+", "x", matcher.split("|")[0].strip("^$()"))]


def _tool_call(event: str, tool: str, tool_input: Mapping[str, Any]) -> dict[str, Any]:
    """A matcher may name a tool that we do not know, so nothing is checked here."""
    fields = {"hook_event_name": event, **typical.EVENTS[event], "tool_name": tool, "tool_input": dict(tool_input)}
    if "tool_use_id" in fields:
        fields["tool_use_id"] = CALL
    if event == "PostToolUse":
        fields["tool_response"] = typical.RESPONSES.get(tool, {})
    return fields


def _here(payload: Mapping[str, Any], project: str) -> dict[str, Any]:
    session = str(uuid.uuid4())
    transcript = f"{project}/.hookwright-verify-{session}.jsonl"
    placed: dict[str, Any] = typical.placed(dict(payload), project)
    return {"session_id": session, "transcript_path": transcript, "cwd": project, **placed}
