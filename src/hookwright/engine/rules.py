"""`if`: one permission rule that a tool call has to fit before its handler starts.

rule, payload → [why_not] → None if it fits, else why it does not
Measured on the client. A cost filter and no gate: what the client cannot split fits every rule with an argument.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from hookwright.engine.splitting import Sight, split
from hookwright.protocol.tools import LEGACY_NAMES
from hookwright.settings.check import TOOL_EVENTS

FILE_KEYS = {"Read": "file_path", "Write": "file_path", "Edit": "file_path", "NotebookEdit": "notebook_path"}
ANYTHING = frozenset(("", "*", "**"))
ONE_WORD = re.compile(r"[^\s*]+(?::\*| \*|\*)")


def why_not(event: str, rule: Any, payload: Mapping[str, Any], *, project: str, home: str) -> str | None:
    """None: the handler may start. An empty rule is none."""
    if not isinstance(rule, str) or not rule:
        return None
    if event not in TOOL_EVENTS:
        return f'it has "if", which only tool events know; on {event} it never runs'
    if fits(rule, payload, project=project, home=home):
        return None
    return f'the call does not fit its "if": {rule}'


def fits(rule: str, payload: Mapping[str, Any], *, project: str, home: str) -> bool:
    tool, content = parsed(rule)
    name = payload.get("tool_name")
    if LEGACY_NAMES.get(tool, tool) != name:
        return False
    if content is None or (name == "Bash" and content in ANYTHING):
        return True
    given = payload.get("tool_input")
    if not isinstance(given, dict):
        return False
    if name == "Bash":
        return command_fits(content, str(given.get("command", "")))
    key = FILE_KEYS.get(str(name))
    if key is None or not isinstance(given.get(key), str):
        return False  # of other tools the client does not look at the input
    cwd = str(payload.get("cwd") or project)
    return path_fits(content, os.path.join(cwd, given[key]), cwd=cwd, project=project, home=home)


def parsed(rule: str) -> tuple[str, str | None]:
    """`Tool(content)`, from the first parenthesis to the last; anything else is a name."""
    tool, opening, rest = rule.partition("(")
    return (tool, rest[:-1]) if opening and rest.endswith(")") else (rule, None)


# --- commands
def command_fits(content: str, command: str) -> bool:
    """One simple command in it has to fit, or the client cannot tell."""
    found = split(command)
    if found.sight is Sight.NONE or (found.sight is Sight.PARTLY and ONE_WORD.fullmatch(content) is None):
        return True
    pattern = command_pattern(content)
    return any(pattern.fullmatch(text) for text in found.texts)


@lru_cache(maxsize=256)
def command_pattern(content: str) -> re.Pattern[str]:
    """`git:*` and `git *` also mean `git` alone; a star elsewhere is any text. Several blanks are one."""
    if not content.endswith(":*"):
        content = " ".join(content.split())
    head, tail = content, ""
    for ending in (":*", " *"):
        if content.endswith(ending):
            head, tail = content[: -len(ending)], r"(?: .*)?"
            break
    return re.compile(".*".join(map(re.escape, head.split("*"))) + tail, re.DOTALL)


# --- files
def path_fits(content: str, path: str, *, cwd: str, project: str, home: str) -> bool:
    """The language of .gitignore: from the working folder, `/` the project, `~/` the home, `//` the root."""
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
    """A line of .gitignore. What is in a folder that fits, fits."""
    text = pattern.removeprefix("./")
    if text.startswith("!"):
        return re.compile(r"(?!)")
    whole = text.removesuffix("/**")
    only_inside = whole.endswith("/") and whole == text
    anchored = whole != text or "/" in text.rstrip("/")
    start = "" if anchored else r"(?:.*/)?"
    end = r"/.+" if only_inside else r"(?:/.*)?"
    try:
        return re.compile(start + "".join(map(_glob, GLOB.findall(whole.strip("/")))) + end, re.DOTALL)
    except re.error:
        return re.compile(r"(?!)")


GLOB = re.compile(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]]*\]|\\.|.", re.DOTALL)


def _glob(token: str) -> str:
    if token.startswith("[") and len(token) > 1:
        return "[" + token[1:].replace("\\", "\\\\").replace("!", "^", 1 if token[1] == "!" else 0)
    said = {"**/": r"(?:.*/)?", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
    return said.get(token) or re.escape(token[1:] if token.startswith("\\") and len(token) > 1 else token)
