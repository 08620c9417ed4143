"""Scripts of package.json (npm, pnpm, yarn, bun), deno.json and composer.json, with their workspaces.

project.py → [texts] → the script, with its `pre` and `post`, and the words given to it
"""

from __future__ import annotations

from hookwright.shell.command import Word, join
from hookwright.shell.scripts.project import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hookwright.shell.command import Call
    from hookwright.shell.scripts.project import Project

MOST_WORKSPACES = 64
SHORT = {"t": "test", "tst": "test", "start": "start", "stop": "stop", "restart": "restart", "test": "test"}
RUNS = frozenset(("run", "run-script", "rum", "urn"))

# Words that are commands of the manager itself, also when a script of that name exists.
BUILTIN = frozenset(
    (
        "add install i ci remove rm uninstall un update up upgrade exec dlx x create init link unlink publish pack "
        "audit outdated why list ls info view config cache login logout whoami version help import dedupe prune "
        "rebuild store patch workspaces set plugin node deploy fetch root bin licenses setup env pm npm"
    ).split()
)
OPTIONS = {
    "npm": ("--prefix", "-C", "-w", "--workspace", "--loglevel", "--userconfig", "--registry", "--cache"),
    "pnpm": ("-C", "--dir", "--filter", "-F", "--filter-prod", "--reporter", "--loglevel", "--workspace-concurrency"),
    "yarn": ("--cwd", "--mutex", "--cache-folder"),
    "bun": ("--cwd", "--filter", "-F", "--config", "-c", "--shell"),
    "deno": ("--cwd", "-c", "--config"),
    "composer": ("-d", "--working-dir"),
}


def texts(project: Project, call: Call, folder: str) -> list[tuple[str, str]]:
    if call.program in {"run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently"}:
        return several(project, call, folder)
    request = asked(call)
    if request is None:
        return []
    name, rest, explicit = request
    where = call.option("--prefix", "-C", "--cwd", "--dir", "-d", "--working-dir")
    if where is not None:
        if not where.literal:
            return []
        folder = join(folder, where)
    file = "composer.json" if call.program == "composer" else "package.json"
    names = ("deno.json", "deno.jsonc") if call.program == "deno" else (file,)
    found = project.above(folder, *names)
    if found is None:
        return []
    home, file = found
    out: list[tuple[str, str]] = []
    for place in workspaces(project, call, home):
        data = project.parsed(place + "/" + file, manifest)
        if data:
            out.extend(script_texts(call.program, data, name, rest, explicit, place))
    return out


def manifest(text: str) -> Any:
    """The JSON object of a file; None when it is none."""
    from hookwright.protocol.json import NotJson, loads

    try:
        value = loads(text)
    except NotJson:
        return None
    return value if value.__class__ is dict else None


def asked(call: Call) -> tuple[str, Sequence[Word], bool] | None:
    """The script that is asked for, the words for it, and whether it was asked for with `run`."""
    program = call.program
    valued = OPTIONS[program]
    words = call.words
    index = 1
    run = False
    while index < len(words):
        word = words[index]
        if not word.literal:
            return None
        if word[:1] == "-":
            index += 2 if word in valued else 1
            continue
        if not run and (word in RUNS or (program == "deno" and word == "task")):
            run = True
        elif not run and program == "yarn" and word == "workspace":
            index += 1
        elif not run and program == "yarn" and word == "workspaces":
            while index < len(words) and words[index] != "run":
                index += 1
            run = True
        elif run:
            return str(word), given(program, words[index + 1 :]), True
        elif program == "npm":
            return (SHORT[word], given(program, words[index + 1 :]), True) if word in SHORT else None
        elif program in {"deno", "composer"} or (word in BUILTIN and word not in SHORT):
            return None
        else:
            return SHORT.get(word, str(word)), given(program, words[index + 1 :]), False
        index += 1
    return None


def given(program: str, words: Sequence[Word]) -> Sequence[Word]:
    """The words for the script: npm takes those after `--`, the others all."""
    if "--" in words:
        at = list(words).index(Word("--"))
        return words[at + 1 :] if program == "npm" else [*words[:at], *words[at + 1 :]]
    if program != "npm":
        return words
    valued = OPTIONS["npm"]
    return [word for at, word in enumerate(words) if word[:1] != "-" and not (at and words[at - 1] in valued)]


def script_texts(
    program: str, data: Any, name: str, rest: Sequence[Word], explicit: bool, folder: str
) -> list[tuple[str, str]]:
    table = data.get("tasks" if program == "deno" else "scripts")
    if table.__class__ is not dict or (name not in table and not explicit):
        return []
    out: list[tuple[str, str]] = []
    lifecycle = program in {"npm", "yarn", "bun"}
    for step in (f"pre{name}", name, f"post{name}") if lifecycle else (name,):
        more = quoted(rest) if step == name else ""
        out.extend((text + more, folder) for text in lines(table.get(step)))
    return out


