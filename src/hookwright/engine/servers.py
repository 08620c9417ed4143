"""MCP servers that a session would have: what `mcp_tool` handlers can call.

home, project → [servers] → name → command, args, env
Only those that are written down; whether the user has approved a project's is not asked here.
"""

from __future__ import annotations

import json
import os
from typing import Any


def servers(home: str, project: str) -> dict[str, dict[str, Any]]:
    """The project's shared ones, the user's, and the user's for this project; the last has the last word."""
    private = _object(os.path.join(home, ".claude.json"))
    here = _inner(_inner(private, "projects"), project)
    shared = _object(os.path.join(project, ".mcp.json"))
    found: dict[str, dict[str, Any]] = {}
    for place in (_inner(private, "mcpServers"), _inner(shared, "mcpServers"), _inner(here, "mcpServers")):
        found.update({name: server for name, server in place.items() if isinstance(server, dict)})
    return found


def _inner(value: dict[str, Any], key: str) -> dict[str, Any]:
    inner = value.get(key)
    return inner if isinstance(inner, dict) else {}


def _object(path: str) -> dict[str, Any]:
    """A file of the client, or nothing: a broken one is the client's to complain about."""
    try:
        with open(path, encoding="utf-8-sig") as handle:
            value = json.load(handle)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
