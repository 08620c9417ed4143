"""Judges a shell command with what it runs: rules, the sandbox, scripts that the session wrote.

hook → [evaluate_call] → findings, strictest first
Loaded where the text of a command gives a reason to.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.prefilter import find_task_files, has_scripts, may_matter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.guard_settings import Guard
    from hookwright.hooks.command_guard.rule_api import Finding
    from hookwright.protocol.events.tool import PreToolUse


def evaluate_call(guard: Guard, event: PreToolUse, command: str) -> list[Finding]:
    findings: list[Finding] = []
    if event.tool_input.get("dangerouslyDisableSandbox") is True and guard.sandbox != "off":
        from hookwright.hooks.command_guard.tools.sandbox import check_sandbox

        findings = check_sandbox(guard, command)
    if guard.world.state is not None and has_scripts(guard.world.state, event.session_id):
        from hookwright.hooks.command_guard.session.scripts import evaluate_scripts

        findings += evaluate_scripts(guard, event.session_id, command, event.cwd)
    if guard.rules or guard.deny_paths or guard.ask_paths or may_matter(command) or find_task_files(command, event.cwd):
        from hookwright.hooks.command_guard.policy import evaluate_command

        found = evaluate_command(guard, command, event.cwd)
        if not findings:
            return found
        findings += found
    if not findings:
        return []
    from hookwright.hooks.command_guard.rule_api import sort_findings

    return sort_findings(findings)
