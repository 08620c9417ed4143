"""Decides from the plain text whether any rule could apply, before the command is parsed.

hook → [may_matter] → policy
False positives cost time only; a false negative would skip the rules (tests/hooks/command_guard/test_fuzz.py).
Most commands end here: a few string searches instead of a parse.
"""

from __future__ import annotations

import posix

from hookwright.hooks.command_guard.prefilter_data import (
    DOTTED_SECRETS,
    HINTS,
    NAMES,
    PLAIN_WORDS,
    SECRETS,
    SUBJECTS,
    TABLES,
)
from hookwright.store.paths import session_dir

MAX_CHARS = 2000  # a longer text is always parsed
SEPARATORS = "|&;()<>\n"
GAPS = ",={}!/"
# Beginnings of common keys, looked for in here-documents (live_keys.py).
KEY_MARKS = (
    "ghp_",
    "github_pat_",
    "sk_live_",
    "AKIA",
    "sk-ant-",
    "sk-proj-",
    "xox",
    "glpat-",
    "AIza",
    "PRIVATE KEY-----",
)


def may_matter(text: str) -> bool:
    """Whether a rule could apply; costs a fraction of parsing."""
    if "<<" in text:
        if any(mark in text for mark in KEY_MARKS):
            return True  # it may write a key
        from hookwright.shell.strip_heredocs import strip_heredocs

        text = strip_heredocs(text)
    if len(text) > MAX_CHARS or "`" in text or (">" in text and writes_file(text)):
        return True
    if text.count("'") & 1 or text.count('"') & 1:
        return True  # an unclosed quote, or one kind inside the other: only the parser can tell
    if "(" in text and ("$(" in text or "<(" in text or "()" in text or "( )" in text):
        return True  # substitutions and functions can run a program that the text does not name
    if "$" in text:
        for mark in ("=", "$'", " -r", " -R", " -f", "IFS", "PWD"):
            if mark in text:
                return True  # a variable may be the program or its target
    if "@" in text or " -S" in text or ("done" in text and "&" in text):
        return True  # npx tool@version, env -S, loops that start something in the background
    if may_name_secret(text):
        return True  # whatever it does with it
    return names_program(plain_words(text), text)


# Parts of commands that make or edit files, or move them.
MAKERS = ("mkdir", "clone", "worktree", "tee ", "touch ", "cp ", "mv ", "unzip", " init", "create-", " new ", "sed -i",
          "sed -E", "perl -")  # fmt: skip
# Parts of commands that run a script's file.
RUNNERS = (".sh", ".py", ".js", ".mjs", ".ts", ".rb", ".pl", "./", "bash ", "sh ", "source ", "/")


def may_make(text: str) -> bool:
    """Whether the command may make or edit files that it names."""
    for mark in MAKERS:
        if mark in text:
            return True
    return ">" in text and writes_file(text)


def may_run_script(text: str, state: str | None, session: str) -> bool:
    """Whether the command may run, by its file, a script that this session wrote."""
    for mark in RUNNERS:
        if mark in text:
            return state is not None and has_scripts(state, session)
    return False


def has_scripts(state: str, session: str) -> bool:
    """Whether this session wrote scripts; see store/session_marks.py."""
    try:
        return posix.access(session_dir(state, session) + "/scripts", posix.R_OK)
    except ValueError:
        return False


def may_name_secret(text: str) -> bool:
    """Whether the text could name a file with secrets (secret_paths.py, by its generated lists)."""
    for mark in SECRETS.split("|"):
        if mark in text:
            return True
    if "." in text:
        for mark in DOTTED_SECRETS.split("|"):
            if mark in text:
                return True
    return False


# Programs that run tasks of the project, and the files in which these are.
TASK_FILES = (
    (("npm", "yarn", "bun", "run-s", "run-p", "concurrently"), ("package.json",)),  # pnpm, too
    (("make",), ("Makefile", "makefile", "GNUmakefile")),
    (("just",), ("justfile", "Justfile", ".justfile")),
    (("task",), ("Taskfile.yml", "Taskfile.yaml")),
    (
        ("poe", "pdm", "hatch", "rye", "pixi", "tox", "nox", "pipenv"),
        ("pyproject.toml", "tox.ini", "noxfile.py", "pixi.toml", "Pipfile"),
    ),
    (("deno",), ("deno.json", "deno.jsonc")),
    (("composer",), ("composer.json",)),
)
FOLDER_OPTIONS = ("cd", "-C", "--prefix", "--dir", "--cwd", "--directory")
MAX_PARENTS = 6  # folders above in which the file is searched


def find_task_files(text: str, cwd: str) -> list[str]:
    """The files that exist and hold the tasks which this command may run."""
    found: list[str] = []
    folders: list[str] | None = None
    for runners, names in TASK_FILES:
        for runner in runners:
            if runner in text:
                folders = list_folders(text, cwd) if folders is None else folders
                for folder in folders:
                    found += find_upwards(folder, names)
                break
    return found


