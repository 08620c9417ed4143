"""Which mods a session loads; each row was seen in the real client (tests/client/test_mods.py holds the main ones)."""

import json
import os

import pytest

from hookwright.settings.find import SearchPaths, find_sources
from hookwright.settings.load import load_sources
from hookwright.settings.mods import find_mods

ONE = {"modules": ["./register.mjs"]}
MANAGED_ONLY = {"pluginConfigs": {"cc-plugin-sec-default@builtin": {"options": {"allowManagedModsOnly": True}}}}


class World:
    def __init__(self, root):
        self.root = root

    def put(self, name, value):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value))

    def mods(self):
        places = SearchPaths.from_environment(
            {"HOME": str(self.root / "home")},
            str(self.root / "project"),
            managed=str(self.root / "managed"),
            plugin_dirs=[str(self.root / "plug")] if (self.root / "plug").exists() else [],
        )
        sources = find_sources(places)
        found = find_mods(places, sources, load_sources(sources))
        return [(mod.name, os.path.relpath(mod.file, self.root), mod.plugin.in_project) for mod in found]


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


@pytest.mark.parametrize(
    ("files", "where"),
    [
        ({"hooks/hooks.json": ONE}, "plug/hooks/hooks.json"),
        ({"hooks/hooks.json": {"hooks": {}, "modules": ["../m.js"]}}, "plug/hooks/hooks.json"),
        ({".claude-plugin/plugin.json": {"hooks": "./other.json"}, "other.json": ONE}, "plug/other.json"),
        ({".claude-plugin/plugin.json": {"hooks": ONE}}, None),
        ({"hooks/hooks.json": {"modules": ["./a.mjs", "./b.mjs"]}}, None),
        ({"hooks/hooks.json": {"modules": "./a.mjs"}}, None),
        ({"hooks/hooks.json": {"modules": []}}, None),
        ({"hooks/hooks.json": {"hooks": {}}}, None),
    ],
)
def test_a_plugin_names_its_mod_in_a_hooks_file(world, files, where):
    for name, value in files.items():
        world.put(f"plug/{name}", value)
    assert world.mods() == ([("plug", where, False)] if where else [])


def test_two_files_that_each_name_a_mod_load_none(world):
    world.put("plug/hooks/hooks.json", ONE)
    world.put("plug/.claude-plugin/plugin.json", {"hooks": "./other.json"})
    world.put("plug/other.json", ONE)
    assert world.mods() == []


@pytest.mark.parametrize(("place", "in_project"), [("home/.claude", False), ("project/.claude", True)])
def test_skills_directories_bring_mods(world, place, in_project):
    world.put(f"{place}/skills/x/.claude-plugin/plugin.json", {"name": "theme"})
    world.put(f"{place}/skills/x/hooks/hooks.json", ONE)
    assert world.mods() == [("theme@skills-dir", f"{place}/skills/x/hooks/hooks.json", in_project)]


@pytest.mark.parametrize(("enabled", "count"), [({"plug@market": True}, 1), ({"plug@market": False}, 0), ({}, 0)])
def test_an_installed_plugin_counts_if_it_is_enabled(world, enabled, count):
    world.put("installed/hooks/hooks.json", ONE)
    row = {"scope": "user", "installPath": str(world.root / "installed")}
    world.put("home/.claude/plugins/installed_plugins.json", {"plugins": {"plug@market": [row]}})
    world.put("home/.claude/settings.json", {"enabledPlugins": enabled})
    assert len(world.mods()) == count


@pytest.mark.parametrize(
    ("file", "settings", "count"),
    [
        ("managed/managed-settings.json", MANAGED_ONLY, 0),
        ("home/.claude/settings.json", MANAGED_ONLY, 1),
        ("home/.claude/settings.json", {"disableAllHooks": True}, 0),
        ("managed/managed-settings.json", {"allowManagedHooksOnly": True}, 0),
        ("home/.claude/settings.json", {"allowManagedHooksOnly": True}, 1),
        ("managed/managed-settings.json", {"pluginConfigs": []}, 1),
    ],
)
def test_settings_that_switch_mods_off(world, file, settings, count):
    world.put("plug/hooks/hooks.json", ONE)
    world.put(file, settings)
    assert len(world.mods()) == count
