"""The names of Claude Code's tools, and the events that are about one. Builtin modules only."""

from __future__ import annotations

# Events that are about one tool; the others know no tool name.
TOOL_EVENTS = frozenset(("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"))
# Tools of Claude Code, those of former versions included. MCP tools have names of their own.
TOOLS = frozenset(
    (
        *("Bash", "PowerShell", "Monitor", "Read", "Write", "Edit", "NotebookEdit", "Glob", "Grep", "LSP"),
        *("WebFetch", "WebSearch", "Agent", "Task", "Skill", "AskUserQuestion", "EnterPlanMode", "ExitPlanMode"),
        *("TodoWrite", "TaskCreate", "TaskGet", "TaskList", "TaskUpdate", "TaskStop", "TaskOutput", "ToolSearch"),
        *("CronCreate", "CronDelete", "CronList", "EnterWorktree", "ExitWorktree", "ListAgents", "ReportFindings"),
        *("ScheduleWakeup", "SendMessage", "TeamCreate", "TeamDelete", "Workflow", "StructuredOutput"),
        *("ListMcpResourcesTool", "ReadMcpResourceTool", "RemoteTrigger", "SendUserFile", "PushNotification"),
        *("MultiEdit", "LS", "NotebookRead", "BashOutput", "KillShell", "SlashCommand", "TodoRead", "KillBash"),
    )
)


def is_known_tool(name: str) -> bool:
    """A tool of Claude Code, an MCP tool, or a pattern with `*`."""
    return name in TOOLS or (name[:5] == "mcp__" and len(name) > 5) or "*" in name
