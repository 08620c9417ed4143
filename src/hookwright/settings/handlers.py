"""What a handler must look like, or the client drops it. Measured field by field on Claude Code 2.1.325.

settings file → rules → [this] → a problem in words, or None
Fields of other types and unknown fields are never looked at: the client does not, either.
"""

from __future__ import annotations

import ipaddress
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote


@dataclass(frozen=True, slots=True)
class Problem:
    code: str
    what: str
    fix: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    fits: Callable[[Any], bool]
    wanted: str
    required: bool = False


def problem(handler: Any) -> Problem | None:
    """The first thing that makes the client drop this handler."""
    if not isinstance(handler, dict):
        return Problem("handler-not-object", f"a handler must be an object, not {shown(handler)}", "write {…}")
    kind = handler.get("type")
    if not isinstance(kind, str) or kind not in TYPES:
        what = f"unknown handler type {shown(kind)}" if "type" in handler else 'the handler has no "type"'
        return Problem("handler-type", what, f"one of {', '.join(TYPES)}", "type")
    for name, field in {**TYPES[kind], **COMMON}.items():
        if name not in handler:
            if field.required:
                what = f'a {kind} handler needs "{name}"'
                return Problem("handler-incomplete", what, f'add "{name}": {field.wanted}', name)
        elif not field.fits(handler[name]):
            code = "timeout-invalid" if name == "timeout" else "handler-field"
            what = f'"{name}" must be {field.wanted}, not {shown(handler[name])}'
            return Problem(code, what, f'correct "{name}" or remove it', name)
    return None


def shown(value: Any) -> str:
    """A value short enough for a sentence."""
    import json  # noqa: PLC0415 - only a finding needs it

    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= 40 else text[:37] + "…"


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_url(value: Any) -> bool:
    """As the WHATWG rules have it: `localhost:80` is a URL (of scheme localhost), `/x` is none."""
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


def is_above_zero(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < math.inf


def is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def is_text_map(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_text, value.values()))


TEXT = Field(is_text, "a text")
NEEDED = Field(is_text, "a text", required=True)
FILLED = Field(lambda value: is_text(value) and value != "", "a text that is not empty")
TEXTS = Field(is_texts, "a list of texts")
FLAG = Field(lambda value: isinstance(value, bool), "true or false")
ON_FAILURE = Field(lambda value: value in ("continue", "block"), '"continue" or "block"')
COMMON: Mapping[str, Field] = {
    "timeout": Field(is_above_zero, "a number of seconds above 0"),
    "if": TEXT,
    "statusMessage": TEXT,
    "once": FLAG,
}
TYPES: Mapping[str, Mapping[str, Field]] = {
    "command": {
        "command": NEEDED,
        "args": TEXTS,
        "shell": Field(lambda value: value in ("bash", "powershell"), '"bash" or "powershell"'),
        "async": FLAG,
        "asyncRewake": FLAG,
        "rewakeMessage": FILLED,
        "rewakeSummary": FILLED,
        "onFailure": ON_FAILURE,
    },
    "http": {
        "url": Field(is_url, "a URL", required=True),
        "headers": Field(is_text_map, "an object of texts"),
        "allowedEnvVars": TEXTS,
        "onFailure": ON_FAILURE,
    },
    "mcp_tool": {"server": NEEDED, "tool": NEEDED, "input": Field(lambda value: isinstance(value, dict), "an object")},
    "prompt": {"prompt": NEEDED, "model": TEXT, "continueOnBlock": FLAG},
    "agent": {"prompt": NEEDED, "model": TEXT},
}
