"""Makes the index of programs and docs/families.md from the families in src/hookwright/shell/programs/.

python scripts/generate_families.py [--check]
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = ROOT / "src/hookwright/shell/programs"
INDEX = PROGRAMS.parent / "families.py"
PAGE = ROOT / "docs/families.md"
SHARED = ("__init__", "names")  # files that are no families
WIDTH = 116

HEAD = '''"""Program → family. Made by scripts/generate_families.py from each family's PROGRAMS; run `make docs`.

One text, not a dict: it comes with every command, and a dict of so many names takes fifty times as long to load.
"""

from __future__ import annotations

INDEX = (
'''
TAIL = ''')
KNOWN: dict[str, str] = {}  # what was looked up already


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
'''


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
    return HEAD + "".join(lines) + TAIL


def page() -> str:
    text = [
        "<!-- made by scripts/generate_families.py; change the families and run `make docs` -->\n\n",
        "# Families of programs\n\n",
        "How auto-background judges a command, program by program. `force`: moved to the background. `suggest`: ",
        "Claude is told that it may take long. `none`: nothing is said. What a command only mentions, starts in the ",
        "background by itself, bounds with `timeout` or asks for help is `none` everywhere; a call inside a command ",
        "counts by itself (`npm test && git status` is long), and the longest foreground call decides. A program ",
        "that is in no family is quick. Own programs: `[[background.rules]]`, see ",
        "[auto-background](hooks/auto-background.md).\n",
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
