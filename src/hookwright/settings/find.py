"""Every place where Claude Code finds hooks, in its order of precedence.

home, project, environment → [find] → sources → load
Only looks at what exists; nothing is judged here. Paths and environment enter as arguments.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hookwright.settings.rules import Kind

MANAGED = {"darwin": "/Library/Application Support/ClaudeCode", "win32": "C:\\Program Files\\ClaudeCode"}


@dataclass(frozen=True, slots=True)
class Source:
    """A file that may hold hooks. `root` is the folder that `${CLAUDE_PLUGIN_ROOT}` means in it."""

    scope: str  # managed, flag, local, project, user, plugin, skill, command, agent
    path: str
    kind: Kind = Kind.SETTINGS
    name: str = ""
    root: str = ""
    content: bytes | None = None  # of settings that are given, not read


@dataclass(frozen=True)
class Places:
    """Where a session of the client would look."""

    home: str
    project: str
    config: str  # ~/.claude, or what CLAUDE_CONFIG_DIR says
    managed: str
    settings_flag: str | None = None
    plugin_dirs: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        environment: Mapping[str, str],
        project: str,
        *,
        settings_flag: str | None = None,
        plugin_dirs: Iterable[str] = (),
        managed: str | None = None,
        platform: str = sys.platform,
    ) -> Places:
        home = environment.get("HOME") or os.path.expanduser("~")
        return cls(
            home=home,
            project=os.path.abspath(project),
            config=os.path.abspath(environment.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")),
            managed=managed or MANAGED.get(platform, "/etc/claude-code"),
            settings_flag=settings_flag,
            plugin_dirs=tuple(plugin_dirs),
        )

    def settings_file(self, scope: str) -> str:
        """The file of a scope that we may write to."""
        if scope == "user":
            return os.path.join(self.config, "settings.json")
        name = {"project": "settings.json", "local": "settings.local.json"}[scope]
        return os.path.join(self.project, ".claude", name)


def find(places: Places) -> list[Source]:
    """Existing sources, strongest first. Settings come before plugins and frontmatter, which only add."""
    found = [*_managed(places), *_settings(places), *_plugins(places), *_frontmatter(places)]
    return [source for source in found if os.path.lexists(source.path)]


def _managed(places: Places) -> Iterator[Source]:
    """Drop-ins are laid over the main file in the order of their names; the strongest is the last."""
    folder = os.path.join(places.managed, "managed-settings.d")
    for name in sorted(_listed(folder), reverse=True):
        if name.endswith(".json") and not name.startswith("."):
            yield Source("managed", os.path.join(folder, name))
    yield Source("managed", os.path.join(places.managed, "managed-settings.json"))


def _settings(places: Places) -> Iterator[Source]:
    if places.settings_flag is not None:  # of several --settings the client takes the last one
        yield Source("flag", os.path.abspath(places.settings_flag))
    for scope in ("local", "project", "user"):
        yield Source(scope, places.settings_file(scope))


# --- plugins
def _plugins(places: Places) -> Iterator[Source]:
    for folder in places.plugin_dirs:
        yield from plugin_files(os.path.abspath(folder), os.path.basename(os.path.abspath(folder)))
    for name, folder in installed_plugins(places):
        yield from plugin_files(folder, name)


def plugin_files(folder: str, name: str) -> Iterator[Source]:
    """hooks/hooks.json, the manifest (its hooks may stand inline) and the files that the manifest names."""
    standard = os.path.join(folder, "hooks", "hooks.json")
    yield Source("plugin", standard, Kind.PLUGIN, name, folder)
    manifest = os.path.join(folder, ".claude-plugin", "plugin.json")
    hooks = _json(manifest).get("hooks")
    if isinstance(hooks, dict):
        yield Source("plugin", manifest, Kind.MANIFEST, name, folder)
    named = [hooks] if isinstance(hooks, str) else hooks if isinstance(hooks, list) else []
    for path in named:
        full = os.path.normpath(os.path.join(folder, path)) if isinstance(path, str) else standard
        if full != standard:
            yield Source("plugin", full, Kind.PLUGIN, name, folder)
    for skill in _skills(os.path.join(folder, "skills")):
        yield Source("skill", skill, Kind.FRONTMATTER, name, os.path.dirname(skill))


def installed_plugins(places: Places) -> Iterator[tuple[str, str]]:
    """Plugins that are switched on, with the folder the client reads them from."""
    plugins = os.path.join(places.config, "plugins")
    markets = _json(os.path.join(plugins, "known_marketplaces.json"))
    installed = _json(os.path.join(plugins, "installed_plugins.json")).get("plugins")
    for name, copies in (installed if isinstance(installed, dict) else {}).items():
        if not _is_switched_on(places, name):
            continue
        for copy in copies if isinstance(copies, list) else []:
            if not isinstance(copy, dict) or not isinstance(copy.get("installPath"), str):
                continue
            if copy.get("scope") in ("project", "local") and copy.get("projectPath") != places.project:
                continue
            yield name, _live_folder(name, markets) or copy["installPath"]
            break


def _is_switched_on(places: Places, name: str) -> bool:
    """The strongest file that mentions the plugin decides."""
    for source in (*_managed(places), *_settings(places)):
        switches = _json(source.path).get("enabledPlugins")
        if isinstance(switches, dict) and name in switches:
            return switches[name] not in (False, None)
    return False


def _live_folder(name: str, markets: Mapping[str, Any]) -> str | None:
    """A plugin of a marketplace that is a folder here is read from there, not from its copy."""
    plugin, _, market = name.partition("@")
    source = markets.get(market, {}).get("source") if isinstance(markets.get(market), dict) else None
    if not isinstance(source, dict) or source.get("source") != "directory" or not isinstance(source.get("path"), str):
        return None
    listed = _json(os.path.join(source["path"], ".claude-plugin", "marketplace.json")).get("plugins")
    for row in listed if isinstance(listed, list) else []:
        if isinstance(row, dict) and row.get("name") == plugin and isinstance(row.get("source"), str):
            return os.path.normpath(os.path.join(source["path"], row["source"]))
    return None


# --- skills, commands and agents
def _frontmatter(places: Places) -> Iterator[Source]:
    for base in (os.path.join(places.project, ".claude"), places.config):
        for path in _skills(os.path.join(base, "skills")):
            yield Source(
                "skill", path, Kind.FRONTMATTER, os.path.basename(os.path.dirname(path)), os.path.dirname(path)
            )
        for scope in ("command", "agent"):
            for path in _markdown(os.path.join(base, scope + "s")):
                name = os.path.splitext(os.path.basename(path))[0]
                yield Source(scope, path, Kind.FRONTMATTER, name, os.path.dirname(path))


def _skills(folder: str) -> Iterator[str]:
    """Only direct children: a deeper SKILL.md is not found by the client, either."""
    for name in sorted(_listed(folder)):
        path = os.path.join(folder, name, "SKILL.md")
        if os.path.isfile(path):
            yield path


def _markdown(folder: str) -> Iterator[str]:
    for base, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(base, name) for name in sorted(names) if name.endswith(".md"))


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _json(path: str) -> dict[str, Any]:
    """A helper file of the client, or nothing: what is wrong with it is for `check` to say."""
    try:
        with open(path, encoding="utf-8-sig") as handle:
            value = json.load(handle)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
