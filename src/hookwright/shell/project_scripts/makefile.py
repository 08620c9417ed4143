"""Targets of a Makefile: variables, prerequisites first, recipe lines as the shell gets them.

find_script.py → [resolve_task] → recipe lines
Both branches of a conditional are taken; the results of make's functions are unknown.
"""

from __future__ import annotations

from hookwright.shell.call import join_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.shell.call import Call
    from hookwright.shell.project_scripts.find_script import Project

VALUED = (
    "-C",
    "-f",
    "-I",
    "-j",
    "-l",
    "-o",
    "-W",
    "--directory",
    "--file",
    "--makefile",
    "--include-dir",
    "--old-file",
)
FILES = ("GNUmakefile", "makefile", "Makefile")
CONDITIONALS = ("ifeq", "ifneq", "ifdef", "ifndef", "else", "endif")
MAX_RULES = 200  # rules followed for one call
MAX_DEPTH = 16
MAX_LINE_CHARS = 8192  # of an expanded line
MAX_EXPANDED_CHARS = 1 << 18  # read while the variables of one call are expanded
MAX_VALUE_CHARS = 1 << 16  # of one variable


class Variables(dict[str, str]):
    """Variables by name, and how many characters may still be read to expand them: each may name others twice."""

    left = MAX_EXPANDED_CHARS


def resolve_task(project: Project, call: Call, folder: str) -> list[tuple[str, str]]:
    if call.has_flag("-n", "--just-print", "--dry-run", "--recon", "-q", "--question", "-t", "--touch", "-h", "--help"):
        return []
    if call.has_flag("-v", "--version", "-p", "--print-data-base"):
        return []
    for where in call.options("-C", "--directory"):
        if not where.literal:
            return []
        folder = join_path(folder, where)
    makefile = load_makefile(project, call, folder)
    if makefile is None:
        return []
    variables = Variables(makefile["variables"])
    targets = []
    for word in call.operands(*VALUED[3:], "-f", "-C", "-I"):
        name, equals, value = word.partition("=")
        if equals:
            variables[name.rstrip(":")] = value
        elif word.literal:
            targets.append(str(word))
        else:
            return []
    if not targets and makefile["first"]:
        targets = [makefile["first"]]
    rules = makefile["rules"]
    if any("$" in name for name in rules):
        rules = {name: entry for names, entry in rules.items() for name in expand_text(names, variables, {}, 0).split()}
    lines: list[str] = []
    done: set[str] = set()
    for target in targets:
        collect_recipe_lines(rules, variables, target, lines, done, 0)
    return [(line, folder) for line in lines]


def load_makefile(project: Project, call: Call, folder: str) -> Any:
    names = [str(word) for word in call.options("-f", "--file", "--makefile")] or FILES
    for name in names:
        found = project.parse_file(join_path(folder, name), parse_makefile)
        if found is not None:
            break
    else:
        return None
    merged = {"variables": dict(found["variables"]), "rules": dict(found["rules"]), "first": found["first"]}
    variables = Variables(found["variables"])
    for name in found["includes"][:16]:
        more = project.parse_file(join_path(folder, expand_text(name, variables, {}, 0)), parse_makefile)
        if more is not None:
            merged["variables"] = {**more["variables"], **merged["variables"]}
            merged["rules"] = {**more["rules"], **merged["rules"]}
            merged["first"] = merged["first"] or more["first"]
    return merged


def parse_makefile(text: str) -> dict[str, Any]:
    """Variables, rules (target → [prerequisites, recipe lines]), included files and the first target."""
    variables: dict[str, str] = {}
    rules: dict[str, list[list[str]]] = {}
    includes: list[str] = []
    first = ""
    current: list[str] = []
    raw = text.split("\n")
    index = 0
    defining = ""
    defined: list[str] = []
    while index < len(raw):
        line, index = join_continued(raw, index)
        bare = line.strip()
        if defining:
            if bare == "endef":
                variables[defining] = "\n".join(defined)
                defining = ""
            else:
                defined.append(line)
            continue
        if line[:1] == "\t" and current:
            for target in current:
                rules[target][1].append(line[1:])
            continue
        if not bare or bare[0] == "#" or bare.split(None, 1)[0].split("(")[0] in CONDITIONALS:
            continue
        head = strip_comment(bare)
        if head.startswith(("include ", "-include ", "sinclude ")):
            includes.extend(head.split()[1:])
        elif head.startswith("define "):
            defining = head.split()[1].rstrip("=")
            defined = []
        elif parse_assignment(head, variables):
            current = []
        else:
            current = parse_rule(head, rules)
            if not first:
                first = next((name for name in current if name[:1] != "." and "%" not in name), "")
    return {"variables": variables, "rules": rules, "includes": includes, "first": first}


def join_continued(raw: list[str], index: int) -> tuple[str, int]:
    """The line at this index, with the lines that backslashes join to it, and the index of the next one."""
    line = raw[index]
    index += 1
    if not line.endswith("\\"):
        return line, index
    recipe = line[:1] == "\t"
    parts = [line]
    while parts[-1].endswith("\\") and index < len(raw):
        if recipe:
            parts.append(raw[index].removeprefix("\t"))
        else:
            parts[-1] = parts[-1][:-1].rstrip()
            parts.append(raw[index].lstrip())
        index += 1
    return ("\n" if recipe else " ").join(parts), index


def strip_comment(line: str) -> str:
    at = line.find(" #")
    return line[:at].rstrip() if at >= 0 else line


