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
SHELL_TOOLS = ("Bash", "PowerShell")
ONE_WORD = re.compile(r"\S+:\*|[^\s*]+(?: \*|\*)")


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
    given = payload.get("tool_input")
    if content is None or (name in SHELL_TOOLS and content in ("", "*")):
        return True
    if not isinstance(given, dict):
        return False
    if name in SHELL_TOOLS:
        return command_matches(content, str(given.get("command", "")))
    key = FILE_KEYS.get(str(name))
    if key is None or not isinstance(given.get(key), str):
        return False  # the client compares the input of no other tools
    cwd = str(payload.get("cwd") or project)
    path = home + given[key][1:] if given[key].startswith("~/") else os.path.join(cwd, given[key])
    return path_matches(content, os.path.normpath(path), cwd=cwd, project=project, home=home)


def parse_rule(rule: str) -> tuple[str, str | None]:
    """Split `Tool(content)` at the first and the last parenthesis; anything else is a tool name."""
    tool, opening, rest = rule.partition("(")
    return (tool, rest[:-1]) if opening and rest.endswith(")") else (rule, None)


# --- commands
def command_matches(content: str, command: str) -> bool:
    """True if one of the simple commands matches, or if the client cannot split the command."""
    if content == "**":
        return bool(command)
    found = split_command(command)
    if found.visibility is Visibility.NONE or (
        found.visibility is Visibility.PARTIAL and ONE_WORD.fullmatch(content) is None
    ):
        return True
    pattern = command_pattern(content)
    return any(pattern.fullmatch(text) for text in found.texts)


@lru_cache(maxsize=256)
def command_pattern(content: str) -> re.Pattern[str]:
    """`git:*` is a literal beginning, with `git` alone; else a star matches any text, and `git *` also `git` alone.

    Repeated spaces count as one and blanks at the ends are trimmed, but not in a rule that ends in `:*`.
    """
    if content.endswith(":*"):
        return re.compile(re.escape(content[:-2]) + r"(?: .*)?", re.DOTALL)
    content = " ".join(content.split())
    tail = r"(?: .*)?" if content.endswith(" *") else ""
    return re.compile(_translate_stars(content[:-2] if tail else content) + tail, re.DOTALL)


def _translate_stars(text: str) -> str:
    return ".*".join(map(re.escape, text.split("*")))


# --- files
def path_matches(content: str, path: str, *, cwd: str, project: str, home: str) -> bool:
    """True if the rule fits this absolute path. Three ways, each measured:

    the path itself, letter by letter; a rule that begins with a star, anywhere, its stars matching any text; else a
    .gitignore pattern, ignoring case: relative to the current directory, `/` is the project, `~/` the home, `//` the
    root. A pattern never fits outside of the directory that it is bound to.
    """
    if content in ANYTHING or content == path:
        return True
    if content.startswith("*") and re.fullmatch(_translate_stars(content), path, re.DOTALL):
        return True
    if content.startswith("//"):
        root, pattern = "/", content
    elif content.startswith("~/"):
        root, pattern = home, content[1:]
    elif content.startswith("/"):
        root, pattern = project, content
    else:
        root, pattern = cwd, content
    inside = os.path.relpath(path, root or "/")
    if inside == os.pardir or inside.startswith(os.pardir + os.sep):
        return False
    return ignore_pattern(re.sub(r"/{2,}", "/", pattern)).fullmatch(inside) is not None


NOTHING = re.compile(r"(?!)")


@lru_cache(maxsize=256)
def ignore_pattern(pattern: str) -> re.Pattern[str]:
    """Translate a .gitignore pattern. A folder that matches includes all in it; blanks at the end are trimmed."""
    text = pattern.removeprefix("./").rstrip(" ")
    if text.startswith(("!", "#")) or not text.strip("/"):
        return NOTHING
    whole = text.removesuffix("/**")
    if not whole:
        return re.compile(r".+", re.DOTALL)
    only_inside = whole.endswith("/") and whole == text
    anchored = whole != text or "/" in text.rstrip("/")
    start = "" if anchored else r"(?:.*/)?"
    end = r"/.+" if only_inside else r"(?:/.*)?"
    body = "".join(map(_translate_glob, GLOB.findall(whole.strip("/"))))
    try:
        return re.compile(start + body + end, re.DOTALL | re.IGNORECASE)
    except re.error:
        return NOTHING


GLOB = re.compile(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]]*\]|\\.|.", re.DOTALL)


def _translate_glob(token: str) -> str:
    if token.startswith("[") and len(token) > 1:
        return "[" + token[1:].replace("\\", "\\\\")  # `!` does not negate
    known = {"**/": r"(?:.*/)?", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
    return known.get(token) or re.escape(token[1:] if token.startswith("\\") and len(token) > 1 else token)
