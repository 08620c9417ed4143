"""Decides whether the project's tasks that a command runs could matter to a rule, before anything is parsed.

hook → prefilter.names_task → [tasks_matter: the file with the tasks → its words → prefilter] → policy
Loaded for commands that name a task runner (`npm run`, `make`, `just` …). Files that are not there cost one look.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.prefilter import names_program, plain_words
from hookwright.shell.call import join_path
from hookwright.shell.project_scripts.find_script import read_file

PACKAGE = ("package.json",)
FILES = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "run-s", "run-p", "npm-run-all", "concurrently"), PACKAGE),
    "deno": ("deno.json", "deno.jsonc"),
    "composer": ("composer.json",),
    **dict.fromkeys(("make", "gmake"), ("Makefile", "makefile", "GNUmakefile")),
    "just": ("justfile", "Justfile", ".justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    **dict.fromkeys(("poe", "pdm", "hatch", "rye", "pixi"), ("pyproject.toml", "pixi.toml")),
    "tox": ("tox.ini", "pyproject.toml"),
    "nox": ("noxfile.py",),
    "pipenv": ("Pipfile",),
}
# Subcommands that run no task of the project's own.
OTHER_VERBS = frozenset(
    (
        "install ci i add remove rm uninstall ls list outdated audit view info init config why publish pack link login "
        "logout whoami search update upgrade up dlx exec x create cache prune dedupe --version -v version help --help"
    ).split()
)
FOLDER_OPTIONS = ("cd", "-C", "--prefix", "--dir", "--cwd", "--directory")
MAX_PARENTS = 6  # folders above in which the file is searched
MAX_CHARS = 20_000  # of a file that is looked through; a longer one is always read in full


def tasks_matter(text: str, cwd: str) -> bool:
    """Whether a file with tasks that this command may run names a program that rules look at."""
    words = plain_words(text)
    names = {
        name
        for index, word in enumerate(words)
        for name in FILES.get(word, ())
        if (words[index + 1] if index + 1 < len(words) else "") not in OTHER_VERBS or word not in ("npm", *MANAGERS)
    }
    if not names or cwd[:1] != "/":
        return False
    written = text.split()
    folders = [cwd]
    for index in range(1, len(written)):
        if written[index - 1] in FOLDER_OPTIONS:
            folders.append(join_path(folders[-1], written[index].strip("\"';")))
    return any(file_matters(folder, name) for folder in folders for name in names)


MANAGERS = ("pnpm", "yarn", "bun", "composer", "deno", "pdm", "pipenv", "rye", "pixi", "hatch")


def file_matters(folder: str, name: str) -> bool:
    for _ in range(MAX_PARENTS):
        text = read_file(folder.rstrip("/") + "/" + name)
        if text is not None:
            return text_matters(text, name)
        if name[-4:] != "json" or folder in ("/", ""):
            return False
        folder = folder.rpartition("/")[0] or "/"
    return False


def text_matters(text: str, name: str) -> bool:
    if name[-4:] == "json":
        start = text.find('"scripts"')
        text = text[start : text.find("}", start) + 1] if start >= 0 else ""
    return len(text) > MAX_CHARS or names_program(plain_words(text.replace(":", " ")), text)
