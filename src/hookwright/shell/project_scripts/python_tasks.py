"""Tasks of Python projects: poe, pdm, hatch, tox, nox, pipenv, rye, pixi, taskipy.

find_script.py → [resolve_task] → the commands of the task
TOML is parsed by tomllib, which is loaded only when a task is called.
"""

from __future__ import annotations

from hookwright.shell.call import Word, join_path, quote_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hookwright.shell.call import Call
    from hookwright.shell.project_scripts.find_script import Project

MAX_DEPTH = 8
MAX_STEPS = 512  # steps of tasks that are followed for one call
MAX_VALUE_CHARS = 1 << 16  # of a value over several lines
MAX_ENVIRONMENTS = 64  # of tox, for one call
ONLY_AST = 0x400  # compile() returns the tree and runs nothing


def resolve_task(project: Project, call: Call, folder: str) -> list[tuple[str, str]]:
    program = call.program
    if program == "nox":
        return resolve_nox(project, call, folder)
    if program == "tox":
        return resolve_tox(project, call, folder)
    if call.has_flag("--help", "-h", "--version", "--dry-run"):
        return []
    request = parse_request(call)
    if request is None:
        return []
    environment, name, rest = request
    files = {"pipenv": ("Pipfile",), "pixi": ("pixi.toml", "pyproject.toml"), "hatch": ("hatch.toml", "pyproject.toml")}
    names = files.get(program, ("pyproject.toml", "poe_tasks.toml") if program == "poe" else ("pyproject.toml",))
    found = project.find_above(find_project_folder(call, folder), *names)
    if found is None:
        return []
    home, file = found
    data = project.parse_file(home.rstrip("/") + "/" + file, parse_toml)
    if data is None:
        return []
    table = find_tasks(program, data, environment, file)
    out: list[str] = []
    collect_steps(table, table.get(name), out, [MAX_STEPS], 0)
    if out and rest:
        out[-1] += quote_words(rest)
    return [(text, home) for text in out]


def find_project_folder(call: Call, folder: str) -> str:
    place = call.option("-C", "--root", "-p", "--project", "--directory")
    return join_path(folder, place) if place is not None and place.literal else folder


def parse_toml(text: str) -> Any:
    from hookwright.proc.safe_toml import NotToml, parse_toml as parse

    try:
        return parse(text)
    except NotToml:
        return None


def parse_request(call: Call) -> tuple[str, str, Sequence[Word]] | None:
    """(environment, task, its arguments)."""
    words = call.operands("-C", "--root", "-p", "--project", "-e", "--env", "--environment", "--directory")
    if call.program in {"pdm", "hatch", "pipenv", "rye", "pixi"}:
        if not words or words[0] != "run":
            return None
        words = words[1:]
    elif call.program in {"uv", "poetry"}:
        return None
    if not words or not words[0].literal:
        return None
    at = list(call.words).index(words[0])
    rest = [word for word in call.words[at + 1 :] if word != "--"]
    environment, colon, name = words[0].rpartition(":")
    if call.program == "hatch":
        chosen = call.option("-e", "--env")
        return environment if colon else str(chosen or "default"), name, rest
    return "", str(words[0]), rest


def find_tasks(program: str, data: Any, environment: str, file: str) -> dict[str, Any]:
    tool = data.get("tool") or {}
    paths: dict[str, tuple[Any, ...]] = {
        "poe": (data if file == "poe_tasks.toml" else tool.get("poe"), "tasks"),
        "pdm": (tool.get("pdm"), "scripts"),
        "rye": (tool.get("rye"), "scripts"),
        "pipenv": (data, "scripts"),
        "pixi": (data if file == "pixi.toml" else tool.get("pixi"), "tasks"),
        "task": (tool.get("taskipy"), "tasks"),
        "hatch": (data if file == "hatch.toml" else tool.get("hatch"), "envs", environment, "scripts"),
    }
    value, *steps_ = paths[program]
    for step in steps_:
        value = value.get(step) if value.__class__ is dict else None
    return value if value.__class__ is dict else {}


