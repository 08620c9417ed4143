"""Build harmless payloads, as the client would send them from this project; one or more per event.

event, matcher, project → [harmless_payloads] → check_ours, check_third_party, check_http
Nothing in them exists: a made-up session, a read-only command, a missing file.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from hookwright.protocol import catalogue
from hookwright.settings import matcher_syntax
from hookwright.testing import sample_values

HARMLESS_COMMAND = sample_values.HARMLESS_COMMAND
TOOL_USE_ID = "toolu_hookwright_verify"
TOOLS: Mapping[str, Mapping[str, Any]] = {
    **sample_values.TOOLS,
    "Bash": {"command": HARMLESS_COMMAND, "description": "a look, by hookwright verify"},
}


def harmless_payloads(event: str, matcher: str | None, project: str) -> list[dict[str, Any]]:
    """Payloads of this event that match; for tool events one per tool, up to three."""
    return [_place_in_project(payload, project) for payload in _event_payloads(event, matcher)]


def bash_payload(command: str, project: str) -> dict[str, Any]:
    """A Bash call in a session that does not exist."""
    return _place_in_project(_tool_call("PreToolUse", "Bash", {**TOOLS["Bash"], "command": command}), project)


def _event_payloads(event: str, matcher: str | None) -> Iterator[dict[str, Any]]:
    if not catalogue.is_about_tools(event):
        yield _matched_event(event, matcher)
        return
    for tool in tools_for(matcher):
        yield _tool_call(event, tool, TOOLS.get(tool, {}))


def _matched_event(event: str, matcher: str | None) -> dict[str, Any]:
    """The keys of the event, with a value that the matcher accepts."""
    fields = {"hook_event_name": event, **sample_values.EVENTS[event]}
    name = str(catalogue.load_protocol()["events"][event]["matcher_field"] or "").partition(" ")[0].rstrip(";")
    names = matcher_syntax.exact_names(matcher)
    if name in fields and names and fields[name] not in names:
        fields[name] = min(names)
    return fields


def tools_for(matcher: str | None) -> list[str]:
    """Up to three tools that this matcher accepts."""
    names = matcher_syntax.exact_names(matcher)
    if names is not None:
        return sorted(names, key=lambda name: (name not in TOOLS, list(TOOLS).index(name) if name in TOOLS else 0))[:3]
    if matcher_syntax.matches_all(matcher) or matcher is None:
        return ["Bash", "Read", "Write"]
    try:
        found = [name for name in TOOLS if re.search(matcher, name)]
    except re.error:
        found = []
    return found[:3] or [re.sub(r"\.[*+]|[^\w-]+", "x", matcher.split("|")[0].strip("^$()"))]


def _tool_call(event: str, tool: str, tool_input: Mapping[str, Any]) -> dict[str, Any]:
    """A matcher may name a tool that we do not know; its input is then empty."""
    fields = {
        "hook_event_name": event,
        **sample_values.EVENTS[event],
        "tool_name": tool,
        "tool_input": dict(tool_input),
    }
    if "tool_use_id" in fields:
        fields["tool_use_id"] = TOOL_USE_ID
    if event == "PostToolUse":
        fields["tool_response"] = sample_values.RESPONSES.get(tool, {})
    return fields


def _place_in_project(payload: Mapping[str, Any], project: str) -> dict[str, Any]:
    session = str(uuid.uuid4())
    transcript = f"{project}/.hookwright-verify-{session}.jsonl"
    placed: dict[str, Any] = sample_values.expand_project(dict(payload), project)
    return {"session_id": session, "transcript_path": transcript, "cwd": project, **placed}
