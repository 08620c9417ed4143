"""Select the handlers of an event: those of all scopes that match, each once; with the reason for every other one.

settings.load → [build_effective] → EffectiveSettings; with a payload → [choose_handlers] → one Choice per handler
Starts nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hookwright.engine import matcher, permission_rules
from hookwright.engine.types import Handler, Payload
from hookwright.protocol import client_versions
from hookwright.protocol.client_versions import Version
from hookwright.settings.check import is_type_called
from hookwright.settings.findings import Finding
from hookwright.settings.load import LoadedHooks, RegisteredHandler

# The client merges the files in this order, and of equal handlers keeps the last.
MERGE_ORDER = ("user", "project", "local", "flag", "managed", "plugin", "skill", "command", "agent")
FIELDS_SINCE = {"args": client_versions.EXEC_FORM, "onFailure": client_versions.ON_FAILURE}
IDENTITY_KEYS = {
    "command": ("command", "args"),
    "http": ("url",),
    "mcp_tool": ("server", "tool", "input"),
    "prompt": ("prompt", "model"),
    "agent": ("prompt", "model"),
}


@dataclass(frozen=True)
class EffectiveSettings:
    """The hooks of all settings files together, and the settings that concern them."""

    handlers: tuple[Handler, ...] = ()
    off: tuple[Handler, ...] = ()  # valid but disabled
    off_because: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)  # the settings' `env`
    allowed_urls: tuple[str, ...] | None = None
    http_env_vars: frozenset[str] | None = None
    model: str = ""  # of the session, from the file of highest precedence
    findings: tuple[Finding, ...] = ()  # files and entries that the client drops, and why


@dataclass(frozen=True, slots=True)
class Choice:
    handler: Handler
    why_not: str | None = None


def build_effective(loaded: LoadedHooks, client: Version | None = None) -> EffectiveSettings:
    """What a session of this version of the client has; None: of the newest."""
    entries, off = _known_to(client, loaded.entries), _known_to(client, loaded.off)
    urls, names = (merge_lists(loaded.settings, key) for key in ("allowedHttpHookUrls", "httpHookAllowedEnvVars"))
    return EffectiveSettings(
        handlers=_sort_handlers(entries, client),
        off=_sort_handlers(off, client),
        off_because="; ".join(finding.what for finding in loaded.findings if finding.code == "hooks-off"),
        environment=merge_env(loaded.settings),
        allowed_urls=None if urls is None else tuple(urls),
        http_env_vars=None if names is None else frozenset(names),
        model=next((data["model"] for data in loaded.settings if isinstance(data.get("model"), str)), ""),
        findings=tuple(loaded.findings),
    )


def merge_env(settings: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Merge the `env` of all settings files; the first file has the highest precedence."""
    found: dict[str, str] = {}
    for data in reversed(settings):
        values = data.get("env")
        if isinstance(values, dict):
            found.update({name: str(value) for name, value in values.items()})
    return found


def merge_lists(settings: Sequence[Mapping[str, Any]], key: str) -> list[str] | None:
    """Concatenate the lists of all files; None if no file has one."""
    lists = [data[key] for data in settings if isinstance(data.get(key), list)]
    return [item for one in lists for item in one if isinstance(item, str)] if lists else None


def _known_to(client: Version | None, found: Iterable[RegisteredHandler]) -> list[RegisteredHandler]:
    """Without the files that an old client skips: one event that it does not know costs the whole file."""
    if client_versions.has(client, client_versions.UNKNOWN_EVENT_IGNORED):
        return list(found)
    entries = list(found)
    skipped = {one.source.path for one in entries if not client_versions.knows_event(client, one.entry.event)}
    return [one for one in entries if one.source.path not in skipped]


def _drop_unknown_fields(options: Mapping[str, Any], client: Version | None) -> Mapping[str, Any]:
    """A handler as this version reads it: what it does not know has no effect."""
    unknown = [field for field, feature in FIELDS_SINCE.items() if not client_versions.has(client, feature)]
    return {key: value for key, value in options.items() if key not in unknown} if unknown else options


def _sort_handlers(found: Iterable[RegisteredHandler], client: Version | None) -> tuple[Handler, ...]:
    handlers = [build_handler(registered) for registered in found]
    handlers = [replace(handler, options=_drop_unknown_fields(handler.options, client)) for handler in handlers]
    return tuple(sorted(handlers, key=lambda handler: MERGE_ORDER.index(handler.scope)))


def build_handler(registered: RegisteredHandler) -> Handler:
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
def choose_handlers(
    found: EffectiveSettings,
    payload: Payload,
    *,
    project: str,
    home: str,
    skills: Iterable[str] = (),
    client: Version | None = None,
) -> list[Choice]:
    """Every handler of this event in the client's order, with the reason if it does not run."""
    event = payload["hook_event_name"]
    if client is not None and not client_versions.knows_event(client, event):
        why = f"Claude Code {client_versions.format_version(client)} does not know {event}"
        return [Choice(handler, why) for handler in (*found.handlers, *found.off) if _listens_to(handler, event)]
    choices = [
        Choice(handler, _why_not(handler, payload, project=project, home=home, skills=frozenset(skills)))
        for handler in found.handlers
        if _listens_to(handler, event)
    ]
    off = [Choice(handler, found.off_because) for handler in found.off if _listens_to(handler, event)]
    return [*_drop_duplicates(choices), *off]


def _listens_to(handler: Handler, event: str) -> bool:
    """A Stop handler of an agent runs on SubagentStop."""
    if handler.scope == "agent" and handler.event == "Stop":
        return event == "SubagentStop"
    return handler.event == event


def _why_not(handler: Handler, payload: Payload, *, project: str, home: str, skills: frozenset[str]) -> str | None:
    event = payload["hook_event_name"]
    if handler.scope in ("skill", "command") and handler.name not in skills:
        return f"the {handler.scope} {handler.name} has not been used in this session"
    if handler.scope == "agent" and payload.get("agent_type") != handler.name:
        return f"it runs only inside the agent {handler.name}"
    if not is_type_called(handler.type, event):
        return f"Claude Code does not call {handler.type} handlers on {event}"
    return matcher.why_not(event, handler.matcher, payload) or permission_rules.why_not(
        event, handler.options.get("if"), payload, project=project, home=home
    )


def _drop_duplicates(choices: list[Choice]) -> list[Choice]:
    """Of duplicate handlers only the last runs."""
    last = {_dedup_key(choice.handler): choice.handler for choice in choices if choice.why_not is None}
    return [
        choice
        if choice.why_not is not None or last[_dedup_key(choice.handler)] is choice.handler
        else Choice(choice.handler, f"the same as {last[_dedup_key(choice.handler)].where}, which runs")
        for choice in choices
    ]


def _dedup_key(handler: Handler) -> str:
    """Handlers with equal keys are duplicates: same action, same `if`. Plugins and managed files are kept apart."""
    what = [handler.options.get(key) for key in IDENTITY_KEYS[handler.type]]
    return json.dumps(
        [handler.scope == "managed", handler.type, handler.root, handler.options.get("if") or "", *what], sort_keys=True
    )


# --- URLs
def is_url_allowed(url: str, patterns: Iterable[str] | None) -> bool:
    """Match allowedHttpHookUrls; a star matches any text."""
    if patterns is None:
        return True
    return any(re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), url, re.DOTALL) for pattern in patterns)
