"""Stops shutting down and restarting the machine.

Why: it ends this session and everything else that runs; on another machine, everyone's sessions.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "shutdown"
EXAMPLES = {
    "sudo shutdown -h now": "deny",
    "reboot": "deny",
    "systemctl poweroff": "deny",
    "init 0": "deny",
    "systemctl «reboot|halt|kexec|suspend|hibernate|rescue|emergency|isolate»": "deny",
    "«init|telinit» «0|1|6|S|s»": "deny",
    "ssh web1 sudo reboot": "ask",
    "shutdown -c": None,
    "systemctl status": None,
    "man reboot": None,
    "echo reboot": None,
    "shutdown «--version|-k now|--show»": None,
    "«init|telinit» q": None,
}

VERBS = ("poweroff", "reboot", "halt", "kexec", "suspend", "hibernate", "rescue", "emergency", "isolate")


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    if call.has_flag("-c", "--version", "-k", "--show"):
        return None
    if program in ("init", "telinit") and call.verb not in ("0", "1", "6", "S", "s"):
        return None
    if program == "systemctl" and call.verb not in VERBS:
        return None
    if call.remote is not None:
        return ask(f"`{format_call(call)}` stops {call.remote[1]} for everyone who uses it", "uptime")
    return deny(f"`{format_call(call)}` stops this machine and everything that runs on it", "uptime")
