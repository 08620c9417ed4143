"""The MCP servers that a session would have, by name.

home, project → [configured] → name → {command, args, env} → mcp_tool
As measured: the nearest wins (this project's private list, `.mcp.json` here and above, the user's list); `mcpServers`
in a settings file means nothing; what is switched off is not there. Servers that plugins bring are not looked for.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hookwright.settings.find import Places

Servers = dict[str, Mapping[str, Any]]
VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}")


def configured(places: Places, env: Mapping[str, str]) -> Servers:
    """Every server that is switched on, with the environment's values filled in."""
    managed = _servers(_json(os.path.join(places.managed, "managed-mcp.json")))
    found = managed or _of_user_and_project(places)
    return {name: filled(server, env) for name, server in found.items()}


def _of_user_and_project(places: Places) -> Servers:
    own = _json(_claude_json(places))
    projects = own.get("projects")
    here = projects.get(places.project) if isinstance(projects, dict) else None
    here = here if isinstance(here, dict) else {}
    shared: Servers = {}
    for folder in _upwards(places.project):
        shared = {**_servers(_json(os.path.join(folder, ".mcp.json"))), **shared}
    refused = {*_names(here, "disabledMcpjsonServers"), *_refused_by_settings(places)}
    kept = {name: server for name, server in shared.items() if name not in refused}
    merged = {**_servers(own), **kept, **_servers(here)}
    return {name: server for name, server in merged.items() if name not in _names(here, "disabledMcpServers")}


def _claude_json(places: Places) -> str:
    """Beside the settings if CLAUDE_CONFIG_DIR moved them, else in the home folder."""
    moved = os.path.join(places.config, ".claude.json")
    return moved if os.path.exists(moved) else os.path.join(places.home, ".claude.json")


def _refused_by_settings(places: Places) -> Iterator[str]:
    for scope in ("user", "project", "local"):
        yield from _names(_json(places.settings_file(scope)), "disabledMcpjsonServers")


def _upwards(folder: str) -> Iterable[str]:
    """This folder first, the root last."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def filled(value: Any, env: Mapping[str, str]) -> Any:
    """`${NAME}` and `${NAME:-instead}` wherever a text stands; a name without a value stays as it is."""
    if isinstance(value, str):
        return VARIABLE.sub(lambda found: env.get(found[1]) or (found[0] if found[2] is None else found[2]), value)
    if isinstance(value, list):
        return [filled(inner, env) for inner in value]
    return {key: filled(inner, env) for key, inner in value.items()} if isinstance(value, dict) else value


def _servers(data: Mapping[str, Any]) -> Servers:
    servers = data.get("mcpServers")
    return {name: one for name, one in servers.items() if isinstance(one, dict)} if isinstance(servers, dict) else {}


def _names(data: Mapping[str, Any], key: str) -> list[str]:
    names = data.get(key)
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _json(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8-sig") as file:
            value = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
