"""Asks before an archive is unpacked over the home folder or the system.

Why: it overwrites what bears the same names, profiles and settings among them, without a word.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, quoted, shown
from hookwright.rules.paths import HOME, OUTSIDE, PRECIOUS, ROOT, SYSTEM, WHAT, kind
from hookwright.shell.command import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "extract-over"
EXAMPLES = {
    "unzip -o update.zip -d ~/": "ask",
    "tar xzf a.tgz -C /": "ask",
    "cd / && tar xf backup.tar": "ask",
    "sudo tar -C /usr -xzf go.tgz": "ask",
    "unzip -o site.zip -d /var/www/html": "ask",
    "tar xzf a.tgz -C /tmp/a": None,
    "tar xzf a.tgz": None,
    "tar czf /tmp/home.tgz ~": None,
    "unzip update.zip -d build": None,
    "tar tzf a.tgz": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    if call.program in ("tar", "gtar", "bsdtar"):
        mode = call.args[0].lstrip("-") if call.args else ""
        if "x" not in mode.partition("=")[0] and not call.has_flag("-x", "--extract", "--get"):
            return None
        folder = call.option("-C", "--directory") or folder_word(".")
        listing = "tar tf " + quoted(next((word for word in call.args if ".t" in word), folder_word("archive.tar")))
    else:
        if call.has_flag("-l", "-t", "-p", "-Z"):
            return None
        folder = call.option("-d") or folder_word(".")
        listing = "unzip -l " + quoted(
            next((word for word in call.args if word.endswith(".zip")), folder_word("archive.zip"))
        )
    if folder == "." and scene.project and call.cwd == scene.project:
        return None  # where one works, be it the home folder
    what = kind(call, folder, scene)
    over = call.has_flag("--overwrite") or (call.program == "unzip" and call.has_flag("-o"))
    if what not in (ROOT, HOME, SYSTEM, PRECIOUS) and not (over and what == OUTSIDE):
        return None
    return ask(f"`{shown(call)}` overwrites files in {WHAT[what]}", listing)


def folder_word(text: str) -> Word:
    return Word(text)
