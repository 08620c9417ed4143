"""Load the MCP servers that a session would have, by name.

home, project → [load_servers] → name → {command, args, env} → mcp_tool
Measured: the closest definition wins (the project's entry in ~/.claude.json, `.mcp.json` here and in parent folders,
the user's list); `mcpServers` in a settings file has no effect; disabled servers are left out. A plugin's server is
called `plugin:<plugin>:<server>`, also in the plugin's own hooks.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hookwright.settings.find import SearchPaths, list_plugins, read_json_object

Servers = dict[str, Mapping[str, Any]]
VARIABLE = re.compile(r"\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}")


def load_servers(places: SearchPaths, env: Mapping[str, str]) -> Servers:
    """Every enabled server, with variables expanded."""
    managed = _parse_servers(read_json_object(os.path.join(places.managed, "managed-mcp.json")))
    if managed:
        return {name: expand_variables(server, env) for name, server in managed.items()}
    found = {name: expand_variables(server, env) for name, server in _user_and_project_servers(places).items()}
    return {**_plugin_servers(places, env), **found}


def _plugin_servers(places: SearchPaths, env: Mapping[str, str]) -> Servers:
    """The servers of all plugins that a session loads: `.mcp.json` beside the manifest, and those that it names."""
    found: Servers = {}
    for plugin in list_plugins(places):
        manifest = read_json_object(os.path.join(plugin.folder, ".claude-plugin", "plugin.json"))
        short = manifest.get("name") if isinstance(manifest.get("name"), str) else plugin.name.partition("@")[0]
        named = manifest.get("mcpServers")
        files = [".mcp.json", *([named] if isinstance(named, str) else [])]
        servers = [_parse_servers(read_json_object(os.path.join(plugin.folder, file))) for file in files]
        servers.append(_parse_servers(manifest))
        variables = {**env, "CLAUDE_PLUGIN_ROOT": plugin.folder}
        for name, server in (pair for group in servers for pair in group.items()):
            found[f"plugin:{short}:{name}"] = expand_variables(server, variables)
    return found


def _user_and_project_servers(places: SearchPaths) -> Servers:
    own = read_json_object(_claude_json(places))
    projects = own.get("projects")
    here = projects.get(places.project) if isinstance(projects, dict) else None
    here = here if isinstance(here, dict) else {}
    shared: Servers = {}
    for folder in _iter_parents(places.project):
        shared = {**_parse_servers(read_json_object(os.path.join(folder, ".mcp.json"))), **shared}
    disabled = {*_list_names(here, "disabledMcpjsonServers"), *_disabled_by_settings(places)}
    kept = {name: server for name, server in shared.items() if name not in disabled}
    merged = {**_parse_servers(own), **kept, **_parse_servers(here)}
    return {name: server for name, server in merged.items() if name not in _list_names(here, "disabledMcpServers")}


def _claude_json(places: SearchPaths) -> str:
    """In CLAUDE_CONFIG_DIR if it exists there, else in the home folder."""
    moved = os.path.join(places.config, ".claude.json")
    return moved if os.path.exists(moved) else os.path.join(places.home, ".claude.json")


def _disabled_by_settings(places: SearchPaths) -> Iterator[str]:
    for scope in ("user", "project", "local"):
        yield from _list_names(read_json_object(places.settings_file(scope)), "disabledMcpjsonServers")


def _iter_parents(folder: str) -> Iterable[str]:
    """This folder first, the root last."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def expand_variables(value: Any, env: Mapping[str, str]) -> Any:
    """Expand `${NAME}` and `${NAME:-default}` in all strings; a variable without a value stays as written."""
    if isinstance(value, str):
        return VARIABLE.sub(lambda found: env.get(found[1]) or (found[0] if found[2] is None else found[2]), value)
    if isinstance(value, list):
        return [expand_variables(inner, env) for inner in value]
    return {key: expand_variables(inner, env) for key, inner in value.items()} if isinstance(value, dict) else value


def _parse_servers(data: Mapping[str, Any]) -> Servers:
    servers = data.get("mcpServers")
    return {name: one for name, one in servers.items() if isinstance(one, dict)} if isinstance(servers, dict) else {}


def _list_names(data: Mapping[str, Any], key: str) -> list[str]:
    names = data.get(key)
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
