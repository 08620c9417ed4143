"""Stops system and home folders from being moved away, and anything from being moved onto /dev/null.

Why: a moved /usr or home folder is as good as deleted for everything that looks for it.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, quoted, shown
from hookwright.rules.paths import HOME, NEVER, ROOT, SETTINGS, SYSTEM, WHAT, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "move-away"
EXAMPLES = {
    "mv /etc /tmp/etc": "deny",
    "sudo mv /usr /usr.old": "deny",
    "mv ~ /dev/null": "deny",
    "mv .git/config /dev/null": "deny",
    "mv src /dev/null": "ask",
    "mv /var/lib/mysql /mnt/": "deny",
    "mv ~/.ssh ~/.ssh.old": "ask",
    "mv .git /tmp/": "ask",
    "mv ~/.claude/settings.json /tmp/": "deny",
    "mv old.txt new.txt": None,
    "mv dist /tmp/": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    operands = call.operands("-t", "--target-directory", "-S", "--suffix")
    if len(operands) < 2:
        return None
    nowhere = operands[-1] == "/dev/null"
    for word in operands[:-1]:
        what = kind(call, word, scene)
        look = "ls -la " + quoted(word)
        if what in (ROOT, HOME, SYSTEM, SETTINGS):
            return deny(f"`{shown(call)}` takes {WHAT[what]} from where everything looks for it", look)
        if nowhere and what in NEVER:
            return deny(f"`{shown(call)}` deletes {WHAT[what]}: nothing comes back from /dev/null", look)
        if nowhere:
            return ask(f"`{shown(call)}` deletes it: nothing comes back from /dev/null", f"mv {quoted(word)} /tmp/")
        if what in NEVER:
            return ask(f"`{shown(call)}` moves {WHAT[what]}", look)
    return None
