"""Denies an agent the commands that loosen this guard, and asks before permissions of Claude Code are switched off.

Why: what is checked is the user's to decide. `hookwright allow`, `on`, `off`, `shadow`, `trust`, `undo` and `uninstall`
are for a person at a terminal; an agent that is stopped by a rule asks the user instead.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "guard-off"
EXAMPLES = {
    "hookwright uninstall --yes": "deny",
    "hookwright «undo|trust|off auto_background|on notify --here|shadow command_guard|allow last»": "deny",
    "hookwright install --only notify --yes": "ask",
    "claude --dangerously-skip-permissions -p 'go on'": "ask",
    "claude plugin uninstall hookwright": "ask",
    "pre-commit uninstall": "ask",
    "claude --allow-dangerously-skip-permissions": "ask",
    "claude --permission-mode bypassPermissions": "ask",
    "claude «plugin|plugins» «uninstall|disable|remove» hookwright": "ask",
    "«python3 -m|uvx|pipx run|uv tool run|uv run|env -u CLAUDECODE» hookwright allow last --yes": "deny",
    "~/.local/share/hookwright/venv/bin/hookwright off command_guard": "deny",
    "bash -c 'hookwright allow git-force-push --everywhere'": "deny",
    "h=hookwright; $h allow last": "deny",
    "echo y | hookwright allow last": "deny",
    "claude config «set|add|remove» hooks '{}'": "ask",
    "claude config set -g disableAllHooks true": "ask",
    "claude --settings '{\"disableAllHooks\":true}' -p 'go on'": "ask",
    "claude --settings='{\"hooks\":{}}' -p 'go on'": "ask",
    "claude --setting-sources project -p 'go on'": "ask",
    "HOOKWRIGHT_COMMAND_GUARD_MODE=off claude -p 'go on'": "ask",
    "env HOOKWRIGHT_STOP_GUARD_MODE=off claude -p 'go on'": "ask",
    "export HOOKWRIGHT_COMMAND_GUARD_MODE=shadow; claude -p 'go on'": "ask",
    "CLAUDE_CONFIG_DIR=/tmp/c claude -p 'go on'": "ask",
    "hookwright status": None,
    "hookwright explain 'rm -rf /'": None,
    "claude --version": None,
    "claude -p 'say hi'": None,
    "pre-commit run -a": None,
    "hookwright «uninstall|undo|install» --dry-run": None,
    "hookwright allow --help": None,
    "echo 'hookwright allow last'": None,
    "claude --permission-mode plan": None,
    "claude --settings team.json -p 'say hi'": None,
    'claude --settings \'{"model":"opus"}\'': None,
    "claude --setting-sources user,project -p hi": None,
    "claude config «get hooks|list»": None,
    "claude config set theme dark": None,
    "claude -p 'what does HOOKWRIGHT_COMMAND_GUARD_MODE do?'": None,
    "hookwright «log|verify|policy show»": None,
}


STATUS = "hookwright status"
HOOK_KEYS = frozenset(("hooks", "disableAllHooks", "permissions", "env"))
VARIABLES = ("HOOKWRIGHT_", "AGENT_OS_HOOKS_QUIET=", "CLAUDE_CONFIG_DIR=")


def find_loosening(call: Call, scene: Scene) -> str:
    """How this start of Claude leaves hooks out, after "starts Claude"; "" if it does not."""
    given = call.option("--settings") or ""
    if given[:1] == "{" and ("disableAllHooks" in given or '"hooks"' in given):
        return "with other hooks"
    sources = call.option("--setting-sources")
    if sources is not None and "user" not in sources.split(","):
        return "without the user's settings, and so without the user's hooks"
    for word in scene.command.text.replace(";", " ").split():
        if word.startswith(VARIABLES) and "=" in word:
            return f"with {word.partition('=')[0]} set, which can switch hooks off"
    return ""


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
        loosened = find_loosening(call, scene)
        if loosened:
            return ask(f"`{format_call(call)}` starts Claude {loosened}", "claude -p")
        if (
            operands[:1] == ["config"]
            and operands[1:2] not in (["get"], ["list"])
            and not HOOK_KEYS.isdisjoint(operands)
        ):
            return ask(f"`{format_call(call)}` changes which hooks are in force", "claude config list")
        if operands[:1] in (["plugin"], ["plugins"]) and operands[1:2] in (["uninstall"], ["disable"], ["remove"]):
            return ask(f"`{format_call(call)}` switches a plugin off, perhaps with its hooks", "claude plugin list")
        return None
    if program == "hookwright" and call.verb != "install":
        return deny(
            f"`{format_call(call)}` is for the user, in a terminal of their own: it changes what is checked", STATUS
        )
    return ask(f"`{format_call(call)}` changes which checks are in force", f"{program} --help")
