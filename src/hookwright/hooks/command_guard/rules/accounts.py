"""Asks before users, groups, passwords and login shells are changed.

Why: it decides who can log in, and `userdel -r` deletes a home directory.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "accounts"
EXAMPLES = {
    "passwd -d root": "deny",
    "sudo «userdel|usermod|deluser» root": "deny",
    "sudo useradd bob": "ask",
    "sudo userdel -r bob": "ask",
    "sudo usermod -aG docker ann": "ask",
    "echo root:x | chpasswd": "ask",
    "visudo": "ask",
    "chsh -s /bin/zsh": "ask",
    "sudo dscl . «-create|-delete|-append|-passwd» /Users/ann": "ask",
    "passwd -S": None,
    "useradd --help": None,
    "grep useradd Dockerfile": None,
    "dscl . -read /Users/ann": None,
    "passwd --status ann": None,
    "visudo -c": None,
    "«visudo|useradd» --version": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    if call.has_flag("--version", "-S", "--status", "-c") and call.program in ("passwd", "visudo", "useradd"):
        return None
    if call.program == "dscl" and not {"-create", "-delete", "-append", "-passwd"}.intersection(call.args):
        return None
    if "root" in call.operands() and call.program in ("passwd", "userdel", "usermod", "deluser"):
        return deny(f"`{format_call(call)}` changes root's own account: it can lock you out or let anyone in", "id")
    return ask(f"`{format_call(call)}` changes who may use this machine", "id")
