"""Which MCP servers a session has, as measured on the client."""

import json
import os

import pytest

from hookwright.engine.handlers.mcp_servers import load_servers
from hookwright.settings.find import SearchPaths


class Home:
    """Files of a home and a project."""

    def __init__(self, root):
        self.root, self.project = root, root / "work" / "shop"
        self.project.mkdir(parents=True)
        self.env = {"HOME": str(root)}

    def write(self, path, value):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(value if isinstance(value, str) else json.dumps(value))

    def found(self):
        places = SearchPaths.from_environment(self.env, str(self.project), managed=str(self.root / "etc"))
        return {name: server.get("command") for name, server in load_servers(places, self.env).items()}


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path)


def servers(**commands):
    return {"mcpServers": {name: {"command": command} for name, command in commands.items()}}


def of_project(home, **more):
    return {"projects": {str(home.project): more}}


def test_the_nearest_definition_of_an_mcp_server_wins(home):
    home.write(".claude.json", {**servers(a="user", b="user", c="user"), **of_project(home, **servers(a="local"))})
    home.write("work/shop/.mcp.json", servers(a="project", b="project"))
    home.write("work/.mcp.json", servers(b="above", d="above"))
    assert home.found() == {"a": "local", "b": "project", "c": "user", "d": "above"}


def test_what_is_switched_off_is_not_there(home):
    home.write(
        ".claude.json",
        {**servers(a="user", b="user"), **of_project(home, disabledMcpServers=["a"], disabledMcpjsonServers=["c"])},
    )
    home.write("work/shop/.mcp.json", servers(c="project", d="project", b="project"))
    home.write(".claude/settings.json", {"disabledMcpjsonServers": ["d"]})
    assert home.found() == {"b": "project"}


def test_settings_files_bring_no_servers(home):
    home.write(".claude/settings.json", servers(a="user"))
    assert home.found() == {}


def test_a_managed_list_is_the_only_one(home):
    home.write("etc/managed-mcp.json", servers(m="managed"))
    home.write(".claude.json", servers(a="user"))
    assert home.found() == {"m": "managed"}


def test_the_users_list_moves_with_the_configuration(home):
    home.write("elsewhere/.claude.json", servers(a="moved"))
    home.write(".claude.json", servers(a="home"))
    home.env["CLAUDE_CONFIG_DIR"] = os.path.join(home.root, "elsewhere")
    assert home.found() == {"a": "moved"}


def test_a_plugins_server_bears_the_plugins_name(home):
    home.write("plug/.claude-plugin/plugin.json", {"name": "tools", **servers(inside="${CLAUDE_PLUGIN_ROOT}/in")})
    home.write("plug/.mcp.json", servers(desk="${CLAUDE_PLUGIN_ROOT}/desk"))
    folder = str(home.root / "plug")
    places = SearchPaths.from_environment(home.env, str(home.project), plugin_dirs=[folder], managed="/nowhere")
    found = {name: server["command"] for name, server in load_servers(places, home.env).items()}
    assert found == {"plugin:tools:desk": f"{folder}/desk", "plugin:tools:inside": f"{folder}/in"}


def test_variables_are_filled_in(home):
    home.write("work/shop/.mcp.json", servers(a="${BIN}/x", b="${NONE:-y}", c="${NONE}", d="$BIN"))
    home.env["BIN"] = "/opt"
    assert home.found() == {"a": "/opt/x", "b": "y", "c": "${NONE}", "d": "$BIN"}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"mcpServers": []}', '{"mcpServers": {"a": 5}}', '{"projects": []}'])
def test_a_broken_file_brings_nothing(home, text):
    home.write(".claude.json", text)
    home.write("work/shop/.mcp.json", text)
    assert home.found() == {}
