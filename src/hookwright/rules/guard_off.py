"""Asks before this guard, or Claude Code's permissions, are switched off by a command.

Why: whoever is guarded should not be the one who opens the gate unseen.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "guard-off"
EXAMPLES = {
    "hookwright uninstall --yes": "ask",
    "hookwright undo": "ask",
    "hookwright trust": "ask",
    "claude --dangerously-skip-permissions -p 'go on'": "ask",
    "claude plugin uninstall hookwright": "ask",
    "pre-commit uninstall": "ask",
    "hookwright status": None,
    "hookwright explain 'rm -rf /'": None,
    "claude --version": None,
    "claude -p 'say hi'": None,
    "pre-commit run -a": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    if call.has_flag("--help", "--dry-run", "--version"):
        return None
    if program == "claude":
        operands = call.operands()
        loose = call.has_flag("--dangerously-skip-permissions", "--allow-dangerously-skip-permissions")
        if loose or call.option("--permission-mode") == "bypassPermissions":
            return ask(
                f"`{shown(call)}` starts Claude without any permission check", "claude --permission-mode default"
            )
        if operands[:1] in (["plugin"], ["plugins"]) and operands[1:2] in (["uninstall"], ["disable"], ["remove"]):
            return ask(f"`{shown(call)}` switches a plugin off, perhaps with its hooks", "claude plugin list")
        return None
    return ask(f"`{shown(call)}` changes which checks are in force", f"{program} --help")
