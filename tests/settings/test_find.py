"""Every place where the client looks, highest precedence first."""

import json
import os

import pytest

from hookwright.settings.client_validation import Kind
from hookwright.settings.find import SearchPaths, find_sources


class World:
    """A home, a project and a managed folder."""

    def __init__(self, root):
        self.root = str(root)
        self.environment = {"HOME": self.path("home")}

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def put(self, name, value="{}"):
        path = self.path(*name.split("/"))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as handle:
            handle.write(value if isinstance(value, str) else json.dumps(value))
        return path

    def find(self, **more):
        places = SearchPaths.from_environment(
            self.environment, self.path("project"), managed=self.path("managed"), **more
        )
        return [(source.scope, os.path.relpath(source.path, self.root)) for source in find_sources(places)]


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


def test_settings_files_in_the_clients_order(world):
    world.put("managed/managed-settings.json")
    for name in ("10-b.json", "05-a.json", ".hidden.json", "x.jsonc"):
        world.put("managed/managed-settings.d/" + name)
    world.put("home/.claude/settings.json")
    world.put("project/.claude/settings.json")
    world.put("project/.claude/settings.local.json")
    flag = world.put("extra.json")
    assert world.find(settings_flag=flag) == [
        ("managed", "managed/managed-settings.d/10-b.json"),
        ("managed", "managed/managed-settings.d/05-a.json"),
        ("managed", "managed/managed-settings.json"),
        ("flag", "extra.json"),
        ("local", "project/.claude/settings.local.json"),
        ("project", "project/.claude/settings.json"),
        ("user", "home/.claude/settings.json"),
    ]


def test_nothing_is_found_where_nothing_is(world):
    assert world.find() == []


def test_the_config_folder_of_the_environment_replaces_the_home(world):
    world.put("home/.claude/settings.json")
    world.put("elsewhere/settings.json")
    world.environment["CLAUDE_CONFIG_DIR"] = world.path("elsewhere")
    assert world.find() == [("user", "elsewhere/settings.json")]


@pytest.mark.parametrize(
    ("platform", "folder"),
    [
        ("linux", "/etc/claude-code"),
        ("darwin", "/Library/Application Support/ClaudeCode"),
        ("win32", "C:\\Program Files\\ClaudeCode"),
    ],
)
def test_managed_settings_of_each_platform(platform, folder):
    assert SearchPaths.from_environment({"HOME": "/h"}, "/p", platform=platform).managed == folder


@pytest.mark.parametrize(
    ("scope", "path"),
    [
        ("user", "/h/.claude/settings.json"),
        ("project", "/p/.claude/settings.json"),
        ("local", "/p/.claude/settings.local.json"),
    ],
)
def test_the_file_of_each_scope_that_we_may_write(scope, path):
    assert SearchPaths.from_environment({"HOME": "/h"}, "/p").settings_file(scope) == path


# What the manifest says about hooks, and the files that are read for it.
MANIFESTS = [
    (None, ["hooks/hooks.json"]),
    ("./other.json", ["hooks/hooks.json", "other.json"]),
    (["./other.json", "./third.json"], ["hooks/hooks.json", "other.json", "third.json"]),
    ("./hooks/hooks.json", ["hooks/hooks.json"]),
    ({"Stop": []}, ["hooks/hooks.json", ".claude-plugin/plugin.json"]),
    (5, ["hooks/hooks.json"]),
]


@pytest.mark.parametrize(("hooks", "files"), MANIFESTS)
def test_a_plugins_files(world, hooks, files):
    for name in ("hooks/hooks.json", "other.json", "third.json"):
        world.put("plug/" + name)
    world.put("plug/.claude-plugin/plugin.json", {"name": "p", **({"hooks": hooks} if hooks is not None else {})})
    assert [path for _, path in world.find(plugin_dirs=[world.path("plug")])] == ["plug/" + name for name in files]


def installed(world, scope="user", market=None, **more):
    folder = world.path("home", ".claude", "plugins", "cache", "mk", "plug", "1.0.0")
    row = {"scope": scope, "installPath": folder, **more}
    world.put("home/.claude/plugins/installed_plugins.json", {"version": 2, "plugins": {"plug@mk": [row]}})
    world.put("home/.claude/plugins/cache/mk/plug/1.0.0/hooks/hooks.json", {"hooks": {}})
    if market:
        source = {"source": {"source": "directory", "path": world.path("market")}}
        world.put("home/.claude/plugins/known_marketplaces.json", {"mk": source})
        world.put("market/.claude-plugin/marketplace.json", {"plugins": [{"name": "plug", "source": "./p"}]})
        world.put("market/p/hooks/hooks.json", {"hooks": {}})


