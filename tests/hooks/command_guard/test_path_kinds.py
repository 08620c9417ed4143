"""Path sense: one table of words, seen from a project in a home folder, from a temp folder, and from nowhere known."""

import pytest

from hookwright.hooks.command_guard.evaluate import evaluate_text
from hookwright.hooks.command_guard.path_kinds import classify_word
from hookwright.hooks.command_guard.rule_api import SHARED_BRANCHES, Scene
from hookwright.shell.command import Command


def sense(target, *, cwd, home, project):
    command = Command(f"rm -rf {target}", cwd=cwd, home=home)
    [call] = command.calls_of("rm")
    return classify_word(call, call.words[-1], Scene(command, project, SHARED_BRANCHES, evaluate_text))


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("/", "root"),
        ("/*", "root"),
        ("/.", "root"),
        ("/tmp/../", "root"),
        ("~", "home"),
        ("~/*", "home"),
        ("$HOME", "home"),
        ("/home/ann/.", "home"),
        ("/home/bob", "home"),
        ("~bob", "home"),
        ("..", "home"),
        ("../..", "home"),
        ("~/.ssh", "precious"),
        ("~/Documents", "precious"),
        ("/etc", "system"),
        ("/etc/nginx/conf.d", "system"),
        ("/usr/local", "system"),
        ("/var/lib/mysql", "system"),
        ("/e*", "system"),
        (".git", "git"),
        ("sub/.git/objects", "git"),
        (".claude", "settings"),
        (".claude/settings.json", "settings"),
        ("~/.config/hookwright", "settings"),
        (".", "project"),
        ("*", "project"),
        ("/home/ann/shop", "project"),
        ("src", "inside"),
        ("/home/ann/shop/src", "inside"),
        (".claude/skills/x", "inside"),
        ("../other", "outside"),
        ("~/projects/old", "outside"),
        ("~/.claude/plans", "outside"),
        ("/opt/app", "outside"),
        ("/usr/local/lib/x", "outside"),
        ("/data", "outside"),
        ("/tmp", "outside"),
        ("/tmp/x", "temp"),
        ("/tmp/*", "temp"),
        ('"$TMPDIR/x"', "temp"),
        ('"$(mktemp -d)"', "temp"),
        ("node_modules", "regenerable"),
        ("packages/*/dist", "regenerable"),
        ("../other/node_modules", "regenerable"),
        ("tmp/cache", "regenerable"),
        ("~/.cache/pip", "regenerable"),
        ("/var/lib/apt/lists/*", "regenerable"),
        ('"$X/node_modules"', "regenerable"),
        ('"$X"', "unknown"),
        ("$X/*", "unknown"),
    ],
)
def test_from_a_project_in_a_home_folder(target, expected):
    assert sense(target, cwd="/home/ann/shop", home="/home/ann", project="/home/ann/shop") == expected


@pytest.mark.parametrize(
    ("target", "expected"),
    [("src", "inside"), (".", "project"), ("../other", "outside"), ("/tmp/other", "temp"), ("..", "outside")],
)
def test_a_project_in_a_temp_folder_is_a_project(target, expected):
    assert sense(target, cwd="/tmp/lab/shop", home="/home/ann", project="/tmp/lab/shop") == expected


@pytest.mark.parametrize("home", ["/root", "/home/ann"])
def test_a_session_that_was_started_at_home_has_no_smaller_project(home):
    assert sense("notes", cwd=home, home=home, project=home) == "inside"
    assert sense(".", cwd=home, home=home, project=home) == "home"
    assert sense(".ssh", cwd=home, home=home, project=home) == "precious"


@pytest.mark.parametrize(
    ("target", "expected"),
    [("src", "inside"), ("~/x", "outside"), ("~", "home"), ("..", "project"), ("../x", "outside")],
)
def test_with_nothing_known_the_words_decide(target, expected):
    assert sense(target, cwd=".", home="", project="") == expected
