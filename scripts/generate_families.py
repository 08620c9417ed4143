"""Makes the index of programs and docs/families.md from the families in src/hookwright/shell/programs/.

python scripts/generate_families.py [--check]
"""

from __future__ import annotations

import importlib
import sys
import textwrap
from pathlib import Path

from hookwright.shell.command import WRAPPERS

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "src/hookwright/shell/programs"
INDEX = PROGRAMS.parent / "families.py"
PAGE = ROOT / "docs/families.md"
SHARED = ("__init__", "names")  # files that are no families
KEYWORDS = ("then", "do", "else", "elif", "if", "while", "until", "!")
WIDTH = 116

HEAD = '''"""Which programs may run long, and which family knows more. Made by scripts/generate_families.py.

text → [may_be_long: is it worth reading?] → duration.py → [family_of] → programs/<family>.py
One text, not a dict: it comes with every command, and a dict of so many names takes fifty times as long to load.
"""

from __future__ import annotations

INDEX = (
'''
TAIL = '''KNOWN: dict[str, str] = {}  # what was looked up already


def family_of(program: str) -> str:
    """The family that knows this program, or ''."""
    family = KNOWN.get(program)
    if family is None:
        family = ""
        at = INDEX.find(" " + program + " ")
        if at > 0 and program and " " not in program and program[-1] != ":":
            start = INDEX.rfind("|", 0, at) + 1
            family = INDEX[start : INDEX.find(":", start)]
        KNOWN[program] = family
    return family


# Words that make a command worth reading besides the programs above: it waits, walks over the whole disk, or runs a
# tool that only its own words tell about.
WAITS = " sleep gsleep while until watch / /* npx bunx pnpx uvx "
# Most calls of git and tail are quick; these words tell the others.
GIT = (
    *("clone", "rebase", "submodule", "lfs", "bisect", "gc", "repack", "fsck", "filter", "svn", "p4", "cvs"),
    *("subtree", "daemon", "web", "gui", "citool", "tool", "--all", "--unshallow", "--recurse", "update", "-p", "-i"),
)
# With one of these a commit opens no editor.
MESSAGES = (" -m", " -am", " -F", " -C", "--message", "--no-edit", "--fixup", "--file", " -sm", " -qm", " -Sm")


LONGEST = 2000  # characters; reading a longer text costs less than searching it


def may_be_long(text: str) -> bool:
    """Whether any word may be a program that runs long; if not, the command need not be read at all."""
    if len(text) > LONGEST or "((" in text:
        return True
    for mark in "\\n;&|(":
        if mark in text:
            text = text.replace(mark, " ; ")
    for mark in "\\"'`\\\\$){}<>,@":
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
        if spaced in INDEX or spaced in WAITS:
            if name == "git":
                if any(hint in text for hint in GIT) or ("commit" in text and not any(m in text for m in MESSAGES)):
                    return True
            elif name and (name != "tail" or follows(text)):
                return True
    return "/" in text and runs_path(words)


def runs_path(words: list[str]) -> bool:
    """Whether a path stands where a program does: at the beginning, behind a wrapper, behind assignments."""
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


def follows(text: str) -> bool:
    """Whether a flag could be tail's -f."""
    return any(word[0] == "-" and ("f" in word or "F" in word or "r" in word) for word in text.split())


# A text with one of these needs a real reading.
HARD = frozenset("\\r\\0'\\"\\\\$`(){}#~*?[!<")
# Words after which the certain are certain no more.
DOUBT = frozenset(
    (
        "--help --version --dry-run --dryrun --dry_run --usage -help -version --list --list-tests --collect-only "
        "--show-config --print-config --syntax-check --package-lock-only --lockfile-only -h -V -v -s -n "
        "--simulate --just-print --no-act --recon --assumeno --pretend"
    ).split()
)


def glance(text: str) -> str:
    """The evidence for a plain command of which a first look is enough; '' when it has to be read."""
    if not HARD.isdisjoint(text) or "||" in text or "&" in text.replace("&&", "").replace(">&", ""):
        return ""
    text = text.strip().removesuffix(";").replace(" 2>&1", "")
    parts = text.replace("&&", ";").replace("|", ";").replace("\\n", ";").split(";")
    for part in parts if all(map(str.strip, parts)) else ():
        words = part.split()
        while words and words[0].partition("=")[0].isidentifier() and "=" in words[0]:
            del words[0]
        if not words:
            return ""
        for count in (2, 3):
            at = CERTAIN.find("," + " ".join(words[:count]) + ",")
            sure = len(words) >= count and ">" not in part and (words[1] != "clone" or ":" in part)
            if at > 0 and sure and DOUBT.isdisjoint(words):
                start = CERTAIN.rfind("|", 0, at) + 1
                call = " ".join(words)
                if len(call) > 60:
                    call = call[:59] + "…"
                return f"`{call}` {CERTAIN[start : CERTAIN.find(':', start)]}"
        spaced = " " + words[0] + " "
        if "/" in words[0] or words[0] in {"sleep", "false"} or spaced in INDEX or spaced in BEFORE:
            return ""
    return ""
'''


