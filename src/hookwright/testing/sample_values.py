"""Usual values of every event and tool, so that a test gives only the keys it is about.

[EVENTS, TOOLS, RESPONSES] → builders, verify, `hookwright run` → payloads
`@` stands for the project directory. None of these files exists.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

HARMLESS_COMMAND = "git status --short"
TOOL_USE_ID = "toolu_1"
FILE = "hookwright-example.txt"
_MODEL = {"from_model": "claude-opus-5-5", "to_model": "claude-sonnet-5-5", "requested_model": "sonnet"}
_COST = {"context_tokens": 1200, "prompt_cache_warm": False, "cache_ttl": "5m", "estimated_cache_write_usd": 0.01}
_SWITCH = {**_MODEL, **_COST, "source": "command", "pricing": "catalog"}
_TASK = {"task_id": "1", "task_subject": "look around", "task_description": "a look"}
_ENDING = {"stop_hook_active": False, "last_assistant_message": "done", "background_tasks": [], "session_crons": []}
_AGENT = {"agent_id": "a0000000000000001", "agent_type": "general-purpose"}
_SERVER = {"mcp_server_name": "example"}
_MODE = {"permission_mode": "default"}
_TOOL = {**_MODE, "tool_name": "Bash"}

EVENTS: Mapping[str, Mapping[str, Any]] = {
    "PreToolUse": {**_TOOL, "tool_use_id": TOOL_USE_ID},
    "PermissionRequest": {**_TOOL, "permission_suggestions": []},
    "PermissionDenied": {**_TOOL, "tool_use_id": TOOL_USE_ID, "reason": "not allowed in auto mode"},
    "PostToolUse": {**_TOOL, "tool_use_id": TOOL_USE_ID, "duration_ms": 5},
    "PostToolUseFailure": {
        **_TOOL,
        "tool_use_id": TOOL_USE_ID,
        "error": "Exit code 1",
        "is_interrupt": False,
        "duration_ms": 5,
    },
    "PostToolBatch": {**_MODE, "tool_calls": []},
    "UserPromptSubmit": {**_MODE, "prompt": "hello"},
    "UserPromptExpansion": {
        **_MODE,
        "expansion_type": "slash_command",
        "command_name": "greet",
        "command_args": "",
        "command_source": "projectSettings",
        "prompt": "/greet",
    },
    "SessionStart": {"source": "startup", "model": "claude-opus-5-5"},
    "Setup": {"trigger": "init"},
    "SessionEnd": {"reason": "other"},
    "Stop": {**_MODE, **_ENDING},
    "StopFailure": {"error": "server_error", "last_assistant_message": "done"},
    "SubagentStart": _AGENT,
    "SubagentStop": {**_AGENT, **_MODE, "agent_transcript_path": "@/agent.jsonl", **_ENDING},
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
    "WorktreeCreate": {"name": "hookwright-example"},
    "WorktreeRemove": {"worktree_path": "@/hookwright-example"},
}

QUESTION = {
    "question": "Which colour?",
    "header": "Colour",
    "multiSelect": False,
    "options": [{"label": "Blue", "description": "as the sky"}, {"label": "Green", "description": "as grass"}],
}
# A harmless call of each tool: what it always has.
TOOLS: Mapping[str, Mapping[str, Any]] = {
    "Bash": {"command": HARMLESS_COMMAND},
    "PowerShell": {"command": "Get-ChildItem"},
    "Read": {"file_path": f"@/{FILE}"},
    "Edit": {"file_path": f"@/{FILE}", "old_string": "a", "new_string": "b", "replace_all": False},
    "Write": {"file_path": f"@/{FILE}", "content": "hello\n"},
    "Glob": {"pattern": "*.md"},
    "Grep": {"pattern": "hello"},
    "NotebookEdit": {"notebook_path": "@/hookwright-example.ipynb", "new_source": "1"},
    "WebFetch": {"url": "https://example.com/", "prompt": "what is this?"},
    "WebSearch": {"query": "example"},
    "Agent": {"description": "look", "prompt": "look around", "subagent_type": "general-purpose"},
    "Skill": {"skill": "greet"},
    "AskUserQuestion": {"questions": [QUESTION]},
    "ExitPlanMode": {"plan": "look around"},
    "TodoWrite": {"todos": []},
    "TaskCreate": {"subject": "look around", "description": "a look"},
    "TaskUpdate": {"taskId": "1", "status": "completed"},
    "ToolSearch": {"query": "example"},
    "mcp__example__look": {},
}
# And what it answers.
RESPONSES: Mapping[str, Any] = {
    "Bash": {"stdout": "", "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False},
    "Read": {
        "type": "text",
        "file": {"filePath": f"@/{FILE}", "content": "", "numLines": 0, "startLine": 1, "totalLines": 0},
    },
    "Edit": {"filePath": f"@/{FILE}", "oldString": "a", "newString": "b", "replaceAll": False},
    "Write": {"type": "create", "filePath": f"@/{FILE}", "content": "hello\n"},
}

# What a mere text means for an event that is not about tools …
MAIN_KEY: Mapping[str, str] = {
    "UserPromptSubmit": "prompt",
    "UserPromptExpansion": "command_name",
    "SessionStart": "source",
    "Setup": "trigger",
    "SessionEnd": "reason",
    "Stop": "last_assistant_message",
    "StopFailure": "error",
    "SubagentStart": "agent_type",
    "SubagentStop": "last_assistant_message",
    "TeammateIdle": "teammate_name",
    "TaskCreated": "task_subject",
    "TaskCompleted": "task_subject",
    "PreCompact": "trigger",
    "PostCompact": "compact_summary",
    "PreModelSwitch": "to_model",
    "PostModelSwitch": "to_model",
    "Notification": "message",
    "MessageDisplay": "delta",
    "Elicitation": "message",
    "ElicitationResult": "action",
    "ConfigChange": "file_path",
    "InstructionsLoaded": "file_path",
    "CwdChanged": "new_cwd",
    "FileChanged": "file_path",
    "DirectoryAdded": "directory",
    "WorktreeCreate": "name",
    "WorktreeRemove": "worktree_path",
}
# … and for a tool's input.
MAIN_INPUT: Mapping[str, str] = {
    "Bash": "command",
    "PowerShell": "command",
    "Read": "file_path",
    "Edit": "file_path",
    "Write": "file_path",
    "MultiEdit": "file_path",
    "NotebookEdit": "notebook_path",
    "Glob": "pattern",
    "Grep": "pattern",
    "WebFetch": "url",
    "WebSearch": "query",
    "Agent": "prompt",
    "Task": "prompt",
    "Skill": "skill",
    "ExitPlanMode": "plan",
    "TaskCreate": "subject",
    "TaskUpdate": "status",
    "ToolSearch": "query",
}


def expand_project(value: Any, project: str) -> Any:
    """The value with `@` replaced by the project directory."""
    if isinstance(value, str):
        return project + value[1:] if value[:1] == "@" and value[1:2] in ("", "/") else value
    if isinstance(value, dict):
        return {key: expand_project(item, project) for key, item in value.items()}
    if isinstance(value, list):
        return [expand_project(item, project) for item in value]
    return value
