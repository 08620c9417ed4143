"""Decides whether the project's tasks that a command runs could matter to a rule, before anything is parsed.

hook → prefilter.find_task_files → [tasks_matter: a file with tasks → its words → prefilter] → policy
Loaded for commands that name a task runner (`npm run`, `make`, `just` …) where there is a file with tasks.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.prefilter import names_program, plain_words
from hookwright.shell.project_scripts.find_script import read_file

# Subcommands of package managers that run no task of the project's own.
OTHER_VERBS = frozenset(
    (
        "install ci i add remove rm uninstall ls list outdated audit view info init config why publish pack link login "
        "logout whoami search update upgrade up dlx exec x create cache prune dedupe --version -v version help --help"
    ).split()
)
MANAGERS = frozenset("npm pnpm yarn bun composer deno pdm pipenv rye pixi hatch".split())
MAX_CHARS = 20_000  # of a file that is looked through; a longer one is always read in full


def tasks_matter(text: str, files: list[str]) -> bool:
    """Whether one of these files names a program that rules look at, and the command may run a task of it."""
    words = plain_words(text)
    verbs = [words[index + 1] if index + 1 < len(words) else "" for index, word in enumerate(words) if word in MANAGERS]
    if (
        verbs
        and all(verb in OTHER_VERBS for verb in verbs)
        and not {"make", "gmake", "just", "task"}.intersection(words)
    ):
        return False
    return any(file_matters(path) for path in files)


def file_matters(path: str) -> bool:
    text = read_file(path)
    if text is None:
        return False
    if path.endswith("json"):
        start = text.find('"scripts"')
        text = text[start : text.find("}", start) + 1] if start >= 0 else ""
    return len(text) > MAX_CHARS or names_program(plain_words(text.replace(":", " ")), text)