def lines(value: Any) -> list[str]:
    """A script is a text, a list of texts (composer), or an object with a command (deno)."""
    if value.__class__ is str:
        return [value]
    if value.__class__ is list:
        return [item for item in value if item.__class__ is str]
    if value.__class__ is dict and value.get("command").__class__ is str:
        return [value["command"]]
    return []


# -- workspaces ------------------------------------------------------------------------------------------------------


def workspaces(project: Project, call: Call, home: str) -> list[str]:
    """The folders in which the script is run."""
    wanted = [*call.options("-w", "--workspace", "--filter", "-F")]
    words = call.words
    if call.program == "yarn" and "workspace" in words:
        at = list(words).index(Word("workspace")) + 1
        wanted.extend(words[at : at + 1])
    everywhere = call.has_flag("--workspaces", "-ws", "--recursive") or (call.program == "pnpm" and "-r" in words)
    everywhere = everywhere or (call.program == "yarn" and "workspaces" in words)
    if not wanted and not everywhere:
        return [home]
    root = workspace_root(project, home)
    found = []
    for folder in members(project, root):
        data = project.parsed(folder + "/package.json", manifest)
        name = data.get("name", "") if data else ""
        if everywhere or any(fits(word, name, folder, root) for word in wanted):
            found.append(folder)
    return found


def workspace_root(project: Project, folder: str) -> str:
    for _ in range(12):
        data = project.parsed(folder + "/package.json", manifest)
        if (data and "workspaces" in data) or project.read(folder + "/pnpm-workspace.yaml") is not None:
            return folder
        if folder in {"/", ""}:
            break
        folder = folder.rpartition("/")[0]
    return folder


def members(project: Project, root: str) -> list[str]:
    """The folders that the root's patterns name: `packages/*`, `apps/web`; `**` counts as one level."""
    data = project.parsed(root + "/package.json", manifest) or {}
    patterns = data.get("workspaces") or []
    if patterns.__class__ is dict:
        patterns = patterns.get("packages") or []
    listed = project.read(root + "/pnpm-workspace.yaml")
    if listed is not None:
        patterns = [
            line.strip()[1:].strip().strip("'\"") for line in listed.splitlines() if line.strip().startswith("- ")
        ]
    found: list[str] = []
    for pattern in patterns:
        if pattern.__class__ is not str or pattern[:1] == "!":
            continue
        base, star, _ = pattern.strip("./").partition("*")
        top = join(root, base.rstrip("/")) if base else root
        if not star:
            found.append(top)
        else:
            found.extend(top + "/" + name for name in project.names(top) if name[:1] != ".")
    return [folder for folder in found[:MOST_WORKSPACES] if project.read(folder + "/package.json") is not None]


def fits(wanted: Word, name: str, folder: str, root: str) -> bool:
    """A workspace by its name, its folder, or a pattern of pnpm (`@a/*`, `./packages/x`, `web...`)."""
    text = wanted.strip("{}").removeprefix("...").removesuffix("...").rstrip("^")
    if text == name or text == name.rpartition("/")[2]:
        return True
    if "/" in text and join(root, text.removesuffix("/*").removesuffix("/**")) == folder:
        return True
    return text.endswith("*") and name.startswith(text.rstrip("*"))


# -- several scripts at once -----------------------------------------------------------------------------------------


def several(project: Project, call: Call, folder: str) -> list[tuple[str, str]]:
    """`run-p dev:*`, `npm-run-all clean build`, `concurrently "npm:dev" "cmd"`."""
    found = project.above(folder, "package.json")
    data = project.parsed(found[0] + "/package.json", manifest) if found else None
    table = (data or {}).get("scripts") or {}
    out = []
    for word in call.operands("-n", "--names", "-c", "--prefix-colors", "--kill-others", "-r", "-m", "--max-processes"):
        text = str(word)
        if call.program == "concurrently":
            manager, colon, name = text.partition(":")
            if not (colon and manager in {"npm", "pnpm", "yarn", "bun"}):
                out.append((text, folder))
                continue
            text = name
        name, _, rest = text.partition(" ")
        for script in sorted(table):
            if script == name or (name.endswith("*") and script.startswith(name.rstrip("*"))):
                out.extend(
                    (line + (" " + rest if rest else ""), found[0] if found else folder)
                    for line in lines(table[script])
                )
    return out