CACHED = ("plugin", "home/.claude/plugins/cache/mk/plug/1.0.0/hooks/hooks.json")


@pytest.mark.parametrize(
    ("user", "project", "found"),
    [(True, None, True), (False, None, False), (None, None, False), (True, False, False), (False, True, True)],
)
def test_an_installed_plugin_counts_if_the_strongest_file_switches_it_on(world, user, project, found):
    installed(world)
    for scope, value in (("home", user), ("project", project)):
        if value is not None:
            world.put(f"{scope}/.claude/settings.json", {"enabledPlugins": {"plug@mk": value}})
    assert (CACHED in world.find()) is found


def test_a_plugin_of_a_local_marketplace_is_read_from_there(world):
    installed(world, market=True)
    world.put("home/.claude/settings.json", {"enabledPlugins": {"plug@mk": True}})
    assert ("plugin", "market/p/hooks/hooks.json") in world.find()
    assert CACHED not in world.find()


def test_a_plugin_of_another_project_is_not_ours(world):
    world.put("home/.claude/settings.json", {"enabledPlugins": {"plug@mk": True}})
    installed(world, scope="project", projectPath="/other")
    assert CACHED not in world.find()
    installed(world, scope="project", projectPath=world.path("project"))
    assert CACHED in world.find()


def test_frontmatter_of_skills_commands_and_agents(world):
    for name in (
        "home/.claude/skills/a/SKILL.md",
        "home/.claude/skills/deep/er/SKILL.md",
        "project/.claude/commands/x/y.md",
        "project/.claude/agents/deep/z.md",
        "project/.claude/agents/readme.txt",
    ):
        world.put(name, "---\n---\n")
    assert world.find() == [
        ("command", "project/.claude/commands/x/y.md"),
        ("agent", "project/.claude/agents/deep/z.md"),
        ("skill", "home/.claude/skills/a/SKILL.md"),
    ]


@pytest.mark.parametrize(
    "text", ["", "[1]", "{,", '{"plugins": 5}', '{"plugins": {"a": 5}}', '{"plugins": {"a": [5]}}']
)
def test_damaged_helper_files_of_the_client_are_passed_over(world, text):
    world.put("home/.claude/settings.json", {"enabledPlugins": {"a": True}})
    world.put("home/.claude/plugins/installed_plugins.json", text)
    assert world.find() == [("user", "home/.claude/settings.json")]


def test_a_source_knows_its_form_and_its_root(world):
    world.put("plug/hooks/hooks.json")
    places = SearchPaths.from_environment(world.environment, world.path("project"), plugin_dirs=[world.path("plug")])
    (source,) = find_sources(places)
    assert (source.kind, source.name, source.root) == (Kind.PLUGIN, "plug", world.path("plug"))


def test_plugins_in_skills_directories_count_unless_they_are_disabled(world):
    for place, name in (("home/.claude", "mine"), ("project/.claude", "theirs")):
        world.put(f"{place}/skills/{name}/.claude-plugin/plugin.json", {"name": name})
        world.put(f"{place}/skills/{name}/hooks/hooks.json")
        world.put(f"{place}/skills/no-manifest/hooks/hooks.json")
    assert world.find() == [
        ("plugin", "home/.claude/skills/mine/hooks/hooks.json"),
        ("plugin", "project/.claude/skills/theirs/hooks/hooks.json"),
    ]
    world.put("home/.claude/settings.json", {"enabledPlugins": {"theirs@skills-dir": False}})
    assert world.find() == [
        ("user", "home/.claude/settings.json"),
        ("plugin", "home/.claude/skills/mine/hooks/hooks.json"),
    ]


def test_in_the_home_directory_a_plugin_in_the_skills_directory_is_found_once(world):
    world.put("project/.claude/skills/mine/.claude-plugin/plugin.json", {"name": "mine"})
    world.put("project/.claude/skills/mine/hooks/hooks.json")
    world.environment["HOME"] = world.path("project")
    assert world.find() == [("plugin", "project/.claude/skills/mine/hooks/hooks.json")]


def test_plugin_directories_may_be_named_in_the_environment(world):
    for name in ("one", "two"):
        world.put(f"{name}/hooks/hooks.json")
    world.environment["CLAUDE_CODE_PLUGIN_DIRS"] = f"{world.path('one')}:{world.path('two')}"
    assert world.find() == [("plugin", "one/hooks/hooks.json"), ("plugin", "two/hooks/hooks.json")]
