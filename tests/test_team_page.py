"""What docs/team.md tells to paste is right: settings, configuration, workflow."""

import json
import re
import tomllib
from pathlib import Path

import yaml

from hookwright.config import compiler

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/team.md").read_text()


def block(language):
    [found] = re.findall(rf"```{language}\n(.*?)```", PAGE, flags=re.DOTALL)
    return found


def test_the_settings_name_our_marketplace_and_plugin():
    settings = json.loads(block("json"))
    marketplace = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text())
    homepage = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Homepage"]
    [(name, known)] = settings["extraKnownMarketplaces"].items()
    assert name == marketplace["name"]
    assert homepage.endswith(known["source"]["repo"])
    assert list(settings["enabledPlugins"]) == [f"{marketplace['plugins'][0]['name']}@{name}"]


def test_the_shared_configuration_has_no_problem(tmp_path):
    file = tmp_path / "config.toml"
    file.write_text(block("toml"))
    plan = compiler.compile_plan(user=str(file), project="", trust="", hooks=str(tmp_path / "none"))
    assert plan["problems"] == ()


def test_the_workflow_uses_the_action_with_inputs_that_it_has():
    steps = yaml.safe_load(block("yaml"))["jobs"]["hooks"]["steps"]
    [ours] = [step for step in steps if "hookwright" in step["uses"]]
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert set(ours.get("with", ())) <= set(action["inputs"])
    assert set(re.findall(r"`([a-z-]+): true`", PAGE)) <= set(action["inputs"])
    assert "fetch-depth" in block("yaml")
