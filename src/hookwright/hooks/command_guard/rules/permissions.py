"""Stops permissions and owners being changed over whole trees, world-writable files and setuid bits.

Why: the former modes of a tree are recorded nowhere; wrong modes on a system or home directory lock users out, and
777 or a setuid bit gives access to every user.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.path_kinds import (
    DESCRIPTION,
    FREE,
    GIT,
    HOME,
    NEVER,
    OUTSIDE,
    ROOT,
    SETTINGS,
    classify_word,
)
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "permissions"
EXAMPLES = {
    "chmod -R 777 /": "deny",
    "find / -type d -exec chmod 777 {} +": "deny",
    "sudo chown -R ann:ann /usr": "deny",
    "chmod -R 000 ~": "deny",
    "chmod 000 /etc/passwd": "deny",
    "chmod 000 ~/.claude/settings.json": "deny",
    "chmod 777 «/etc/shadow|/etc/group|/etc/sudoers|/etc/fstab|/etc|/usr|/bin»": "deny",
    "chmod 4755 /tmp/«sh|bash|dash|zsh|ksh|fish|python|python3|perl|env|busybox»": "deny",
    "chmod --recursive 755 /etc": "deny",
    "find /etc -exec chmod 600 {} +": "deny",
    "gfind /etc -exec chmod 600 {} +": "deny",
    "chmod «000|0|0000» ~/.claude/settings.json": "deny",
    "chmod -R 777 .": "ask",
    "chmod 777 secrets.json": "ask",
    "chmod u+s /usr/local/bin/x": "ask",
    "chmod 4755 tool": "ask",
    "setcap cap_net_raw+ep tool": "ask",
    "sudo chown -R ann src": "ask",
    "chmod -x .git/hooks/pre-commit": "ask",
    'chmod -R 755 "$DIR"': "ask",
    "chmod -R 755 /srv/app": "ask",
    "chmod «0777|666|0666|a+rwx|a+w|o+w|ugo+rwx|a=rwx|+w|o+rw|o+rwx» deploy.sh": "ask",
    "chmod 777 /etc/nginx/nginx.conf": "ask",
    "sudo chmod 600 /etc/nginx/nginx.conf": "ask",
    "chmod «2755|4755|6755|7755» tool": "ask",
    "chattr -R +i src": "ask",
    "setfacl -R «-m|-x|--modify» u:ann:rwx src": "ask",
    "sudo chattr +i /etc/passwd": "ask",
    "chattr -i .git/hooks/pre-commit": "ask",
    "chmod +x run.sh": None,
    "chmod 600 key.pem": None,
    "chmod -R u+w dist": None,
    "chmod -R 755 dist": None,
    "chown ann file.txt": None,
    "chmod 600 /etc/nginx/nginx.conf": None,
    "chmod 1777 shared": None,
    "chown «--reference|--from» /etc ann a.txt": None,
    "chmod -R u+w src": None,
    "chmod u+x ../other/run.sh": None,
    "chown -R --reference=f /": "deny",
}

VITAL = ("/etc/passwd", "/etc/shadow", "/etc/group", "/etc/sudoers", "/etc/fstab", "/etc", "/usr", "/bin")
SHELLS = frozenset("sh bash dash zsh ksh fish python python3 perl env busybox".split())
WILD_MODES = ("777", "0777", "666", "0666", "a+rwx", "a+w", "o+w", "ugo+rwx", "a=rwx", "+w", "o+rw", "o+rwx")


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    operands = call.operands(*(("-m", "-x", "--modify") if program == "setfacl" else ("--reference", "--from")))
    if program == "setcap":
        look = "getcap " + quote_word(operands[-1]) if operands else "getcap -r ."
        return ask(f"`{format_call(call)}` gives a program rights beyond its user's", look)
    mode = next((word for word in call.args if word[:1] != "-" or is_mode(word)), "")
    if any(word.startswith("--reference") for word in call.args):
        mode = ""
    if program == "chattr":
        mode = next((word for word in call.args if word[:1] in "+-=" and word != "-R"), "")
    targets = [word for word in operands if word != mode] if program != "setfacl" else operands
    recursive = call.has_flag("-R", "--recursive")
    outer = call.outer
    if outer is not None and outer.program in ("find", "gfind") and targets and targets[-1] == "{}":
        from hookwright.hooks.command_guard.delete_searches import search_roots

        targets = [*targets[:-1], *search_roots(outer)]
        recursive = True
    for word in targets:
        finding = check_vital(call, word, mode, classify_word(call, word, scene), recursive=recursive)
        if finding is not None:
            return finding
    if program == "chmod":
        return check_chmod(call, mode, targets, scene, recursive=recursive)
    if recursive and not all(classify_word(call, word, scene) in FREE for word in targets):
        return ask(
            f"`{format_call(call)}` changes the access to a whole tree", "ls -la " + " ".join(map(quote_word, targets))
        )
    return None


def check_vital(call: Call, word: Word, mode: str, kind: str, *, recursive: bool) -> Finding | None:
    """Root, home, system, git's hooks and the settings."""
    if kind not in NEVER:
        return None
    look = "ls -la " + quote_word(word)
    extreme = mode in WILD_MODES or removes_access(mode)
    if kind in (GIT, SETTINGS):
        if not removes_access(mode):
            return None
        if kind == SETTINGS:
            return deny(f"`{format_call(call)}` switches off {DESCRIPTION[kind]}", look)
        return ask(f"`{format_call(call)}` switches off a hook", look)
    if recursive or (extreme and (kind in (ROOT, HOME) or word in VITAL)):
        return deny(f"`{format_call(call)}` would change {DESCRIPTION[kind]}, and the former modes are nowhere", look)
    return ask(f"`{format_call(call)}` changes {DESCRIPTION[kind]}", look) if extreme or call.under("sudo") else None


def check_chmod(call: Call, mode: str, targets: list[Word], scene: Scene, *, recursive: bool) -> Finding | None:
    look = "ls -la " + " ".join(quote_word(word) for word in targets if word.literal)
    if sets_id(mode) and any(word.rpartition("/")[2] in SHELLS for word in targets):
        return deny(f"`{format_call(call)}` gives everyone who starts that shell its owner's rights", look)
    if sets_id(mode):
        return ask(f"`{format_call(call)}` makes a program run with its owner's rights", look)
    free = bool(targets) and all(classify_word(call, word, scene) in FREE for word in targets)
    if mode in WILD_MODES and not free:
        return ask(f"`{format_call(call)}` lets every user of the machine change it", look)
    outside = recursive and any(classify_word(call, word, scene) == OUTSIDE for word in targets)
    if recursive and not free and (outside or not all(word.literal for word in targets) or removes_access(mode)):
        return ask(f"`{format_call(call)}` changes the modes of a whole tree", look)
    return None


def is_mode(word: str) -> bool:
    """`-x`, `-w`: a mode that looks like an option."""
    return word[:1] == "-" and not word[1:].strip("rwxst") and len(word) > 1


def removes_access(mode: str) -> bool:
    return mode.lstrip("ugoa")[:1] == "-" or mode in ("000", "0", "0000")


def sets_id(mode: str) -> bool:
    if mode.isdigit():
        return len(mode) == 4 and mode[0] in "2467"
    return "s" in mode.partition("+")[2]
