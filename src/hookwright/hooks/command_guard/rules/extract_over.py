"""Asks before an archive is unpacked over the home directory or the system.

Why: it silently overwrites files of the same names, profiles and settings among them.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.path_kinds import DESCRIPTION, HOME, OUTSIDE, PRECIOUS, ROOT, SYSTEM, classify_word
from hookwright.hooks.command_guard.rule_api import ask, format_call, quote_word
from hookwright.shell.command import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "extract-over"
EXAMPLES = {
    "unzip -o update.zip -d ~/": "ask",
    "tar xzf a.tgz -C /": "ask",
    "cd / && tar xf backup.tar": "ask",
    "sudo tar -C /usr -xzf go.tgz": "ask",
    "unzip -o site.zip -d /var/www/html": "ask",
    "«gtar|bsdtar» xf a.tar -C /": "ask",
    "tar «--extract|--get» -f a.tar -C /": "ask",
    "tar xf a.tar --directory /": "ask",
    "tar xf a.tar --overwrite -C ../other": "ask",
    "unzip -o a.zip -d ../other": "ask",
    "unzip a.zip -d /usr/local": "ask",
    "tar xzf a.tgz -C /tmp/a": None,
    "tar xzf a.tgz": None,
    "tar czf /tmp/home.tgz ~": None,
    "unzip update.zip -d build": None,
    "tar tzf a.tgz": None,
    "unzip «-l|-t|-p|-Z» a.zip -d /": None,
    "tar xf a.tar -C ../other": None,
    "unzip a.zip -d ../other": None,
    "tar xf a.tar": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    if call.program in ("tar", "gtar", "bsdtar"):
        mode = call.args[0].lstrip("-") if call.args else ""
        if "x" not in mode.partition("=")[0] and not call.has_flag("-x", "--extract", "--get"):
            return None
        folder = call.option("-C", "--directory") or folder_word(".")
        named = next((word for word in call.args if ".t" in word), None)
        listing = "tar tf " + quote_word(named) if named is not None and named.literal else "ls -la"
    else:
        if call.has_flag("-l", "-t", "-p", "-Z"):
            return None
        folder = call.option("-d") or folder_word(".")
        named = next(iter(call.operands("-d", "-x")), None)
        listing = "unzip -l " + quote_word(named) if named is not None and named.literal else "ls -la"
    if folder == "." and scene.project and call.cwd == scene.project:
        return None  # the current project, even if that is the home directory
    kind = classify_word(call, folder, scene)
    over = call.has_flag("--overwrite") or (call.program == "unzip" and call.has_flag("-o"))
    if kind not in (ROOT, HOME, SYSTEM, PRECIOUS) and not (over and kind == OUTSIDE):
        return None
    return ask(f"`{format_call(call)}` overwrites {DESCRIPTION[kind]}", listing)


def folder_word(text: str) -> Word:
    return Word(text)
