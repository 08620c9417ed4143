"""Asks before a command runs outside of Claude Code's sandbox (`dangerouslyDisableSandbox`)."""

from __future__ import annotations

from hookwright.hooks.command_guard.policy import apply_adjustments
from hookwright.hooks.command_guard.rule_api import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.guard_settings import ToolSettings

ID = "sandbox-off"


def check_sandbox(settings: ToolSettings, command: str) -> list[Finding]:
    shown = command if len(command) <= 100 else command[:97] + "…"
    found = Finding(settings.sandbox, f"`{shown}` is to run outside of the sandbox", "")
    found.rule = ID
    return apply_adjustments(settings, [found], command)
