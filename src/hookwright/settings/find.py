"""Find every file in which Claude Code looks for hooks, in its order of precedence.

home, project, environment → [find_sources] → sources → load
Checks only that files exist; their content is validated later. Paths and environment are arguments.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hookwright.proc.safe_read import read_text
from hookwright.settings.client_validation import Kind

MAX_BYTES = 64 << 20  # of a file of the client; ~/.claude.json holds a history and grows
DROP_INS = "managed-settings.d"
OUR_DROP_IN = "50-hookwright.json"
MANAGED = {"darwin": "/Library/Application Support/ClaudeCode", "win32": "C:\\Program Files\\ClaudeCode"}


@dataclass(frozen=True, slots=True)
class Source:
    """A file that may contain hooks. `root` is the value of `${CLAUDE_PLUGIN_ROOT}` in it."""

    scope: str  # managed, flag, local, project, user, plugin, skill, command, agent
    path: str
    kind: Kind = Kind.SETTINGS
    name: str = ""
    root: str = ""
    content: bytes | None = None  # of settings that are passed as data, not read from a file


@dataclass(frozen=True)
class SearchPaths:
    """Where a session of the client looks for hooks."""

    home: str
    project: str
    config: str  # ~/.claude, or $CLAUDE_CONFIG_DIR
    managed: str
    settings_flag: str | None = None
    plugin_dirs: tuple[str, ...] = ()

    @classmethod
    def from_environment(
        cls,
        environment: Mapping[str, str],
        project: str,
        *,
        settings_flag: str | None = None,
        plugin_dirs: Iterable[str] = (),
        managed: str | None = None,
        platform: str = sys.platform,
    ) -> SearchPaths:
        home = environment.get("HOME") or os.path.expanduser("~")
        named = [folder for folder in environment.get("CLAUDE_CODE_PLUGIN_DIRS", "").split(os.pathsep) if folder]
        return cls(
            home=home,
            project=os.path.abspath(project),
            config=os.path.abspath(environment.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")),
            managed=managed or MANAGED.get(platform, "/etc/claude-code"),
            settings_flag=settings_flag,
            plugin_dirs=(*plugin_dirs, *named),
        )

    def settings_file(self, scope: str) -> str:
        """The settings file of a scope that we may write to."""
        if scope == "user":
            return os.path.join(self.config, "settings.json")
        if scope == "managed":
            return os.path.join(self.managed, DROP_INS, OUR_DROP_IN)
        name = {"project": "settings.json", "local": "settings.local.json"}[scope]
        return os.path.join(self.project, ".claude", name)


def find_sources(places: SearchPaths) -> list[Source]:
    """Existing sources, highest precedence first. Plugins and frontmatter come last; they only add hooks."""
    found = [
        *_managed_sources(places),
        *_settings_sources(places),
        *_plugin_sources(places),
        *_frontmatter_sources(places),
    ]
    return [source for source in found if os.path.lexists(source.path)]


def _managed_sources(places: SearchPaths) -> Iterator[Source]:
    """Drop-in files override the main file in the order of their names; the last one has the highest precedence."""
    folder = os.path.join(places.managed, DROP_INS)
    for name in sorted(_list_directory(folder), reverse=True):
        if name.endswith(".json") and not name.startswith("."):
            yield Source("managed", os.path.join(folder, name))
    yield Source("managed", os.path.join(places.managed, "managed-settings.json"))


def _settings_sources(places: SearchPaths) -> Iterator[Source]:
    if places.settings_flag is not None:  # of several --settings the client takes the last one
        yield Source("flag", os.path.abspath(places.settings_flag))
    for scope in ("local", "project", "user"):
        yield Source(scope, places.settings_file(scope))


# --- plugins
@dataclass(frozen=True, slots=True)
class Plugin:
    """A plugin that a session loads."""

    name: str  # as `enabledPlugins` knows it
    folder: str
    in_project: bool = False  # it came with the project


def list_plugins(places: SearchPaths) -> Iterator[Plugin]:
    """Those given on the command line, the installed ones that are enabled, and those in skills directories."""
    for folder in places.plugin_dirs:
        yield Plugin(os.path.basename(os.path.abspath(folder)), os.path.abspath(folder))
    for name, folder in installed_plugins(places):
        yield Plugin(name, folder)
    yield from _skills_dir_plugins(places)


def _plugin_sources(places: SearchPaths) -> Iterator[Source]:
    for plugin in list_plugins(places):
        yield from plugin_files(plugin.folder, plugin.name)


def _skills_dir_plugins(places: SearchPaths) -> Iterator[Plugin]:
    """A directory of skills may hold whole plugins; the client loads a project's once the folder is trusted."""
    seen = set()
    for base, in_project in ((places.config, False), (os.path.join(places.project, ".claude"), True)):
        skills = os.path.join(base, "skills")
        if os.path.realpath(skills) in seen:  # the home directory as project
            continue
        seen.add(os.path.realpath(skills))
        for entry in sorted(_list_directory(skills)):
            folder = os.path.join(skills, entry)
            manifest = os.path.join(folder, ".claude-plugin", "plugin.json")
            if os.path.isfile(manifest):
                name = f"{read_json_object(manifest).get('name', entry)}@skills-dir"
                if _is_enabled(places, name, default=True):
                    yield Plugin(name, folder, in_project)


