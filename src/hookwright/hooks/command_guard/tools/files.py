"""Judges the file tools: the path that Read, Write, Edit or NotebookEdit touches, and keys in what is written."""

from __future__ import annotations

from hookwright.hooks.command_guard.file_access import evaluate_file_access
from hookwright.hooks.command_guard.live_keys import may_hold_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import ToolSettings
    from hookwright.hooks.command_guard.rule_api import Finding


def check(settings: ToolSettings, tool: str, given: Mapping[str, Any], cwd: str, mode: str) -> list[Finding]:
    path = given.get("notebook_path" if tool == "NotebookEdit" else "file_path")
    if not isinstance(path, str) or not path:
        return []
    findings = evaluate_file_access(settings, path, cwd, tool, writes=tool != "Read")
    if tool != "Read" and may_hold_key(str(given.get("content") or given.get("new_string") or given)):
        from hookwright.hooks.command_guard.tools.written_keys import evaluate_content

        findings = findings + evaluate_content(settings, given, path, tool)
    return findings
