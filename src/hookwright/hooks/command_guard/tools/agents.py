"""Judges a subagent that would run with wider permissions than the session that starts it."""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import ToolSettings

ID = "agent-permissions"
BROAD = ("bypassPermissions", "dontAsk")  # modes in which nobody is asked


def check(settings: ToolSettings, tool: str, given: Mapping[str, Any], cwd: str, mode: str) -> list[Finding]:
    wanted = given.get("mode", given.get("permissionMode", given.get("permission_mode")))
    if wanted not in BROAD or mode == wanted or mode == BROAD[0]:
        return []
    name = str(given.get("subagent_type") or given.get("name") or "a subagent")[:60]
    found = Finding("ask", f"{tool} would start {name} in mode {wanted}: nobody is asked about what it does", "")
    found.rule = ID
    return [found]
