"""Asks before services are stopped, restarted, enabled or disabled.

Why: others may use the database, the proxy or the firewall that stops, and `enable` lasts beyond this session.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "services"
EXAMPLES = {
    "sudo systemctl stop postgresql": "ask",
    "systemctl disable firewalld": "ask",
    "service nginx stop": "ask",
    "ssh web1 'systemctl restart app'": "ask",
    "supervisorctl stop all": "ask",
    "launchctl unload -w /Library/LaunchDaemons/x.plist": "ask",
    "systemctl «mask|kill|try-restart|enable|edit|set-default|reenable|force-reload» web": "ask",
    "supervisorctl «remove|shutdown» web": "ask",
    "pm2 delete web": "ask",
    "launchctl «bootout|load|bootstrap|remove» x": "ask",
    "rc-service web stop": "ask",
    "brew services stop web": "ask",
    "ssh web 'systemctl «reload|start» app'": "ask",
    "systemctl status nginx": None,
    "systemctl --user status": None,
    "systemctl list-units": None,
    "service nginx status": None,
    "launchctl list": None,
    "brew services list": None,
    "pm2 list": None,
    "pm2 restart api": None,
    "supervisorctl status": None,
    "brew services restart web": None,
    "systemctl reload web": None,
}

STOPS = frozenset(
    (
        "stop disable mask kill restart try-restart enable edit set-default unload bootout remove delete reenable "
        "force-reload shutdown isolate load bootstrap"
    ).split()
)


def check(call: Call, scene: Scene) -> Finding | None:
    operands = call.operands()
    verbs = operands[1:] if call.program in ("service", "rc-service", "brew") else operands[:1]
    if call.remote is None:
        if not verbs or verbs[0] not in STOPS or (verbs[0] == "restart" and call.program in ("pm2", "brew")):
            return None
    elif not verbs or (verbs[0] not in STOPS and verbs[0] not in ("reload", "start")):
        return None
    name = next(
        (word for word in operands if word not in STOPS and word not in ("services", "reload", "start")), "the service"
    )
    where = f" on {call.remote[1]}" if call.remote is not None else ""
    return ask(
        f"`{format_call(call)}` changes what runs{where}: {name} is used by others too", status_command(call, name)
    )


def status_command(call: Call, name: str) -> str:
    if call.program == "launchctl":
        return "launchctl list"
    if call.program in ("supervisorctl", "pm2"):
        return f"{call.program} {'status' if call.program == 'supervisorctl' else 'list'}"
    return "systemctl list-units" if name == "the service" else f"systemctl status {name}"
