"""A first look at a command's text, before anything is parsed: may it run long, and is it certain to?

auto_background → [may_be_long, match_certain_command] → duration.py → [family_of] → programs/<family>.py
Works on the text alone and may say "perhaps" too often, never too seldom. The tables are in families_data.py.
"""

from __future__ import annotations

from hookwright.shell.families_data import BEFORE, CERTAIN, INDEX

KNOWN: dict[str, str] = {}  # program → family, as far as looked up


def family_of(program: str) -> str:
    """The family that knows this program, or ''."""
    family = KNOWN.get(program)
    if family is None:
        family = ""
        row = INDEX.get(program[:1], "")
        at = row.find(" " + program + " ")
        if at > 0 and " " not in program and program[-1] != ":":
            start = row.rfind("|", 0, at) + 1
            family = row[start : row.find(":", start)]
        KNOWN[program] = family
    return family


# Words besides the indexed programs that make a command worth parsing: it waits, walks over the whole disk, or runs a
# tool that has to be classified by its arguments.
WAITS = " sleep gsleep while until watch / /* npx bunx pnpx uvx "
# Most git commands are quick; these substrings occur in those that may not be.
GIT = (
    "clone", "rebase", "submodule", "lfs", "bisect", "gc", "repack", "fsck", "filter", "svn", "p4", "cvs",
    "subtree", "daemon", "web", "gui", "citool", "tool", "--all", "--unshallow", "--recurse", "update", "-p", "-i",
)  # fmt: skip
# With one of these `git commit` opens no editor.
MESSAGES = (" -m", " -am", " -F", " -C", "--message", "--no-edit", "--fixup", "--file", " -sm", " -qm", " -Sm")
MAX_CHARS = 2000  # parsing a longer text costs less than searching it


def may_be_long(text: str) -> bool:
    """Whether any word may be a program that runs long; if not, the command need not be parsed."""
    if len(text) > MAX_CHARS or "((" in text:
        return True
    for mark in "\n;&|(":
        if mark in text:
            text = text.replace(mark, " ; ")
    for mark in "\"'`\\$){}<>,@":
        if mark in text:
            text = text.replace(mark, " ")
    words = text.split()
    for word in set(words):
        if word[0] == "-":
            continue
        name = word.rpartition("/")[2] if "/" in word else word
        if "=" in name:
            name = name.rpartition("=")[2]  # an assignment's value may be run later
        spaced = " " + name + " "
        if spaced in INDEX.get(name[:1], "") or spaced in WAITS:
            if name == "git":
                if any(hint in text for hint in GIT) or ("commit" in text and not any(m in text for m in MESSAGES)):
                    return True
            elif name and (name != "tail" or may_follow(text)):
                return True
    return "/" in text and runs_path(words)


def runs_path(words: list[str]) -> bool:
    """Whether a path is in command position: at the start of a command, after a wrapper or after assignments."""
    before = True
    wrapped = False
    for word in words:
        if word == ";":
            before = True
            wrapped = False
        elif word[0] == "-":
            continue
        elif "/" in word and (before or word == "/" or word == "/*"):
            return True
        elif " " + word + " " in BEFORE:
            wrapped = True
        elif before and not wrapped and not word.isdigit():
            name, equals, _ = word.partition("=")
            before = bool(equals) and name.isidentifier()
    return False


def may_follow(text: str) -> bool:
    """Whether a flag could be the -f or -F of tail."""
    return any(word[0] == "-" and ("f" in word or "F" in word or "r" in word) for word in text.split())


# A text with one of these characters needs the parser.
HARD = frozenset("\r\0'\"\\$`(){}#~*?[!<")
# Flags with which even a certain command may be quick.
DOUBT = (
    " --help --version --dry-run --dryrun --dry_run --usage -help -version --list --list-tests --collect-only "
    "--show-config --print-config --syntax-check --package-lock-only --lockfile-only -h -V -v -s -n --simulate "
    "--just-print --no-act --recon --assumeno --pretend --listTests --list-files --generate-config --check-config "
)


def match_certain_command(text: str) -> str:
    """The evidence for a plain command that is surely long; '' when it has to be parsed."""
    if not HARD.isdisjoint(text) or "||" in text or "&" in text.replace("&&", "").replace(">&", ""):
        return ""
    text = text.strip().removesuffix(";").replace(" 2>&1", "")
    parts = text.replace("&&", ";").replace("|", ";").replace("\n", ";").split(";")
    for part in parts if all(map(str.strip, parts)) else ():
        words = part.split()
        while words and words[0].partition("=")[0].isidentifier() and "=" in words[0]:
            del words[0]
        if not words:
            return ""
        for count in (2, 3):
            at = CERTAIN.find("," + " ".join(words[:count]) + ",")
            sure = len(words) >= count and ">" not in part and (words[1] != "clone" or ":" in part)
            if at > 0 and sure and not any(f" {word} " in DOUBT for word in words):
                start = CERTAIN.rfind("|", 0, at) + 1
                call = " ".join(words)
                if len(call) > 60:
                    call = call[:59] + "…"
                return f"`{call}` {CERTAIN[start : CERTAIN.find(':', start)]}"
        spaced = " " + words[0] + " "
        if (
            "/" in words[0]
            or words[0] in {"sleep", "false"}
            or spaced in INDEX.get(words[0][0], "")
            or spaced in BEFORE
        ):
            return ""
    return ""
