"""Asks before a shell of root is opened.

Why: what is typed there is no longer seen command by command, and everything is allowed.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, quoted, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "root-shell"
EXAMPLES = {
    "sudo -i": "ask",
    "sudo su -": "ask",
    "su": "ask",
    "sudo bash": "ask",
    "sudo ./install.sh": "ask",
    "sudo ls /root": None,
    "su ann -c 'ls'": None,
    "sudo -l": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    if call.program != "sudo" and call.under("sudo"):
        script = call.words[0] if call.words[0][:2] == "./" else next(iter(call.operands()), None)
        if script is None:
            return ask(f"`sudo {shown(call)}` opens a shell of root, where nothing is asked any more", "sudo -l")
        return ask(f"`sudo {shown(call)}` runs a whole script as root", f"less {quoted(script)}")
    if call.inner or (call.program == "sudo" and call.operands("-u", "-g")):
        return None
    return ask(f"`{shown(call)}` opens a shell of root, where nothing is asked any more", "sudo -l")
