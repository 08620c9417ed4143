"""Stops permissions and owners being changed over whole trees, world-writable files and setuid bits.

Why: the former modes of a tree are written down nowhere; a system or home folder with wrong modes locks everybody out,
and 777 or a setuid bit lets everybody in.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, quoted, shown
from hookwright.rules.paths import FREE, GIT, NEVER, SETTINGS, WHAT, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "permissions"
EXAMPLES = {
    "chmod -R 777 /": "deny",
    "sudo chown -R ann:ann /usr": "deny",
    "chmod -R 000 ~": "deny",
    "chmod -R 777 .": "ask",
    "chmod 777 secrets.json": "ask",
    "chmod u+s /usr/local/bin/x": "ask",
    "chmod 4755 tool": "ask",
    "setcap cap_net_raw+ep tool": "ask",
    "sudo chown -R ann src": "ask",
    "chmod -x .git/hooks/pre-commit": "ask",
    'chmod -R 755 "$DIR"': "ask",
    "chmod +x run.sh": None,
    "chmod 600 key.pem": None,
    "chmod -R u+w dist": None,
    "chmod -R 755 dist": None,
    "chown ann file.txt": None,
}

WILD_MODES = ("777", "0777", "666", "0666", "a+rwx", "a+w", "o+w", "ugo+rwx", "a=rwx", "+w", "o+rw", "o+rwx")


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    operands = call.operands("--reference", "--from")
    if program == "setcap":
        return (
            ask(f"`{shown(call)}` gives a program rights beyond its user's", "getcap " + quoted(operands[-1]))
            if operands
            else None
        )
    if program == "setfacl":
        return (
            ask(f"`{shown(call)}` changes access over a whole tree", "") if call.has_flag("-R", "--recursive") else None
        )
    mode = next((word for word in call.args if word[:1] != "-" or is_mode(word)), "")
    targets = [word for word in operands if word != mode]
    recursive = call.has_flag("-R", "--recursive")
    for word in targets:
        what = kind(call, word, scene)
        if what in NEVER and recursive and what != GIT:
            return deny(
                f"`{shown(call)}` would change {WHAT[what]}, and the former modes are nowhere", "ls -la " + quoted(word)
            )
        if what in (GIT, SETTINGS) and takes_away(mode):
            return ask(f"`{shown(call)}` switches off a hook or a setting", "ls -la " + quoted(word))
    if program == "chmod":
        return chmod(call, mode, targets, scene, recursive=recursive)
    if recursive and not all(kind(call, word, scene) in FREE for word in targets):
        return ask(f"`{shown(call)}` changes the owner of a whole tree", "ls -la " + " ".join(map(quoted, targets)))
    return None


def chmod(call: Call, mode: str, targets: list[Word], scene: Scene, *, recursive: bool) -> Finding | None:
    look = "ls -la " + " ".join(quoted(word) for word in targets if word.literal)
    if sets_id(mode):
        return ask(f"`{shown(call)}` makes a program run with its owner's rights", look)
    free = bool(targets) and all(kind(call, word, scene) in FREE for word in targets)
    if mode in WILD_MODES and not free:
        return ask(f"`{shown(call)}` lets everybody on the machine change it", look)
    if recursive and not free and (not all(word.literal for word in targets) or takes_away(mode)):
        return ask(f"`{shown(call)}` changes the modes of a whole tree", look)
    return None


def is_mode(word: str) -> bool:
    """`-x`, `-w`: a mode that looks like an option."""
    return word[:1] == "-" and not word[1:].strip("rwxst") and len(word) > 1


def takes_away(mode: str) -> bool:
    return mode.lstrip("ugoa")[:1] == "-" or mode in ("000", "0", "0000")


def sets_id(mode: str) -> bool:
    if mode.isdigit():
        return len(mode) == 4 and mode[0] in "2467"
    return "s" in mode.partition("+")[2]
