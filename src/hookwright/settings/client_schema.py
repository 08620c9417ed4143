"""Validate settings and handlers by the client's own types, which are data: client_schema.toml.

client_validation → [find_setting_type, find_permission_type, find_handler_problem] → what is wrong, or None
Each type is one row of TYPES: how to test a value, and what to call the type in a message.
"""

from __future__ import annotations

import ipaddress
import json
import math
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from urllib.parse import unquote

HANDLER_TYPES = ("command", "http", "mcp_tool", "prompt", "agent")


@dataclass(frozen=True, slots=True)
class Problem:
    code: str
    what: str
    fix: str


@cache
def load_schema() -> Mapping[str, Any]:
    with open(__file__.removesuffix(".py") + ".toml", "rb") as file:
        return tomllib.load(file)


# --- settings beside "hooks"
def find_setting_type(key: str, value: Any) -> str | None:
    """The type that the client expects of this top-level key, in words; None if the value has it."""
    settings = load_schema()["settings"]
    return None if value is None and key in settings["nullable"] else _find_expected(settings, key, value)


def find_permission_type(key: str, value: Any) -> str | None:
    """The same for a member of `permissions`."""
    return _find_expected(load_schema()["permissions"], key, value)


def _find_expected(section: Mapping[str, Any], key: str, value: Any) -> str | None:
    rules = [section["choices"][key]] if key in section["choices"] else []
    rules += [name for name in TYPES if key in section.get(name, ())]
    return next((describe_type(rule) for rule in rules if not has_type(rule, value)), None)


# --- handlers
def find_handler_problem(handler: Any) -> Problem | None:
    """The first thing that makes the client drop this handler."""
    if not isinstance(handler, dict):
        return Problem("handler-not-object", f"a handler must be an object, not {format_value(handler)}", "write {…}")
    kind = handler.get("type")
    if not isinstance(kind, str) or kind not in HANDLER_TYPES:
        what = f"unknown handler type {format_value(kind)}" if "type" in handler else 'the handler has no "type"'
        return Problem("handler-type", what, f"one of {', '.join(HANDLER_TYPES)}")
    for name, rule, is_required in _list_fields(kind):
        if name not in handler:
            if is_required:
                what = f'a {kind} handler needs "{name}"'
                return Problem("handler-incomplete", what, f'add "{name}": {describe_type(rule)}')
        elif not has_type(rule, handler[name]):
            code = "timeout-invalid" if name == "timeout" else "handler-field"
            what = f'"{name}" must be {describe_type(rule)}, not {format_value(handler[name])}'
            return Problem(code, what, f'correct "{name}" or remove it')
    return None


def _list_fields(kind: str) -> Iterator[tuple[str, Any, bool]]:
    """Name, type and whether it is required; a `!` after a type's name says so."""
    schema = load_schema()
    for name, rule in {**schema["handlers"][kind], **schema["common-fields"]}.items():
        if isinstance(rule, str):
            yield name, rule.removesuffix("!"), rule.endswith("!")
        else:
            yield name, rule, False


# --- types: a name in TYPES, or the list of values that are allowed
def has_type(rule: Any, value: Any) -> bool:
    return TYPES[rule][0](value) if isinstance(rule, str) else isinstance(value, str) and value in rule


def describe_type(rule: Any) -> str:
    if isinstance(rule, str):
        return TYPES[rule][1]
    words = [f'"{word}"' for word in rule]
    return " or ".join(words) if len(words) < 3 else "one of " + ", ".join(words)


def format_value(value: Any) -> str:
    """A value as JSON, short enough for a sentence."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 40 else text[:37] + "…"


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_string(value: Any) -> bool:
    return isinstance(value, str)


def is_object(value: Any) -> bool:
    return isinstance(value, dict)


def is_list_of(member: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(member, value))


def is_status_line(value: Any) -> bool:
    return isinstance(value, dict) and value.get("type") == "command" and isinstance(value.get("command"), str)


def is_url(value: Any) -> bool:
    """By the WHATWG rules: `localhost:80` is a URL (of scheme localhost), `/x` is none."""
    if not isinstance(value, str):
        return False
    found = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", value.strip("".join(map(chr, range(33)))), re.DOTALL)
    if found is None:
        return False
    if found[1].lower() not in ("http", "https", "ws", "wss", "ftp"):
        return True
    authority = re.split(r"[/\\?#]", found[2].lstrip("/\\"), maxsplit=1)[0].rpartition("@")[2]
    parts = re.fullmatch(r"(\[[^\]]*\]|[^:\[]*)(?::(.*))?", authority, re.DOTALL)
    return parts is not None and bool(parts[1]) and _is_port(parts[2] or "") and _is_host(parts[1])


def _is_port(port: str) -> bool:
    return not port or (port.isascii() and port.isdigit() and int(port) <= 65535)


def _is_host(host: str) -> bool:
    if host.startswith("["):
        return _is_address(host[1:-1], ipaddress.IPv6Address)
    host = unquote(host)
    if re.search(r"[\x00-\x20#%/:<>?@\[\\\]^|\x7f]", host):
        return False
    last = host.rstrip(".").rpartition(".")[2]
    return _is_address(host.rstrip("."), ipaddress.IPv4Address) if last.isascii() and last.isdigit() else True


def _is_address(text: str, kind: Callable[[str], object]) -> bool:
    try:
        kind(text)
    except ValueError:
        return False
    return True


# A key that is listed under two types (statusLine) must have both; the first that it lacks is named.
TYPES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "string": (is_string, "a string"),
    "non-empty-string": (lambda value: is_string(value) and value != "", "a string that is not empty"),
    "string-list": (is_list_of(is_string), "a list of strings"),
    "object-list": (is_list_of(is_object), "a list of objects"),
    "string-map": (lambda value: is_object(value) and all(map(is_string, value.values())), "an object of strings"),
    "list": (lambda value: isinstance(value, list), "a list"),
    "object": (is_object, "an object"),
    "boolean-or-object": (lambda value: isinstance(value, (bool, dict)), "true, false or an object"),
    "status-line": (is_status_line, 'an object with "type": "command" and a "command"'),
    "positive-integer": (
        lambda value: is_number(value) and value >= 1 and value == value // 1,
        "a whole number from 1 up",
    ),
    "positive-number": (lambda value: is_number(value) and 0 < value < math.inf, "a number of seconds above 0"),
    "fraction": (lambda value: is_number(value) and 0 <= value <= 1, "a number from 0 to 1"),
    "url": (is_url, "a URL"),
}
