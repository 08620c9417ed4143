"""Stops system and home directories from being moved away, and anything from being moved onto /dev/null.

Why: for every program that uses it, a moved /usr or home directory is as good as deleted.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.path_kinds import DESCRIPTION, HOME, NEVER, ROOT, SETTINGS, SYSTEM, classify_word
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, quote_word, quote_words
from hookwright.shell.command import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
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
    "mv -t /tmp /*": "deny",
    "tar --remove-files -cf x.tar ~": "deny",
    "mv /home/test/* /tmp": "ask",
    "tar -cf x.tar ~": None,
    "mv old.txt new.txt": None,
    "mv dist /tmp/": None,
    "mv «-S|--suffix» /etc src backup": None,
}


def list_moved(call: Call) -> list[Word]:
    """What is moved, and last where to; `tar --remove-files` moves into its archive."""
    if call.program != "mv":
        if "--remove-files" not in call.args:
            return []
        archive = call.option("-f", "--file") or Word("archive")
        return [*(word for word in call.operands() if word != archive and word != call.args[0]), archive]
    operands = call.operands("-t", "--target-directory", "-S", "--suffix")
    folder = call.option("-t", "--target-directory")
    return operands if folder is None else [*operands, folder]


def check(call: Call, scene: Scene) -> Finding | None:
    operands = list_moved(call)
    if len(operands) < 2:
        return None
    nowhere = operands[-1] == "/dev/null"
    for word in operands[:-1]:
        kind = classify_word(call, word, scene)
        look = "ls -la " + quote_word(word)
        if kind == HOME and word.glob and call.path(word) not in ("/home/*", "/Users/*", "~/*"):
            return ask(f"`{format_call(call)}` moves all files out of a home folder", look)
        if kind in (ROOT, HOME, SYSTEM, SETTINGS):
            return deny(f"`{format_call(call)}` takes {DESCRIPTION[kind]} from where everything looks for it", look)
        if nowhere and kind in NEVER:
            return deny(f"`{format_call(call)}` deletes {DESCRIPTION[kind]}: nothing comes back from /dev/null", look)
        if nowhere:
            return ask(
                f"`{format_call(call)}` deletes it: nothing comes back from /dev/null",
                f'mv -v {quote_words(operands[:-1])} "$(mktemp -d)"',
            )
        if kind in NEVER:
            return ask(f"`{format_call(call)}` moves {DESCRIPTION[kind]}", look)
    return None
