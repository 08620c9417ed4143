"""A deny or ask rule that may apply keeps the person in: better once too often."""

import json

import pytest

from hookwright.hooks.approve.permission_rules import find_matching_rule, may_apply
from hookwright.hooks.base import World


@pytest.mark.parametrize(
    ("rule", "tool", "text", "applies"),
    [
        ("Bash", "Bash", "ls", True),
        ("Bash(*)", "Bash", "ls", True),
        ("Bash(git push:*)", "Bash", "git push", True),
        ("Bash(git push:*)", "Bash", "cd x && git  push -f", True),
        ("Bash(git push:*)", "Bash", "git log", False),
        ("Bash(GIT LOG*)", "Bash", "git log", True),
        ("Bash(npm run *)", "Bash", "ls", False),
        ("Bash(* --force)", "Bash", "ls", False),
        ("Bash(* --force)", "Bash", "x --force", True),
        ("*", "Bash", "ls", True),
        ("mcp__*", "Bash", "ls", True),
        ("Read(./secrets/**)", "Bash", "cat secrets/x", True),
        ("Read(./secrets/**)", "Bash", "cat a.txt", False),
        ("Read(//etc/**)", "Read", "{'file_path': '/etc/hosts'}", True),
        ("Read(~/x)", "Read", "{'file_path': '/home/ann/y'}", False),
        ("Edit(src/**)", "Read", "{'file_path': 'src/a'}", False),
        ("WebFetch", "Bash", "ls", False),
    ],
)
def test_a_rule_may_apply(rule, tool, text, applies):
    assert may_apply(rule, tool, text.lower()) is applies


@pytest.fixture
def world(tmp_path):
    (tmp_path / "home/.claude").mkdir(parents=True)
    (tmp_path / "project/.claude").mkdir(parents=True)
    return World({"PATH": "/usr/bin"}, home=str(tmp_path / "home"), project=str(tmp_path / "project"))


@pytest.mark.parametrize("file", ["home/.claude/settings.json", "project/.claude/settings.json",
                                  "project/.claude/settings.local.json"])  # fmt: skip
@pytest.mark.parametrize("kind", ["deny", "ask"])
def test_every_settings_file_counts(world, tmp_path, file, kind):
    assert find_matching_rule(world, "Bash", "awk 1 a.txt") == ""
    (tmp_path / file).write_text(json.dumps({"permissions": {kind: ["Bash(awk:*)"], "allow": ["Bash(ls)"]}}))
    assert find_matching_rule(world, "Bash", "awk 1 a.txt") == "Bash(awk:*)"
    assert find_matching_rule(world, "Bash", "ls") == ""


@pytest.mark.parametrize("text", ["{", "[1,", "\udcff"])
def test_a_file_that_cannot_be_read_counts_as_a_rule_for_everything(world, tmp_path, text):
    (tmp_path / "home/.claude/settings.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert "settings.json" in find_matching_rule(world, "Bash", "ls")


def test_another_configuration_directory_is_read(world, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other/settings.json").write_text('{"permissions": {"ask": ["Bash"]}}')
    moved = World({"CLAUDE_CONFIG_DIR": str(tmp_path / "other")}, home=world.home, project=world.project)
    assert find_matching_rule(moved, "Bash", "ls") == "Bash"
