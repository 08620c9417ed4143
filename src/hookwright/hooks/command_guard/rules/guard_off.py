"""Asks before this guard, or Claude Code's permissions, are switched off by a command.

Why: an agent should not switch off its own guard unseen.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "guard-off"
EXAMPLES = {
    "hookwright uninstall --yes": "ask",
    "hookwright undo": "ask",
    "hookwright trust": "ask",
    "claude --dangerously-skip-permissions -p 'go on'": "ask",
    "claude plugin uninstall hookwright": "ask",
    "pre-commit uninstall": "ask",
    "claude --allow-dangerously-skip-permissions": "ask",
    "claude --permission-mode bypassPermissions": "ask",
    "claude «plugin|plugins» «uninstall|disable|remove» hookwright": "ask",
    "hookwright status": None,
    "hookwright explain 'rm -rf /'": None,
    "claude --version": None,
    "claude -p 'say hi'": None,
    "pre-commit run -a": None,
    "hookwright uninstall «--dry-run|--version»": None,
    "claude --permission-mode plan": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    if call.has_flag("--dry-run", "--version"):
        return None
    if program == "claude":
        operands = call.operands()
        loose = call.has_flag("--dangerously-skip-permissions", "--allow-dangerously-skip-permissions")
        if loose or call.option("--permission-mode") == "bypassPermissions":
            return ask(
                f"`{format_call(call)}` starts Claude without any permission check", "claude --permission-mode default"
            )
        if operands[:1] in (["plugin"], ["plugins"]) and operands[1:2] in (["uninstall"], ["disable"], ["remove"]):
            return ask(f"`{format_call(call)}` switches a plugin off, perhaps with its hooks", "claude plugin list")
        return None
    return ask(f"`{format_call(call)}` changes which checks are in force", f"{program} --help")