def collect_steps(table: dict[str, Any], value: Any, out: list[str], left: list[int], depth: int) -> None:
    """A task is a text, a list of steps, or an object that names its command, its steps, or another task."""
    left[0] -= 1
    if depth > MAX_DEPTH or len(out) > 64 or left[0] < 0:
        return
    if value.__class__ is str:
        first = value.split(None, 1)[0] if value.strip() else ""
        if depth and first in table:  # a step may name another task
            collect_steps(table, table[first], out, left, depth + 1)
        else:
            out.append(value)
    elif value.__class__ is list:
        for item in value:
            collect_steps(table, item, out, left, depth + 1)
    elif value.__class__ is dict:
        for name in list_dependencies(value):
            collect_steps(table, table.get(name), out, left, depth + 1)
        for key in ("cmd", "shell", "command", "sequence", "composite", "chain", "ref"):
            if key in value:
                inner = value[key]
                if key in {"cmd", "command"} and inner.__class__ is list:
                    out.append(" ".join([str(word) for word in inner]))
                elif key == "ref" and inner.__class__ is str:
                    collect_steps(table, table.get(inner.split(None, 1)[0]), out, left, depth + 1)
                else:
                    collect_steps(table, inner, out, left, depth + 1)
                return


def list_dependencies(value: dict[str, Any]) -> list[str]:
    found = value.get("deps") or value.get("depends-on") or value.get("depends_on") or []
    return [found] if found.__class__ is str else [name for name in found if name.__class__ is str]


# -- tox -------------------------------------------------------------------------------------------------------------


def resolve_tox(project: Project, call: Call, folder: str) -> list[tuple[str, str]]:
    asks = ("-l", "-a", "--listenvs", "--showconfig", "--help", "-h", "--version", "--notest", "-n")
    if call.has_flag(*asks) or call.verb in {"list", "l", "config", "c", "devenv", "quickstart"}:
        return []
    found = project.find_above(folder, "tox.ini", "setup.cfg", "pyproject.toml")
    if found is None:
        return []
    home, file = found
    path = home.rstrip("/") + "/" + file
    if file == "pyproject.toml":
        data = project.parse_file(path, parse_toml) or {}
        legacy = ((data.get("tool") or {}).get("tox") or {}).get("legacy_tox_ini")
        sections = parse_ini(legacy) if legacy.__class__ is str else {}
    else:
        sections = project.parse_file(path, parse_ini)
    chosen = [name for word in call.options("-e", "-f", "--env") for name in word.split(",")]
    if not chosen:
        listed = sections.get("tox", sections.get("tox:tox", {})).get("envlist", "") or sections.get("tox", {}).get(
            "env_list", ""
        )
        chosen = [name for name in listed.replace("\n", ",").replace(" ", "").split(",") if name] or ["py"]
    posargs = quote_words(call.words[list(call.words).index(Word("--")) + 1 :]) if "--" in call.words else ""
    out: list[tuple[str, str]] = []
    for name in list(dict.fromkeys(chosen))[:MAX_ENVIRONMENTS]:
        base = sections.get("testenv", {})
        section = {**base, **sections.get("testenv:" + name, {})}
        for key in ("commands_pre", "commands", "commands_post"):
            for line in section.get(key, "").replace("\\\n", " ").split("\n"):
                text = substitute_braces(line.strip().removeprefix("-").strip(), sections, posargs, 0)
                out.extend((part, home) for part in text.split("\n") if part.strip())
    return list(dict.fromkeys(out))


def parse_ini(text: str) -> dict[str, dict[str, str]]:
    """Sections, keys and values over several lines."""
    sections: dict[str, dict[str, str]] = {}
    section: dict[str, str] = {}
    key = ""
    for line in text.split("\n"):
        bare = line.strip()
        if not bare or bare[0] in "#;":
            continue
        if line[0] in " \t" and key:
            if len(section[key]) < MAX_VALUE_CHARS:
                section[key] = (section[key] + "\n" + bare).strip("\n")
        elif bare[0] == "[" and bare[-1] == "]":
            section = sections.setdefault(bare[1:-1].strip(), {})
            key = ""
        else:
            name, _, value = bare.partition("=")
            key = name.strip()
            section[key] = value.strip()
    return sections


