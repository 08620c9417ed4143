"""Find mods: JavaScript modules of plugins that Claude Code runs inside itself, before it asks any hook.

plugins → [find_mods] → mods that a session would load → verify, status, run
A mod may answer a tool call itself or answer in the place of the hooks; then no hook is asked, except those of managed
settings, which come first. What was measured is in protocol.json, `mods`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hookwright.settings.client_validation import Kind
from hookwright.settings.find import Plugin, SearchPaths, Source, list_plugins, plugin_files, read_json_object
from hookwright.settings.load import LoadedHooks

GUARD_MOD = "cc-plugin-sec-default@builtin"  # the client's own; its options decide whether others are loaded


@dataclass(frozen=True, slots=True)
class Mod:
    plugin: Plugin
    file: str  # the JSON file that names the module
    module: str

    @property
    def name(self) -> str:
        return self.plugin.name

    def as_json(self) -> dict[str, Any]:
        return {"plugin": self.name, "file": self.file, "module": self.module, "in_project": self.plugin.in_project}


def find_mods(places: SearchPaths, sources: Sequence[Source], loaded: LoadedHooks) -> list[Mod]:
    """The mods of a session; none if the settings switch them off. `loaded`: what was read from `sources`."""
    if any(finding.code == "hooks-off" for finding in loaded.findings) or _only_managed_mods(sources):
        return []
    return [mod for plugin in list_plugins(places) for mod in _mods_of(plugin)]


def _mods_of(plugin: Plugin) -> Iterator[Mod]:
    """A plugin has one module: if several files name one, or a file names two, the client loads none."""
    named = [
        (source.path, modules)
        for source in plugin_files(plugin.folder, plugin.name)
        if source.kind is Kind.PLUGIN and (modules := read_json_object(source.path).get("modules"))
    ]
    if len(named) == 1 and isinstance(named[0][1], list) and len(named[0][1]) == 1:
        file, (module,) = named[0]
        yield Mod(plugin, file, str(module))


def _only_managed_mods(sources: Sequence[Source]) -> bool:
    """True if managed settings forbid mods that a user brings; in other settings that option does nothing."""
    for source in sources:
        if source.scope == "managed":
            value: Any = read_json_object(source.path)
            for key in ("pluginConfigs", GUARD_MOD, "options", "allowManagedModsOnly"):
                value = value.get(key) if isinstance(value, Mapping) else None
            if value is not None:
                return value is not False
    return False
