"""Random commands around the edge of what approve accepts: known programs, known and unknown options, odd words."""

import random
import tomllib
from pathlib import Path

from hookwright.hooks.approve import hook

FOLDER = Path(hook.__file__).parent
WORDS = [
    "a.txt",
    "b.txt",
    "src",
    "src/app.py",
    "*.txt",
    "./*",
    "src/*.py",
    "data.json",
    "HEAD",
    "HEAD~1",
    "main",
    "3",
    "-",
    ".",
    "foo",
    "'*.py'",
    "out",
    ".env",
    "../x",
    "/etc/passwd",
    "$X",
    "$(ls)",
    "<(ls)",
    "'{print $1}'",
    "'1,3p'",
    "-n",
    "'s/a/b/'",
    "'s/a/b/w out'",
    "'w out'",
    "'{print > \"out\"}'",
    "'{system(\"touch x\")}'",
    "'.'",
    "'env'",
    "+%F",
    "-name",
    "-type",
    "f",
    "-exec",
    "cat",
    "{}",
    "+",
    "\\;",
    "-delete",
    "-fprint",
    "--",
    "''",
    "'a b'",
    "~",
    "]",
    "-f",
    "x=1",
    "'1!G;h;$!d'",
    "'$!N'",
    "'/a/,/b/p'",
    "'s|a|b|e'",
    "'NR==1'",
    "'$1 > 5'",
    "'p;w x'",
    "'y/a/b/'",
    "'1e ls'",
    "-o",
    "--output=out",
    "--pre=./x",
    "@{u}",
    "stash@{0}",
    "--ext-diff",
    "-C",
    "'%G?'",
    "--format=%G?",
]
JOINERS = [" | ", " && ", "; ", " || ", "\n"]
TAILS = ["", "", "", "", " 2>/dev/null", " 2>&1", " > out", " >> out", " < a.txt", " &", " <<< x"]
PREFIXES = ["", "", "", "", "", "LC_ALL=C ", "X=1 ", "cd src && ", "time ", "! ", "GIT_PAGER=x "]


def load_tables():
    read = [tomllib.loads((FOLDER / name).read_text()) for name in ("read_only.toml", "git_read_only.toml")]
    options = []
    for rows in read:
        found = {}
        for program, row in rows.items():
            source = rows[row["same_as"]] if "same_as" in row else row
            found[program] = " ".join(source.get(key, "") for key in ("flags", "values", "files")).split()
        options.append(found)
    return options


PROGRAMS, GIT = load_tables()
EVERY_OPTION = sorted({option for rows in (PROGRAMS, GIT) for options in rows.values() for option in options})


def draw_call(chance: random.Random) -> str:
    program = chance.choice(list(PROGRAMS))
    known = PROGRAMS[program]
    words = [program]
    if program == "git":
        verb = chance.choice(list(GIT))
        known = GIT[verb]
        words.append(verb)
    for _ in range(chance.randrange(5)):
        if known and chance.random() < 0.5:
            option = chance.choice(known)
            words.append(option + chance.choice(["", "", "", "=3", "3", "=out", "n"]))
        elif chance.random() < 0.05:
            words.append(chance.choice(EVERY_OPTION))
        else:
            words.append(chance.choice(WORDS))
    return chance.choice(PREFIXES) + " ".join(words) + chance.choice(TAILS)


def draw_command(chance: random.Random) -> str:
    text = draw_call(chance)
    while chance.random() < 0.3:
        text += chance.choice(JOINERS) + draw_call(chance)
    wrap = chance.random()
    if wrap < 0.05:
        return f"for f in *.txt 'x y'; do {text} $f; done"
    if wrap < 0.1:
        return f"({text})"
    return f"if {text}; then ls; fi" if wrap < 0.13 else text