def plugin_files(folder: str, name: str) -> Iterator[Source]:
    """hooks/hooks.json, the manifest (it may contain hooks) and the files that the manifest names."""
    standard = os.path.join(folder, "hooks", "hooks.json")
    yield Source("plugin", standard, Kind.PLUGIN, name, folder)
    manifest = os.path.join(folder, ".claude-plugin", "plugin.json")
    hooks = read_json_object(manifest).get("hooks")
    if isinstance(hooks, dict):
        yield Source("plugin", manifest, Kind.MANIFEST, name, folder)
    named = [hooks] if isinstance(hooks, str) else hooks if isinstance(hooks, list) else []
    for path in named:
        full = os.path.normpath(os.path.join(folder, path)) if isinstance(path, str) else standard
        if full != standard:
            yield Source("plugin", full, Kind.PLUGIN, name, folder)
    for skill in _list_skills(os.path.join(folder, "skills")):
        yield Source("skill", skill, Kind.FRONTMATTER, name, os.path.dirname(skill))


def installed_plugins(places: SearchPaths) -> Iterator[tuple[str, str]]:
    """Enabled plugins, with the folder from which the client reads them."""
    plugins = os.path.join(places.config, "plugins")
    markets = read_json_object(os.path.join(plugins, "known_marketplaces.json"))
    installed = read_json_object(os.path.join(plugins, "installed_plugins.json")).get("plugins")
    for name, copies in (installed if isinstance(installed, dict) else {}).items():
        if not _is_enabled(places, name):
            continue
        for copy in copies if isinstance(copies, list) else []:
            if not isinstance(copy, dict) or not isinstance(copy.get("installPath"), str):
                continue
            if copy.get("scope") in ("project", "local") and copy.get("projectPath") != places.project:
                continue
            yield name, _local_folder(name, markets) or copy["installPath"]
            break


def _is_enabled(places: SearchPaths, name: str, *, default: bool = False) -> bool:
    """The file of highest precedence that mentions the plugin decides."""
    for source in (*_managed_sources(places), *_settings_sources(places)):
        enabled = read_json_object(source.path).get("enabledPlugins")
        if isinstance(enabled, dict) and name in enabled:
            return enabled[name] not in (False, None)
    return default


def _local_folder(name: str, markets: Mapping[str, Any]) -> str | None:
    """A plugin of a local marketplace folder is read from there, not from its installed copy."""
    plugin, _, market = name.partition("@")
    source = markets.get(market, {}).get("source") if isinstance(markets.get(market), dict) else None
    if not isinstance(source, dict) or source.get("source") != "directory" or not isinstance(source.get("path"), str):
        return None
    listed = read_json_object(os.path.join(source["path"], ".claude-plugin", "marketplace.json")).get("plugins")
    for row in listed if isinstance(listed, list) else []:
        if isinstance(row, dict) and row.get("name") == plugin and isinstance(row.get("source"), str):
            return os.path.normpath(os.path.join(source["path"], row["source"]))
    return None


# --- skills, commands and agents
def _frontmatter_sources(places: SearchPaths) -> Iterator[Source]:
    for base in (os.path.join(places.project, ".claude"), places.config):
        for path in _list_skills(os.path.join(base, "skills")):
            yield Source(
                "skill", path, Kind.FRONTMATTER, os.path.basename(os.path.dirname(path)), os.path.dirname(path)
            )
        for scope in ("command", "agent"):
            for path in _list_markdown(os.path.join(base, scope + "s")):
                name = os.path.splitext(os.path.basename(path))[0]
                yield Source(scope, path, Kind.FRONTMATTER, name, os.path.dirname(path))


def _list_skills(folder: str) -> Iterator[str]:
    """Direct children only: the client does not find a deeper SKILL.md either."""
    for name in sorted(_list_directory(folder)):
        path = os.path.join(folder, name, "SKILL.md")
        if os.path.isfile(path):
            yield path


def _list_markdown(folder: str) -> Iterator[str]:
    for base, folders, names in os.walk(folder):
        folders.sort()
        yield from (os.path.join(base, name) for name in sorted(names) if name.endswith(".md"))


def _list_directory(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def read_json_object(path: str) -> dict[str, Any]:
    """Read a JSON file of the client; {} if it is missing or invalid, which `check` reports."""
    try:
        value = json.loads(read_text(path, MAX_BYTES, "utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
