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
from hookwright.testing.builders import payload as built

LOOK = "git status --short"
CALL = "toolu_hookwright_verify"
FILE = "hookwright-verify.txt"
_MODEL = {"from_model": "claude-opus-5-5", "to_model": "claude-sonnet-5-5", "requested_model": "sonnet"}
_COST = {"context_tokens": 1200, "prompt_cache_warm": False, "cache_ttl": "5m", "estimated_cache_write_usd": 0.01}
_SWITCH = {**_MODEL, **_COST, "source": "command", "pricing": "catalog"}
_TASK = {"task_id": "1", "task_subject": "look around", "task_description": "a look, by hookwright verify"}
_ENDING = {"stop_hook_active": False, "last_assistant_message": "done", "background_tasks": [], "session_crons": []}
_AGENT = {"agent_id": "a0000000000000001", "agent_type": "general-purpose"}
_SERVER = {"mcp_server_name": "example"}

# Events that are not about tools: their own keys. `@` stands for the project's folder.
EVENTS: Mapping[str, Mapping[str, Any]] = {
    "PostToolBatch": {"permission_mode": "default", "tool_calls": []},
    "UserPromptSubmit": {"permission_mode": "default", "prompt": "hello"},
    "UserPromptExpansion": {
        "permission_mode": "default",
        "expansion_type": "slash_command",
        "command_name": "greet",
        "command_args": "",
        "command_source": "projectSettings",
        "prompt": "/greet",
    },
    "SessionStart": {"source": "startup", "model": "claude-opus-5-5"},
    "Setup": {"trigger": "init"},
    "SessionEnd": {"reason": "other"},
    "Stop": {"permission_mode": "default", **_ENDING},
    "StopFailure": {"error": "server_error", "last_assistant_message": "done"},
    "SubagentStart": _AGENT,
    "SubagentStop": {**_AGENT, "permission_mode": "default", "agent_transcript_path": "@/agent.jsonl", **_ENDING},
    "TeammateIdle": {"teammate_name": "ann", "team_name": "shop"},
    "TaskCreated": _TASK,
    "TaskCompleted": _TASK,
    "PreCompact": {"trigger": "manual", "custom_instructions": ""},
    "PostCompact": {"trigger": "manual", "compact_summary": "a summary"},
    "PreModelSwitch": _SWITCH,
    "PostModelSwitch": _SWITCH,
    "Notification": {"message": "Claude is waiting for your input", "notification_type": "idle_prompt"},
    "MessageDisplay": {"turn_id": "1", "message_id": "1", "index": 0, "final": True, "delta": "hello"},
    "Elicitation": {**_SERVER, "message": "which one?", "mode": "form"},
    "ElicitationResult": {**_SERVER, "action": "accept", "content": {}},
    "ConfigChange": {"source": "user_settings", "file_path": "@/.claude/settings.json"},
    "InstructionsLoaded": {"file_path": "@/CLAUDE.md", "memory_type": "Project", "load_reason": "session_start"},
    "CwdChanged": {"old_cwd": "@", "new_cwd": "@"},
    "FileChanged": {"file_path": f"@/{FILE}", "event": "change"},
    "DirectoryAdded": {"directory": "@", "source": "slash_command"},
    "WorktreeCreate": {"name": "hookwright-verify"},
    "WorktreeRemove": {"worktree_path": "@/hookwright-verify"},
}
QUESTION = {
    "question": "Which colour?",
    "header": "Colour",
    "multiSelect": False,
    "options": [{"label": "Blue", "description": "as the sky"}, {"label": "Green", "description": "as grass"}],
}
# What a harmless call of each tool looks like, and how it ends.
TOOLS: Mapping[str, Mapping[str, Any]] = {
    "Bash": {"command": LOOK, "description": "a look, by hookwright verify"},
    "Read": {"file_path": f"@/{FILE}"},
    "Edit": {"file_path": f"@/{FILE}", "old_string": "a", "new_string": "b", "replace_all": False},
    "Write": {"file_path": f"@/{FILE}", "content": "hello\n"},
    "Glob": {"pattern": "*.md"},
    "Grep": {"pattern": "hello"},
    "NotebookEdit": {"notebook_path": "@/hookwright-verify.ipynb", "new_source": "1"},
    "WebFetch": {"url": "https://example.com/", "prompt": "what is this?"},
    "WebSearch": {"query": "example"},
    "Agent": {"description": "look", "prompt": "look around", "subagent_type": "general-purpose"},
    "AskUserQuestion": {"questions": [QUESTION]},
    "mcp__example__look": {},
}
RESPONSES: Mapping[str, Any] = {
    "Bash": {"stdout": "", "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False},
    "Read": {
        "type": "text",
        "file": {"filePath": f"@/{FILE}", "content": "", "numLines": 0, "startLine": 1, "totalLines": 0},
    },
    "Edit": {"filePath": f"@/{FILE}", "oldString": "a", "newString": "b", "replaceAll": False},
    "Write": {"type": "create", "filePath": f"@/{FILE}", "content": "hello\n"},
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
        yield built(event, **_matched(event, matcher))
        return
    for tool in tools_for(matcher):
        yield _tool_call(event, tool, TOOLS.get(tool, {}))


def _matched(event: str, matcher: str | None) -> dict[str, Any]:
    """The event's keys, with the matched one as the matcher wants it."""
    fields = dict(EVENTS[event])
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
    fields: dict[str, Any] = {"permission_mode": "default", "tool_name": tool, "tool_input": tool_input}
    if event != "PermissionRequest":
        fields["tool_use_id"] = CALL
    if event == "PostToolUse":
        fields.update(tool_response=RESPONSES.get(tool, {}), duration_ms=5)
    elif event == "PostToolUseFailure":
        fields.update(error="Exit code 1", is_interrupt=False, duration_ms=5)
    elif event == "PermissionDenied":
        fields["reason"] = "a look, by hookwright verify"
    return built(event, **fields)


def _here(payload: Mapping[str, Any], project: str) -> dict[str, Any]:
    session = str(uuid.uuid4())
    placed: dict[str, Any] = json.loads(json.dumps(payload).replace('"@', json.dumps(project)[:-1]))
    transcript = f"{project}/.hookwright-verify-{session}.jsonl"
    return {**placed, "session_id": session, "transcript_path": transcript, "cwd": project}
