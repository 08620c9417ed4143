"""Stops changes of firewall, routes and interfaces.

Why: an emptied firewall opens the machine; a disabled interface or a new policy cuts it off, this session included.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "network"
EXAMPLES = {
    "iptables -F": "deny",
    "iptables -P INPUT DROP": "deny",
    "nft flush ruleset": "deny",
    "ip6tables «-F|-X|--flush|--policy» INPUT": "deny",
    "iptables -L -F": "deny",
    "iptables -L -P INPUT DROP": "deny",
    "ufw --force reset": "deny",
    "ufw disable": "ask",
    "sudo iptables -A INPUT -p tcp --dport 80 -j ACCEPT": "ask",
    "setenforce 0": "ask",
    "ip link set eth0 down": "ask",
    "ifconfig en0 down": "ask",
    "nft «add|delete|insert|-f» rule": "ask",
    "firewall-cmd «--add-port=80/tcp|--remove-port=80/tcp|--panic-on|--set-default-zone=home|--reload»": "ask",
    "ip route «del|delete|flush» default": "ask",
    "nmcli radio wifi off": "ask",
    "ufw reset": "ask",
    "iptables -L -n": None,
    "ufw status": None,
    "ip addr show": None,
    "ifconfig": None,
    "nft list ruleset": None,
    "getenforce": None,
    "ufw --dry-run enable": None,
    "iptables «--list|-S|--list-rules|-C|--check|-h|--version|-V» INPUT": None,
    "firewall-cmd --list-all": None,
}

READS = ("-L", "--list", "-S", "--list-rules", "-C", "--check", "-h", "--version", "-V")


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    words = {*call.args}
    if program in ("iptables", "ip6tables"):
        if call.has_flag(*READS) and not call.has_flag("-F", "-P"):
            return None
        if {"-F", "--flush", "-X", "-P", "--policy"} & words:
            return deny(f"`{format_call(call)}` takes the firewall away or cuts this machine off", program + " -L -n")
        return ask(f"`{format_call(call)}` changes the firewall", program + " -L -n") if words else None
    if program == "nft":
        if "flush" in words:
            return deny(f"`{format_call(call)}` takes the firewall away", "nft list ruleset")
        return (
            ask(f"`{format_call(call)}` changes the firewall", "nft list ruleset")
            if {"add", "delete", "insert", "-f"} & words
            else None
        )
    if program == "ufw" and "--dry-run" in words:
        return None
    if program == "ufw" and "reset" in words and "--force" in words:
        return deny(f"`{format_call(call)}` takes the firewall away", "ufw status")
    if program == "ufw":
        return (
            None if not words or "status" in words else ask(f"`{format_call(call)}` changes the firewall", "ufw status")
        )
    if program == "setenforce":
        return ask(f"`{format_call(call)}` changes the system's access control", "getenforce")
    if program == "firewall-cmd":
        changes = any(word.startswith(("--add", "--remove", "--panic", "--set", "--reload")) for word in words)
        return ask(f"`{format_call(call)}` changes the firewall", "firewall-cmd --list-all") if changes else None
    if {"down", "del", "delete", "flush", "off"} & words or any(word.startswith("-set") for word in words):
        return ask(f"`{format_call(call)}` can cut this machine off", "ip addr show")
    return None
