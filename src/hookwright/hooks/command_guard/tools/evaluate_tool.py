"""Judges a call of a tool other than Bash.

hook → [evaluate_tool: the module of this tool → the user's adjustments] → findings, strictest first
Each module is imported for its own tool only.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import ToolSettings
    from hookwright.hooks.command_guard.rule_api import Finding
    from hookwright.protocol.events.tool import PreToolUse

MCP = "mcp__"
KEYS = ("command", "file_path", "notebook_path", "path", "url", "query")


def evaluate_tool(settings: ToolSettings, module: str, event: PreToolUse) -> list[Finding]:
    """The findings on one call, strictest first. `module`: the one here that judges this tool."""
    tool, given = event.tool_name, event.tool_input
    judge = __import__("hookwright.hooks.command_guard.tools." + module, None, None, ("check",))
    findings: list[Finding] = judge.check(settings, tool, given, event.cwd, str(event.raw.get("permission_mode")))
    if not findings:
        return findings
    from hookwright.hooks.command_guard.policy import apply_adjustments
    from hookwright.hooks.command_guard.rule_api import sort_findings

    findings = apply_adjustments(settings, findings, exception_text(tool, given))
    if tool[:5] == MCP and settings.exceptions:
        findings = apply_adjustments(settings, findings, tool)
    return sort_findings(findings)


def exception_text(tool: str, given: Mapping[str, Any]) -> str:
    """What an exception names as `command`: the command, path or URL; of an MCP tool the whole call (or its name)."""
    if tool[:5] == MCP:
        from hookwright.protocol.json import dumps

        return f"{tool} {dumps(given)}"
    for key in KEYS:
        if isinstance(given.get(key), str):
            return str(given[key])
    return tool
