"""Match `if`: the permission rule that a tool call has to match before its handler starts.

rule, payload → [why_not] → None if it matches, else the reason
Measured on the client. `if` saves starts and is no security boundary: a command that the client cannot split matches
every rule with an argument.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from hookwright.engine.shell_split import Visibility, split_command
from hookwright.protocol.tool_names import TOOL_EVENTS
from hookwright.protocol.tools import LEGACY_NAMES

FILE_KEYS = {"Read": "file_path", "Write": "file_path", "Edit": "file_path", "NotebookEdit": "notebook_path"}
ANYTHING = frozenset(("", "*", "**"))
ONE_WORD = re.compile(r"[^\s*]+(?::\*| \*|\*)")


def why_not(event: str, rule: Any, payload: Mapping[str, Any], *, project: str, home: str) -> str | None:
    """None if the handler may start. An empty rule counts as no rule."""
    if not isinstance(rule, str) or not rule:
        return None
    if event not in TOOL_EVENTS:
        return f'it has "if", which only works on tool events; on {event} it never runs'
    if rule_matches(rule, payload, project=project, home=home):
        return None
    return f'the call does not match its "if": {rule}'


def rule_matches(rule: str, payload: Mapping[str, Any], *, project: str, home: str) -> bool:
    tool, content = parse_rule(rule)
    name = payload.get("tool_name")
    if LEGACY_NAMES.get(tool, tool) != name:
        return False
    if content is None or (name == "Bash" and content in ANYTHING):
        return True
    given = payload.get("tool_input")
    if not isinstance(given, dict):
        return False
    if name == "Bash":
        return command_matches(content, str(given.get("command", "")))
    key = FILE_KEYS.get(str(name))
    if key is None or not isinstance(given.get(key), str):
        return False  # the client compares the input of no other tools
    cwd = str(payload.get("cwd") or project)
    return path_matches(content, os.path.join(cwd, given[key]), cwd=cwd, project=project, home=home)


def parse_rule(rule: str) -> tuple[str, str | None]:
    """Split `Tool(content)` at the first and the last parenthesis; anything else is a tool name."""
    tool, opening, rest = rule.partition("(")
    return (tool, rest[:-1]) if opening and rest.endswith(")") else (rule, None)


# --- commands
def command_matches(content: str, command: str) -> bool:
    """True if one of the simple commands matches, or if the client cannot split the command."""
    found = split_command(command)
    if found.visibility is Visibility.NONE or (
        found.visibility is Visibility.PARTIAL and ONE_WORD.fullmatch(content) is None
    ):
        return True
    pattern = command_pattern(content)
    return any(pattern.fullmatch(text) for text in found.texts)


@lru_cache(maxsize=256)
def command_pattern(content: str) -> re.Pattern[str]:
    """`git:*` and `git *` also match `git` alone; a star elsewhere matches any text. Repeated spaces count as one."""
    if not content.endswith(":*"):
        content = " ".join(content.split())
    head, tail = content, ""
    for ending in (":*", " *"):
        if content.endswith(ending):
            head, tail = content[: -len(ending)], r"(?: .*)?"
            break
    return re.compile(".*".join(map(re.escape, head.split("*"))) + tail, re.DOTALL)


# --- files
def path_matches(content: str, path: str, *, cwd: str, project: str, home: str) -> bool:
    """A .gitignore pattern, relative to the current directory; `/` is the project, `~/` the home, `//` the root."""
    if content in ANYTHING:
        return True
    if content.startswith("//"):
        root, pattern = "/", content[1:]
    elif content.startswith("~/"):
        root, pattern = home, content[1:]
    elif content.startswith("/"):
        root, pattern = project, content
    else:
        root, pattern = cwd, content
    inside = os.path.relpath(os.path.normpath(path), root or "/")
    if inside == os.pardir or inside.startswith(os.pardir + os.sep):
        return False
    return ignore_pattern(pattern).fullmatch(inside) is not None


@lru_cache(maxsize=256)
def ignore_pattern(pattern: str) -> re.Pattern[str]:
    """Translate a .gitignore pattern. A folder that matches includes everything in it."""
    text = pattern.removeprefix("./")
    if text.startswith("!"):
        return re.compile(r"(?!)")
    whole = text.removesuffix("/**")
    only_inside = whole.endswith("/") and whole == text
    anchored = whole != text or "/" in text.rstrip("/")
    start = "" if anchored else r"(?:.*/)?"
    end = r"/.+" if only_inside else r"(?:/.*)?"
    try:
        return re.compile(start + "".join(map(_translate_glob, GLOB.findall(whole.strip("/")))) + end, re.DOTALL)
    except re.error:
        return re.compile(r"(?!)")


GLOB = re.compile(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]]*\]|\\.|.", re.DOTALL)


def _translate_glob(token: str) -> str:
    if token.startswith("[") and len(token) > 1:
        return "[" + token[1:].replace("\\", "\\\\").replace("!", "^", 1 if token[1] == "!" else 0)
    known = {"**/": r"(?:.*/)?", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
    return known.get(token) or re.escape(token[1:] if token.startswith("\\") and len(token) > 1 else token)
