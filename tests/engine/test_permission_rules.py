"""`if` rules: every call that was given to the client, and the rules that matched."""

import json

import pytest

from hookwright.engine.permission_rules import parse_rule, path_matches, why_not
from hookwright.engine.shell_split import Visibility, split_command
from tests.conformance import scenes

PROJECT, HOME = "/x/project", "/x/home"
MEASURED = [path for path in scenes.files() if scenes.load(path).name.startswith("if") and "other" not in path]


def real(value):
    return json.loads(json.dumps(value).replace("<PROJECT>", PROJECT).replace("<HOME>", HOME))


@pytest.mark.parametrize("path", MEASURED, ids=lambda path: scenes.load(path).name)
def test_the_rules_fit_that_fit_in_the_client(path):
    scene = scenes.load(path)
    handlers = real(list(scenes.entries_of(scene.settings)))
    for case in scene.cases:
        call = {**real(case.event), "cwd": PROJECT}
        said = {one["run"]: why_not("PreToolUse", one["if"], call, project=PROJECT, home=HOME) for one in handlers}
        assert sorted(name for name, why in said.items() if why is None) == case.outcome["ran"], case.name


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("Bash", ("Bash", None)),
        ("Bash(git *)", ("Bash", "git *")),
        ("Bash(a) || Bash(b)", ("Bash", "a) || Bash(b")),
        ("Bash(git", ("Bash(git", None)),
    ],
)
def test_a_rule_goes_from_the_first_parenthesis_to_the_last(rule, expected):
    assert parse_rule(rule) == expected


@pytest.mark.parametrize(
    ("content", "path", "fits"),
    [
        ("src/**", "/x/project/sub/src/a", True),
        ("src/**", "/x/project/src/a", False),
        ("/src/**", "/x/project/src/a", True),
        ("~/a/*.txt", "/x/home/a/b.txt", True),
        ("~/a/*.txt", "/x/home/a/b/c.txt", False),
        ("//etc/**", "/etc/hosts", True),
        ("a[", "/x/project/sub/a[", True),
        (r"\*.py", "/x/project/sub/*.py", True),
        (r"\*.py", "/x/project/sub/a.py", False),
    ],
)
def test_a_path_is_seen_from_the_working_folder(content, path, fits):
    assert path_matches(content, path, cwd="/x/project/sub", project=PROJECT, home=HOME) is fits


@pytest.mark.parametrize("command", ["", "(" * 5000, "a\0b", "\\", "'", "$(" * 300, "a && " * 2000 + "b", "`" * 99])
def test_any_text_can_be_split(command):
    assert split_command(command).visibility in Visibility