def parse_assignment(line: str, variables: dict[str, str]) -> bool:
    """`X = y`, `X := y`, `X ?= y`, `X += y`, with `export` or `override` before it."""
    for prefix in ("export ", "override ", "private "):
        line = line.removeprefix(prefix)
    name, equals, value = line.partition("=")
    if not equals:
        return line == "export" or line.startswith(("unexport", "undefine", "vpath "))
    operator = ""
    while name and name[-1] in ":?+!":
        operator = name[-1] + operator
        name = name[:-1]
    name = name.strip()
    if not name or " " in name or ":" in name:
        return False
    value = value.strip()
    if operator == "+":
        before = variables.get(name, "")
        if len(before) < MAX_VALUE_CHARS:
            variables[name] = (before + " " + value).strip()
    elif operator != "?" or name not in variables:
        if operator in {":", "::"} and "$(" + name + ")" in value:
            value = value.replace("$(" + name + ")", variables.get(name, ""))
        variables[name] = value
    return True


def parse_rule(line: str, rules: dict[str, list[list[str]]]) -> list[str]:
    """Parse `targets: prerequisites ; recipe`; returns the targets."""
    names, colon, rest = line.partition(":")
    if not colon:
        return []
    rest = rest.removeprefix(":")
    prerequisites, semicolon, recipe = rest.partition(";")
    if "=" in prerequisites:
        return []  # a variable for one target
    if ":" in prerequisites:  # a static pattern: targets: %.o: %.c
        prerequisites = prerequisites.partition(":")[2]
    found = names.split()
    for name in found:
        entry = rules.setdefault(name, [[], []])
        entry[0].extend(word for word in prerequisites.split() if word != "|")
        if semicolon and recipe.strip():
            entry[1].append(recipe.strip())
    return found


def collect_recipe_lines(
    rules: Any, variables: Variables, target: str, lines: list[str], done: set[str], depth: int
) -> None:
    """Append the recipe of a target after those of its prerequisites."""
    if target in done or depth > MAX_DEPTH or len(done) > MAX_RULES:
        return
    done.add(target)
    stem = ""
    entry = rules.get(target)
    if entry is None or not entry[1]:
        for pattern, candidate in rules.items():
            before, percent, after = pattern.partition("%")
            if (
                percent
                and target.startswith(before)
                and target.endswith(after)
                and len(target) >= len(before) + len(after)
            ):
                stem = target[len(before) : len(target) - len(after)]
                entry = candidate if entry is None else [entry[0] + candidate[0], candidate[1]]
                break
    if entry is None:
        return
    prerequisites = []
    for written in entry[0]:
        prerequisites.extend(expand_text(written.replace("%", stem) if stem else written, variables, {}, 0).split())
    for name in prerequisites:
        collect_recipe_lines(rules, variables, name, lines, done, depth + 1)
    automatic = {
        "@": target,
        "<": prerequisites[0] if prerequisites else "",
        "^": " ".join(prerequisites),
        "+": " ".join(prerequisites),
        "?": " ".join(prerequisites),
        "*": stem,
        "@D": target.rpartition("/")[0] or ".",
        "@F": target.rpartition("/")[2],
    }
    for written in entry[1]:
        for line in expand_text(written, variables, automatic, 0).split("\n\n"):
            text = line.strip().lstrip("@-+ \t")
            if text and text[0] != "#":
                lines.append(text)


def expand_text(text: str, variables: Variables, automatic: dict[str, str], depth: int) -> str:
    """$(X), ${X} and $@ replaced; `$$` is the shell's own $; functions of make become an unknown variable."""
    if "$" not in text:
        return text
    variables.left -= len(text)
    if variables.left < 0:
        return "$MAKE_TOO_LONG"
    out: list[str] = []
    i = 0
    while i < len(text):
        dollar = text.find("$", i)
        if dollar < 0 or dollar + 1 >= len(text):
            out.append(text[i:])
            break
        out.append(text[i:dollar])
        c = text[dollar + 1]
        i = dollar + 2
        if c == "$":
            out.append("$")
        elif c in "({":
            end = find_closing(text, dollar + 1)
            if end < 0:
                break
            out.append(expand_variable(text[i:end], variables, automatic, depth))
            i = end + 1
        else:
            out.append(automatic.get(c, variables.get(c, "")))
        if sum(map(len, out[-4:])) > MAX_LINE_CHARS:
            break
    return "".join(out)[:MAX_LINE_CHARS]


def find_closing(text: str, start: int) -> int:
    opening = text[start]
    close = ")" if opening == "(" else "}"
    level = 0
    for index in range(start, min(len(text), start + MAX_LINE_CHARS)):
        if text[index] == opening:
            level += 1
        elif text[index] == close:
            level -= 1
            if level == 0:
                return index
    return -1


def expand_variable(name: str, variables: Variables, automatic: dict[str, str], depth: int) -> str:
    if depth > MAX_DEPTH:
        return "$MAKE_TOO_DEEP"
    if name in automatic:
        return automatic[name]
    if name in variables:
        return expand_text(variables[name], variables, automatic, depth + 1)
    if name == "MAKE":
        return "make"
    if name in {"CURDIR", "PWD"}:
        return "."
    if name == "HOME":
        return "$HOME"
    if name in {"RM", "CC", "CXX", "AR", "LD", "AS", "SHELL"}:
        return {"RM": "rm -f", "SHELL": "/bin/sh", "CXX": "g++"}.get(name, name.lower())
    function, blank, rest = name.partition(" ")
    if blank:
        inner = expand_text(rest, variables, automatic, depth + 1)
        if function == "shell":
            return "$(" + inner + ")"
        if function in {"strip", "sort", "firstword", "abspath", "realpath", "info", "warning"}:
            return inner if function not in {"info", "warning"} else ""
        return "$MAKE_" + function.upper().replace("-", "_") if function.replace("-", "").isalnum() else ""
    if ":" in name and "=" in name:  # $(X:.c=.o)
        return "$MAKE_" + name.partition(":")[0]
    return "$" + name if name.isidentifier() else ""
