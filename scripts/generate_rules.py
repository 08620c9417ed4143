"""Writes what comes from the guard's rules: the names that worth.py searches for, and the page of all rules.

python scripts/generate_rules.py          write
python scripts/generate_rules.py --check  say whether the files are what they should be
"""

import sys
from pathlib import Path
from typing import Any

from hookwright.rules import catalogue
from hookwright.rules.index import HINTED, INDEX, SECRETS
from hookwright.rules.kit import CARRYING

ROOT = Path(__file__).parent.parent
NAMES = ROOT / "src/hookwright/rules/names.py"
PAGE = ROOT / "docs/rules.md"

# Names that are as often an operand: `npm install`, `git init`, `docker service`.
PLAIN_WORDS = (
    "install service code kind port init deploy pass at mail route ip cap modal security defaults batch migrate surge "
    "snap fly copilot wipe halt http https np op dig truncate touch history export alias unset find"
)
# Programs after which such a name is an operand: they run no other program.
SUBJECTS = (
    "npm pnpm yarn bun pip pip3 uv poetry pdm cargo go git gh docker brew apt apt-get dnf make cmake mvn gradle dotnet "
    "cat ls cd grep rg head tail mkdir echo printf wc sort uniq diff jq yq tree pwd which pytest node python python3 "
    "ruby tsc eslint prettier ruff mypy vite next jest vitest ps df du file stat sleep"
)


def names_file() -> str:
    plain = {name for name, rules in INDEX.items() if isinstance(rules, str)}
    plain |= {*CARRYING, "sudo", "ftp", "mail", "dig"}
    tables = {
        hashed(name): keys(rules) for name, rules in INDEX.items() if isinstance(rules, dict) and name not in plain
    }
    hints = {hashed(name): marks for name, (_, marks) in HINTED.items() if name not in plain}
    marked = {hashed(name) for name in plain} | {name + "+" for name in tables}
    marked |= {name + ("%" if marks is SECRETS else "?") for name, marks in hints.items()}
    rows: dict[str, list[str]] = {}
    for name in sorted(marked):
        rows.setdefault(name[0], []).append(name)
    own = "".join(
        f"    {name!r}: {' '.join(marks)!r},\n" for name, marks in sorted(hints.items()) if marks is not SECRETS
    )
    return f'''"""Programs that rules look at, in the form that loads quickest: texts, by first letter.

Made by scripts/generate_rules.py from index.py. `name`: whatever follows; `name+`: only with an operand of its row in
TABLES (`a/b`: with both; `-`: an option or nothing); `name?`: only where the text holds one of its HINTS; `name%`: or
one of the SECRETS; `name#`: with any version number.
"""

from __future__ import annotations

NAMES = {{
{"".join(f"    {letter!r}: {' ' + ' '.join(row) + ' '!r},{chr(10)}" for letter, row in rows.items())}}}
# As often an operand as a program; an operand after one of the subjects.
PLAIN_WORDS = {" " + " ".join(PLAIN_WORDS.split()) + " "!r}
SUBJECTS = {" " + " ".join(SUBJECTS.split()) + " "!r}
TABLES = (
    "\\n"
{"".join(f"    {name + ' ' + ' '.join(row) + ' ' + chr(10)!r}{chr(10)}" for name, row in sorted(tables.items()))})
SECRETS = {" ".join(SECRETS)!r}
HINTS = {{
{own}}}
'''


def hashed(name: str) -> str:
    """`python3` → `python#`."""
    return name.rstrip("0123456789.") + "#" if name[-1].isdigit() else name


def keys(table: dict[str, object]) -> list[str]:
    found = []
    for key, value in table.items():
        found += [f"{key}/{inner}" for inner in value] if isinstance(value, dict) else [key]
    return found


def formatted(text: str) -> str:
    """As the project's formatter leaves it."""
    import subprocess  # noqa: PLC0415

    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(NAMES), "-"]
    return subprocess.run(ruff, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout


BAR = "\\|"
PREFACE = """\
# What the guard stops
<!-- made by scripts/generate_rules.py from src/hookwright/rules/; change a rule and run `make docs` -->

One rule a pattern: what it stops, why, and examples, which are its tests. How the guard works and how it is configured
is told in [command_guard](hooks/command_guard.md). The names go into `off`, `ask`, `deny` and exceptions; besides these
rules there are `protected-secrets`, `protected-git`, `protected-profiles`, `protected-settings` and
`protected-outside` for the file tools, `own-rule` for rules of yours without a name and `own-paths` for paths that you
list.

**deny**: refused, Claude reads the reason. **ask**: you decide; where nobody can be asked, refused with the reason.
**silent**: no opinion; whether it runs is Claude Code's and your business.
"""


def page() -> str:
    rules = sorted(catalogue.modules().values(), key=lambda rule: rule.ID)
    lines = [PREFACE, "\n| rule | |\n|---|---|\n"]
    lines += [f"| [{rule.ID}](#{rule.ID}) | {paragraphs(rule)[0].replace('|', BAR)} |\n" for rule in rules]
    for rule in rules:
        what, *why = paragraphs(rule)
        lines += [f"\n## {rule.ID}\n", f"{what}\n\n", *(f"{text}\n\n" for text in why), "| command | |\n|---|---|\n"]
        lines += [f"| {shown(command)} | {answer or 'silent'} |\n" for command, answer in rule.EXAMPLES.items()]
    return "".join(lines)


def paragraphs(rule: Any) -> list[str]:
    return [" ".join(part.split()) for part in rule.__doc__.strip().split("\n\n")]


def shown(command: str) -> str:
    """A command in a cell: with enough backticks around it, and line breaks to be seen."""
    text = command.replace("|", BAR).replace("\n", " ⏎ ")
    fence = "`" * (2 if "`" in text else 1)
    gap = " " if "`" in text else ""
    return f"{fence}{gap}{text}{gap}{fence}"


def main() -> int:
    status = 0
    for path, text in ((NAMES, formatted(names_file())), (PAGE, page())):
        if "--check" not in sys.argv:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path.relative_to(ROOT)} is not what its sources say; run: make docs")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
