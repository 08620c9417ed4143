"""Asks before a root shell is opened or a script is run as root.

Why: the commands that run there are not checked one by one, and root may do anything.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call, quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "root-shell"
EXAMPLES = {
    "sudo -i": "ask",
    "sudo su -": "ask",
    "su": "ask",
    "sudo bash": "ask",
    "sudo ./install.sh": "ask",
    "sudo «-i|-s»": "ask",
    "sudo -i «-u|-g» ann": "ask",
    "sudo -u ann bash": "ask",
    "sudo ls /root": None,
    "su ann -c 'ls'": None,
    "sudo -l": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    if call.program != "sudo" and call.under("sudo"):
        script = call.words[0] if call.words[0][:2] == "./" else next(iter(call.operands()), None)
        if script is None or script == "-":
            return ask(f"`sudo {format_call(call)}` opens a root shell, where nothing is checked", "sudo -l")
        return ask(f"`sudo {format_call(call)}` runs a whole script as root", f"less {quote_word(script)}")
    if call.inner or (call.program == "sudo" and call.operands("-u", "-g")):
        return None
    return ask(f"`{format_call(call)}` opens a root shell, where nothing is checked", "sudo -l")
