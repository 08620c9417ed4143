"""Which handlers run on an event: those of all scopes that match, each once; for the others, why not.

settings.load → [effective] → Effective; with a payload → [choose] → Choice per handler
Nothing is started here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hookwright.engine import matching, rules
from hookwright.engine.types import Handler, Payload
from hookwright.protocol.catalogue import protocol
from hookwright.settings.check import ALL_TYPES
from hookwright.settings.findings import Finding
from hookwright.settings.load import Loaded, Registered

# The client lays the files together in this order, and of equal handlers keeps the last.
ORDER = ("user", "project", "local", "flag", "managed", "plugin", "skill", "command", "agent")
IDENTITY = {
    "command": ("command", "args"),
    "http": ("url",),
    "mcp_tool": ("server", "tool", "input"),
    "prompt": ("prompt", "model"),
    "agent": ("prompt", "model"),
}


@dataclass(frozen=True)
class Effective:
    """What all settings together say about hooks."""

    handlers: tuple[Handler, ...] = ()
    off: tuple[Handler, ...] = ()  # valid, and switched off
    off_because: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)  # the settings' `env`
    allowed_urls: tuple[str, ...] | None = None
    http_env_vars: frozenset[str] | None = None
    model: str = ""  # the session's, as the strongest file names it
    findings: tuple[Finding, ...] = ()  # files and entries that the client drops, and why


@dataclass(frozen=True, slots=True)
class Choice:
    handler: Handler
    why_not: str | None = None


def effective(loaded: Loaded) -> Effective:
    urls, names = (lists(loaded.settings, key) for key in ("allowedHttpHookUrls", "httpHookAllowedEnvVars"))
    return Effective(
        handlers=_ordered(loaded.entries),
        off=_ordered(loaded.off),
        off_because="; ".join(finding.what for finding in loaded.findings if finding.code == "hooks-off"),
        environment=environment(loaded.settings),
        allowed_urls=None if urls is None else tuple(urls),
        http_env_vars=None if names is None else frozenset(names),
        model=next((data["model"] for data in loaded.settings if isinstance(data.get("model"), str)), ""),
        findings=tuple(loaded.findings),
    )


def environment(settings: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The `env` of all settings files; the strongest, which comes first, has the last word."""
    found: dict[str, str] = {}
    for data in reversed(settings):
        values = data.get("env")
        if isinstance(values, dict):
            found.update({name: str(value) for name, value in values.items()})
    return found


def lists(settings: Sequence[Mapping[str, Any]], key: str) -> list[str] | None:
    """Lists of all files add up; None if no file has one."""
    lists = [data[key] for data in settings if isinstance(data.get(key), list)]
    return [item for one in lists for item in one if isinstance(item, str)] if lists else None


def _ordered(found: Iterable[Registered]) -> tuple[Handler, ...]:
    handlers = [_handler(registered) for registered in found]
    return tuple(sorted(handlers, key=lambda handler: ORDER.index(handler.scope)))


def _handler(registered: Registered) -> Handler:
    entry, source = registered.entry, registered.source
    line = entry.where.rpartition(":")[2]
    return Handler(
        type=entry.handler["type"],
        event=entry.event,
        scope=source.scope,
        file=source.path,
        line=int(line) if line.isdigit() else None,
        matcher=entry.matcher,
        options=entry.handler,
        root=source.root,
        name=source.name,
    )


# --- one event
def choose(found: Effective, payload: Payload, *, project: str, home: str, skills: Iterable[str] = ()) -> list[Choice]:
    """Every handler of this event, in the client's order."""
    event = payload["hook_event_name"]
    choices = [
        Choice(handler, _why_not(handler, payload, project=project, home=home, skills=frozenset(skills)))
        for handler in found.handlers
        if _listens(handler, event)
    ]
    off = [Choice(handler, found.off_because) for handler in found.off if _listens(handler, event)]
    return [*_once(choices), *off]


def _listens(handler: Handler, event: str) -> bool:
    """An agent's own Stop is the end of a subagent to everybody else."""
    if handler.scope == "agent" and handler.event == "Stop":
        return event == "SubagentStop"
    return handler.event == event


def _why_not(handler: Handler, payload: Payload, *, project: str, home: str, skills: frozenset[str]) -> str | None:
    event = payload["hook_event_name"]
    if handler.scope in ("skill", "command") and handler.name not in skills:
        return f"the {handler.scope} {handler.name} has not been used in this session"
    if handler.scope == "agent" and payload.get("agent_type") != handler.name:
        return f"it runs only inside the agent {handler.name}"
    able = [word for word in protocol()["events"][event]["handler_types"] if word in ALL_TYPES]
    if len(able) > 1 and handler.type not in able:
        return f"Claude Code does not call {handler.type} handlers on {event}"
    return matching.why_not(event, handler.matcher, payload) or rules.why_not(
        event, handler.options.get("if"), payload, project=project, home=home
    )


def _once(choices: list[Choice]) -> list[Choice]:
    """Of equal handlers only the last runs."""
    last = {_identity(choice.handler): choice.handler for choice in choices if choice.why_not is None}
    return [
        choice
        if choice.why_not is not None or last[_identity(choice.handler)] is choice.handler
        else Choice(choice.handler, f"the same as {last[_identity(choice.handler)].where}, which runs")
        for choice in choices
    ]


def _identity(handler: Handler) -> str:
    """What makes two handlers one: what they run, and on which condition. Plugins and managed files stand apart."""
    what = [handler.options.get(key) for key in IDENTITY[handler.type]]
    return json.dumps(
        [handler.scope == "managed", handler.type, handler.root, handler.options.get("if") or "", *what], sort_keys=True
    )


# --- addresses
def is_allowed(url: str, patterns: Iterable[str] | None) -> bool:
    """allowedHttpHookUrls; a star stands for any text."""
    if patterns is None:
        return True
    return any(re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), url, re.DOTALL) for pattern in patterns)