def list_folders(text: str, cwd: str) -> list[str]:
    """The directories in which the command may run a task; those that exist."""
    folders = [cwd]
    for option in FOLDER_OPTIONS:
        if option in text:
            words = text.split()
            for index in range(1, len(words)):
                if words[index - 1] in FOLDER_OPTIONS:
                    folder = words[index].strip("\"';")
                    folders.append(folder if folder[:1] == "/" else f"{folders[-1]}/{folder}")
            break
    return [
        folder for folder in folders if folder[:1] == "/" and "\0" not in folder and posix.access(folder, posix.X_OK)
    ]


def find_upwards(folder: str, names: tuple[str, ...]) -> list[str]:
    """The nearest of these files, in this directory or above."""
    for _ in range(MAX_PARENTS):
        found = [f"{folder}/{name}" for name in names if posix.access(f"{folder}/{name}", posix.R_OK)]
        if found or not folder:
            return found
        folder = folder[: folder.rfind("/")]
    return []


def writes_file(text: str) -> bool:
    """Whether output is redirected, other than to /dev/null or another descriptor."""
    for harmless in (">&1", ">&2", "> /dev/null", ">/dev/null"):
        text = text.replace(harmless, "")
    return ">" in text


def plain_words(text: str) -> list[str]:
    """The words without quotes, paths split into their parts, `;` wherever a new call may begin."""
    if "\\" in text:
        text = text.replace("\\\n", " ").replace("\\", "")
    text = text.replace("'", "").replace('"', "")
    for gap in GAPS:
        text = text.replace(gap, " ")
    for separator in SEPARATORS:
        text = text.replace(separator, " ; ")
    return text.split()


def names_program(words: list[str], text: str) -> bool:
    """Whether one of the words is a program that rules look at, together with the operand or text that they need."""
    for index, word in enumerate(words):
        row = NAMES.get(word[0])
        if "-" in word and word[0].isupper() and word[-1].islower():
            return True  # a cmdlet of PowerShell
        if row is None:
            continue
        name = word.rstrip("0123456789.") + "#" if word[-1].isdigit() else word  # python3.12, pip3
        if f" {name}" not in row:
            continue
        if name_matters(name, row, words, index, text):
            return True
    return False


def name_matters(name: str, row: str, words: list[str], index: int, text: str) -> bool:
    if f" {name} " in row:
        return f" {name} " not in PLAIN_WORDS or index == 0 or f" {words[index - 1]} " not in SUBJECTS
    if (
        f" {name}+ " in row
        and operand_matters(words, index + 1, name)
        and (name != "git" or git_needs_reading(words[index + 1 :], text))
    ):
        return True
    return f" {name}? " in row and any(mark in text for mark in HINTS[name].split("|"))


def operand_matters(words: list[str], index: int, name: str) -> bool:
    """Whether the word after a program is an operand in its row of TABLES; `-` there means an option or nothing."""
    start = TABLES.find(f"\n{name} ")
    row = TABLES[start : TABLES.find("\n", start + 1)]
    word = words[index] if index < len(words) else ";"
    if word == ";":
        return " - " in row
    if word[0] == "-":
        return " - " in row or any(f" {other} " in row or f" {other}/" in row for other in words[index:])
    if f" {word}/" in row:
        after = words[index + 1] if index + 1 < len(words) else ";"
        return after[0] == "-" or f" {word}/{after} " in row
    return f" {word} " in row


# Subcommands of git that are harmless without one of these: letters of short options, then parts of the text.
GIT_SIGNS = {
    "push": ("fdn", "--fo --de --mi --no-v --pr + : heroku dokku prod live HUSKY LEFTHOOK SKIP"),
    "commit": ("n", "--no-v HUSKY LEFTHOOK SKIP ghp_ github_pat_ sk- sk_live AKIA xox glpat- AIza npm_"),
    "config": ("", "global system ooks alias. ghp_ github_pat_ glpat-"),
    "branch": ("Df", "force delete"),
    "tag": ("df", "force delete"),
    "checkout": ("fB", "force -- . * :"),
    "switch": ("fC", "force discard"),
    "stash": ("", "drop clear"),
    "rebase": ("x", "exec"),
    "reset": ("", "hard merge"),
    "remote": ("", "remove rm"),
}


def git_needs_reading(words: list[str], text: str) -> bool:
    """Whether a call of git has anything besides its subcommand that a rule could apply to."""
    verb = words[0]
    if verb not in GIT_SIGNS:
        return True
    if verb == "checkout":
        call = words[1 : words.index(";")] if ";" in words else words[1:]
        if "-b" not in call and sum(word[0] != "-" or word == "-" for word in call) > 1:
            return True  # a commit, then files
    letters, marks = GIT_SIGNS[verb]
    text = text.replace("\\\n", "").replace("\\", "").replace("'", "").replace('"', "")
    for mark in marks.split():
        if mark in text:
            return True
    if verb == "checkout" and not all(word.strip(GAPS) for word in text.split()):
        return True  # a file whose name is removed above: `git checkout HEAD {`
    return any(word[0] == "-" and word[1:2] != "-" and any(c in word for c in letters) for word in words)
