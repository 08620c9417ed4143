"""What the pages say is true: links lead somewhere, the example works, the commands exist."""

import re
import tomllib
from pathlib import Path

import pytest

from hookwright.cli.main import COMMANDS
from hookwright.config import compiler
from hookwright.dispatch import answer
from hookwright.hooks.base import World
from hookwright.testing.builders import bash

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])
README = (ROOT / "README.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    targets = [found.partition("#")[0] for found in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in found]
    missing = [target for target in targets if target and not (page.parent / target).exists()]
    assert missing == []


def test_every_command_that_the_readme_names_exists():
    named = set(re.findall(r"`hookwright ([a-z]+)", README))
    assert named - set(COMMANDS) == set()
    assert {"explain", "verify", "status", "why", "log", "stats", "learn", "replay", "questions", "config"} <= named


def test_links_of_the_readme_work_on_the_package_index_too():
    """Relative ones would not. Those into the repository lead to files that are there."""
    homepage = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Homepage"]
    links = re.findall(r"\]\(([^)\s]+)\)", README)
    assert [link for link in links if "://" not in link] == []
    raw = homepage.replace("github.com", "raw.githubusercontent.com")
    ours = [link for link in links if link.startswith((homepage, raw))]
    files = [re.sub(r"^.*?/(?:blob/|tree/)?main/", "", link).partition("#")[0] for link in ours]
    assert len(files) > 20
    assert [file for file in files if not (ROOT / file).exists()] == []


@pytest.mark.parametrize("target", re.findall(r"^make ([a-z]+)", README, flags=re.MULTILINE))
def test_the_make_targets_exist(target):
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)


def test_the_example_hook_of_the_readme_works(tmp_path):
    [source] = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    (tmp_path / "hooks").mkdir()
    (tmp_path / "hooks/no_sudo.py").write_text(source)
    plan = compiler.compile_plan(user="", project="", trust="", hooks=str(tmp_path / "hooks"))
    assert plan["problems"] == ()
    assert b"sudo is not needed here" in answer(bash("sudo ls").raw, plan, World()).stdout
    assert b"sudo is not needed here" not in answer(bash("ls").raw, plan, World()).stdout


def test_every_built_in_hook_is_in_the_readme():
    assert [hook.name for hook in compiler.declare_builtins() if f"[{hook.name}]" not in README] == []
