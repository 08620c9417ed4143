"""Asks before users, groups, passwords and login shells are changed.

Why: it decides who may enter the machine, and `userdel -r` takes a home folder with it.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "accounts"
EXAMPLES = {
    "passwd -d root": "deny",
    "sudo useradd bob": "ask",
    "sudo userdel -r bob": "ask",
    "sudo usermod -aG docker ann": "ask",
    "echo root:x | chpasswd": "ask",
    "visudo": "ask",
    "chsh -s /bin/zsh": "ask",
    "passwd -S": None,
    "useradd --help": None,
    "grep useradd Dockerfile": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    if call.has_flag("--help", "--version", "-S", "--status", "-c") and call.program in ("passwd", "visudo", "useradd"):
        return None
    if call.program == "dscl" and not {"-create", "-delete", "-append", "-passwd"}.intersection(call.args):
        return None
    if "root" in call.operands() and call.program in ("passwd", "userdel", "usermod", "deluser"):
        return deny(f"`{shown(call)}` changes root's own account: everybody gets in, or nobody", "id")
    return ask(f"`{shown(call)}` changes who may use this machine", "id")
