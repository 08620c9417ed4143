"""Scripts of package.json (npm, pnpm, yarn, bun), deno.json and composer.json, with their workspaces.

find_script.py → [resolve_task] → the script with its `pre` and `post` scripts, and its arguments
"""

from __future__ import annotations

from hookwright.shell.call import Word, join_path, quote_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hookwright.shell.call import Call
    from hookwright.shell.project_scripts.find_script import Project

MAX_WORKSPACES = 64
SHORT = {"t": "test", "tst": "test", "start": "start", "stop": "stop", "restart": "restart", "test": "test"}
RUNS = frozenset(("run", "run-script", "rum", "urn"))

# Commands of the package manager itself, even if a script has that name.
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


def resolve_task(project: Project, call: Call, folder: str) -> list[tuple[str, str]]:
    if call.program in {"run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently"}:
        return resolve_several(project, call, folder)
    request = parse_request(call)
    if request is None:
        return []
    name, rest, explicit = request
    where = call.option("--prefix", "-C", "--cwd", "--dir", "-d", "--working-dir")
    if where is not None:
        if not where.literal:
            return []
        folder = join_path(folder, where)
    file = "composer.json" if call.program == "composer" else "package.json"
    names = ("deno.json", "deno.jsonc") if call.program == "deno" else (file,)
    found = project.find_above(folder, *names)
    if found is None:
        return []
    home, file = found
    out: list[tuple[str, str]] = []
    for place in find_workspaces(project, call, home):
        data = project.parse_file(place + "/" + file, parse_manifest)
        if data:
            out.extend(build_script_texts(call.program, data, name, rest, explicit, place))
    return out


def parse_manifest(text: str) -> Any:
    """The JSON object of a file; None if it is not one."""
    from hookwright.protocol.json import NotJson, loads

    try:
        value = loads(text)
    except NotJson:
        return None
    return value if value.__class__ is dict else None


def parse_request(call: Call) -> tuple[str, Sequence[Word], bool] | None:
    """The requested script, its arguments, and whether it was requested with `run`."""
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
            return str(word), select_arguments(program, words[index + 1 :]), True
        elif program == "npm":
            return (SHORT[word], select_arguments(program, words[index + 1 :]), True) if word in SHORT else None
        elif program in {"deno", "composer"} or (word in BUILTIN and word not in SHORT):
            return None
        else:
            return SHORT.get(word, str(word)), select_arguments(program, words[index + 1 :]), False
        index += 1
    return None


def select_arguments(program: str, words: Sequence[Word]) -> Sequence[Word]:
    """The arguments for the script: npm passes those after `--`, the others all."""
    if "--" in words:
        at = list(words).index(Word("--"))
        return words[at + 1 :] if program == "npm" else [*words[:at], *words[at + 1 :]]
    if program != "npm":
        return words
    valued = OPTIONS["npm"]
    return [word for at, word in enumerate(words) if word[:1] != "-" and not (at and words[at - 1] in valued)]


def build_script_texts(
    program: str, data: Any, name: str, rest: Sequence[Word], explicit: bool, folder: str
) -> list[tuple[str, str]]:
    table = data.get("tasks" if program == "deno" else "scripts")
    if table.__class__ is not dict or (name not in table and not explicit):
        return []
    out: list[tuple[str, str]] = []
    lifecycle = program in {"npm", "yarn", "bun"}
    for step in (f"pre{name}", name, f"post{name}") if lifecycle else (name,):
        more = quote_words(rest) if step == name else ""
        out.extend((text + more, folder) for text in list_script_lines(table.get(step)))
    return out


def list_script_lines(value: Any) -> list[str]:
    """A script is a text, a list of texts (composer), or an object with a command (deno)."""
    if value.__class__ is str:
        return [value]
    if value.__class__ is list:
        return [item for item in value if item.__class__ is str]
    if value.__class__ is dict and value.get("command").__class__ is str:
        return [value["command"]]
    return []


# -- workspaces ------------------------------------------------------------------------------------------------------


def find_workspaces(project: Project, call: Call, home: str) -> list[str]:
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
    root = find_workspace_root(project, home)
    found = []
    for folder in list_members(project, root):
        data = project.parse_file(folder + "/package.json", parse_manifest)
        name = data.get("name", "") if data else ""
        if everywhere or any(matches_workspace(word, name, folder, root) for word in wanted):
            found.append(folder)
    return found


def find_workspace_root(project: Project, folder: str) -> str:
    for _ in range(12):
        data = project.parse_file(folder + "/package.json", parse_manifest)
        if (data and "workspaces" in data) or project.read(folder + "/pnpm-workspace.yaml") is not None:
            return folder
        if folder in {"/", ""}:
            break
        folder = folder.rpartition("/")[0]
    return folder


def list_members(project: Project, root: str) -> list[str]:
    """The folders that the root's patterns name: `packages/*`, `apps/web`; `**` counts as one level."""
    data = project.parse_file(root + "/package.json", parse_manifest) or {}
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
        top = join_path(root, base.rstrip("/")) if base else root
        if not star:
            found.append(top)
        else:
            found.extend(top + "/" + name for name in project.names(top) if name[:1] != ".")
    return [folder for folder in found[:MAX_WORKSPACES] if project.read(folder + "/package.json") is not None]


def matches_workspace(wanted: Word, name: str, folder: str, root: str) -> bool:
    """A workspace by its name, its folder, or a pattern of pnpm (`@a/*`, `./packages/x`, `web...`)."""
    text = wanted.strip("{}").removeprefix("...").removesuffix("...").rstrip("^")
    if text == name or text == name.rpartition("/")[2]:
        return True
    if "/" in text and join_path(root, text.removesuffix("/*").removesuffix("/**")) == folder:
        return True
    return text.endswith("*") and name.startswith(text.rstrip("*"))


# -- several scripts at once -----------------------------------------------------------------------------------------


def resolve_several(project: Project, call: Call, folder: str) -> list[tuple[str, str]]:
    """`run-p dev:*`, `npm-run-all clean build`, `concurrently "npm:dev" "cmd"`."""
    found = project.find_above(folder, "package.json")
    data = project.parse_file(found[0] + "/package.json", parse_manifest) if found else None
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
                    for line in list_script_lines(table[script])
                )
    return out