def substitute_braces(text: str, sections: dict[str, dict[str, str]], posargs: str, depth: int) -> str:
    """Substitute {posargs:default} and {[section]key}; other braces are tox's folders and stay unknown."""
    if "{" not in text or depth > MAX_DEPTH:
        return text
    before, _, rest = text.partition("{")
    inner, closed, after = rest.partition("}")
    if not closed:
        return text
    if inner == "posargs" or inner.startswith("posargs:"):
        value = posargs.strip() or inner.partition(":")[2]
    elif inner[:1] == "[":
        section, _, key = inner[1:].partition("]")
        value = substitute_braces(sections.get(section, {}).get(key, ""), sections, posargs, depth + 1)
    elif inner in {"toxinidir", "tox_root"}:
        value = "."
    else:
        value = "$TOX_" + "".join([c if c.isalnum() else "_" for c in inner.partition(":")[0].upper()])
    return before + value + substitute_braces(after, sections, posargs, depth + 1)


# -- nox -------------------------------------------------------------------------------------------------------------


def resolve_nox(project: Project, call: Call, folder: str) -> list[tuple[str, str]]:
    if call.has_flag("-l", "--list", "--list-sessions", "--help", "-h", "--version"):
        return []
    file = call.option("-f", "--noxfile") or Word("noxfile.py")
    path = join_path(folder, file)
    sessions = project.parse_file(path, parse_noxfile)
    if not sessions:
        return []
    home = path.rpartition("/")[0] or "/"
    chosen = list(call.words)
    names: list[str] = []
    for flag in ("-s", "--session", "--sessions", "-e"):
        if flag in chosen:
            for word in chosen[chosen.index(Word(flag)) + 1 :]:
                if word[:1] == "-":
                    break
                names.append(word.partition("-3")[0].partition("(")[0])
    posargs = quote_words(chosen[chosen.index(Word("--")) + 1 :]) if "--" in chosen else ""
    out: list[tuple[str, str]] = []
    for name, lines in sessions.items():
        if not names or name in names:
            out.extend((line.replace(" $NOX_POSARGS", posargs), home) for line in lines)
    return out


def parse_noxfile(text: str) -> dict[str, list[str]]:
    """Session → the commands that it runs, read from the syntax tree; nothing is executed."""
    try:
        tree: Any = compile(text, "noxfile.py", "exec", ONLY_AST, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    sessions: dict[str, list[str]] = {}
    for node in tree.body:
        if node.__class__.__name__ != "FunctionDef" or not node.decorator_list:
            continue
        name = node.name
        for decorator in node.decorator_list:
            for keyword in getattr(decorator, "keywords", ()):
                if keyword.arg == "name" and keyword.value.__class__.__name__ == "Constant":
                    name = str(keyword.value.value)
        sessions[name] = [line for line in map(format_session_line, find_calls(node.body, 0)) if line]
    return sessions


def find_calls(body: Any, depth: int) -> list[Any]:
    """The calls in statements, also inside if, for and with."""
    found: list[Any] = []
    if depth > MAX_DEPTH:
        return found
    for node in body:
        value = getattr(node, "value", None)
        if value.__class__.__name__ == "Call":
            found.append(value)
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(node, name, None)
            if inner.__class__ is list:
                found.extend(find_calls(inner, depth + 1))
    return found


def format_session_line(call: Any) -> str:
    """`session.run("pytest", "-q", *session.posargs)` → `pytest -q …`; `session.install` → pip install."""
    method = getattr(call.func, "attr", "")
    if method not in {"run", "run_always", "install", "run_install"}:
        return ""
    words = ["pip install"] if method == "install" else []
    for argument in call.args:
        kind = argument.__class__.__name__
        if kind == "Constant" and argument.value.__class__ is str:
            words.append(quote_words([Word(argument.value)]).strip())
        elif kind == "Starred" and getattr(argument.value, "attr", "") == "posargs":
            words.append("$NOX_POSARGS")
        else:
            words.append("$NOX_VALUE")
    return " ".join(words)