# Plain calls that are decided without being read, where the judge itself is sure of them whatever words follow: the
# commonest long commands. What it says about each is asked here, so that both ways give the same answer.
CERTAIN = """
npm install, npm i, npm ci, npm add, pnpm install, pnpm i, pnpm add, yarn install, yarn add, bun install, bun add,
pip install, pip3 install, uv sync, uv add, uv pip install, poetry install, bundle install, composer install,
brew install, brew upgrade, brew update, apt install, apt update, apt-get install, apt-get update, conda install,
conda create, cargo build, docker build, docker compose build, git clone
"""


def certain() -> str:
    """Evidence, then the calls of which it is true; all of them are forced."""
    from hookwright.shell.command import Command  # noqa: PLC0415  needs the index that is made here
    from hookwright.shell.duration import longest  # noqa: PLC0415

    said: dict[str, list[str]] = {}
    for text in " ".join(CERTAIN.split()).split(", "):
        found = longest(Command(text))
        if found is None or found.verdict != "force":
            raise SystemExit(f"{text} is not certain: {found and found.verdict}")
        said.setdefault(found.evidence, []).append(text)
    lines = ["CERTAIN = (\n"]
    for evidence, texts in said.items():
        line = f"|{evidence}:"
        for text in texts:
            if len(line) + len(text) + 2 > WIDTH - 8:
                lines.append(f'    "{line}"\n')
                line = ""
            line += f",{text}"
        lines.append(f'    "{line},"\n')
    return "".join([*lines, ")\n"])


def families() -> list[str]:
    return sorted(path.stem for path in PROGRAMS.glob("*.py") if path.stem not in SHARED)


def module(family: str):
    return importlib.import_module(f"hookwright.shell.programs.{family}")


def index() -> str:
    owner: dict[str, str] = {}
    lines = []
    for family in families():
        line = f"|{family}:"
        for program in sorted(module(family).PROGRAMS):
            if program in owner:
                raise SystemExit(f"{program} is in both {owner[program]} and {family}")
            owner[program] = family
            if len(line) + len(program) + 2 > WIDTH - 8:
                lines.append(f'    "{line} "\n')
                line = program
            else:
                line += f" {program}"
        lines.append(f'    "{line} "\n')
    before = textwrap.wrap(" ".join(["sudo", *KEYWORDS, *sorted(WRAPPERS - {"sudo"})]), WIDTH - 8)
    lines.append(")\n# Behind these a path is a program.\nBEFORE = (\n")
    lines.extend(f'    "{" " if not number else ""}{line} "\n' for number, line in enumerate(before))
    return HEAD + "".join(lines) + ")\n" + certain() + TAIL


def page() -> str:
    text = [
        "<!-- made by scripts/generate_families.py; change the families and run `make docs` -->\n\n",
        "# Families of programs\n\n",
        "How auto-background judges a command, program by program. `force`: moved to the background. `suggest`: ",
        "Claude is told that it may take long. `none`: nothing is said. What a command only mentions, starts in the ",
        "background by itself, bounds with `timeout` or asks for help is `none` everywhere; a call inside a command ",
        "counts by itself (`npm test && git status` is long), and the longest foreground call decides. A program ",
        "that is in no family is quick. Own programs: `[[background.rules]]`, see ",
        "[auto-background](hooks/auto_background.md).\n",
    ]
    for family in families():
        first, _, rest = (module(family).__doc__ or "").partition("\n")
        text.append(f"\n## {family.replace('_', ' ')}\n{first}\n\n")
        text.append("| | |\n|---|---|\n")
        for verdict, command in examples(rest):
            text.append(f"| {verdict} | `{command.replace('|', chr(92) + '|')}` |\n")
        programs = ", ".join(f"`{program}`" for program in sorted(module(family).PROGRAMS))
        text.append(f"\nPrograms: {programs}.\n")
    return "".join(text)


def examples(doc: str) -> list[tuple[str, str]]:
    """The lines of a docstring of the form `verdict  command`."""
    found = []
    for line in doc.splitlines():
        verdict, _, command = line.strip().partition("  ")
        if verdict in ("force", "suggest", "none"):
            found.append((verdict, command.strip()))
    return found


def main() -> int:
    status = 0
    for path, text in ((INDEX, index()), (PAGE, page())):
        if path.exists() and path.read_text() == text:
            continue
        if "--check" in sys.argv:
            print(f"{path.relative_to(ROOT)} is not up to date; run `make docs`")
            status = 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"wrote {path.relative_to(ROOT)}")
    return status


if __name__ == "__main__":
    raise SystemExit(main())
