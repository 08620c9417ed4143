"""The families of programs: index, first look at a text, examples, and the code that their files name."""

import ast
import importlib
import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import hookwright.shell.programs
from hookwright.shell.command import Command
from hookwright.shell.duration import classify_duration, list_classifications
from hookwright.shell.families import family_of, match_certain_command, may_be_long
from tests.sizes import examples

HERE = Path(__file__).parent
SOURCES = Path(hookwright.shell.programs.__file__).parent
FAMILIES = {path.stem: tomllib.loads(path.read_text()) for path in sorted(SOURCES.glob("*.toml"))}


def commands():
    for path in (HERE.parent / "corpora").glob("*.jsonl"):
        yield from (json.loads(line)["cmd"] for line in path.read_text().splitlines())
    for line in (HERE / "durations.txt").read_text().splitlines():
        verdict, _, command = line.partition(" ")
        if verdict in ("force", "suggest", "none"):
            yield command.strip().replace("\\n", "\n")


def programs_of(family):
    return [name for group in family.get("programs", ()) for name in group["names"].split()]


def family_examples():
    for family in FAMILIES.values():
        for line in family.get("examples", ()):
            verdict, _, command = line.partition("  ")
            yield pytest.param(verdict, command.strip(), id=command.strip())


@pytest.mark.parametrize(("verdict", "command"), list(family_examples()))
def test_a_familys_examples_hold(verdict, command):
    assert classify_duration(Command(command))[0] == verdict


@pytest.mark.parametrize("name", [name for name, family in FAMILIES.items() if programs_of(family)])
def test_the_index_leads_to_the_family_that_knows_the_program(name):
    assert {family_of(program) for program in programs_of(FAMILIES[name])} == {name}


@pytest.mark.parametrize("name", FAMILIES)
def test_the_code_that_a_family_names_is_there(name):
    groups = FAMILIES[name].get("programs", ())
    wanted = {group["code"]: "table" in group for group in groups if "code" in group}
    if not wanted:
        return
    module = importlib.import_module(f"hookwright.shell.programs.{name}")
    for function, has_table in wanted.items():
        assert getattr(module, function).__code__.co_argcount == 1 + has_table


@pytest.mark.slow
def test_no_judge_is_left_without_a_caller():
    named = {group["code"] for family in FAMILIES.values() for group in family.get("programs", ()) if "code" in group}
    trees = [ast.parse(path.read_text()) for path in SOURCES.parent.rglob("*.py")]
    used = {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}
    imported = {
        alias.name
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    functions = {
        node.name
        for path in SOURCES.glob("*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef)
    }
    assert functions <= named | used | imported


@pytest.mark.parametrize("program", ["", "ls", "grep", "cat", "node:", "|node:", "npm pnpm", "pip2 pip3", " ", "np"])
def test_an_unknown_program_has_no_family(program):
    assert family_of(program) == ""


def test_no_long_command_is_passed_over_by_the_first_look():
    passed = [
        command
        for command in commands()
        if not may_be_long(command) and classify_duration(Command(command))[0] != "none"
    ]
    assert passed == []


def test_a_certain_command_gets_the_same_answer_as_when_parsed():
    seen = {command: match_certain_command(command) for command in commands()}
    certain = {command: ("force", evidence) for command, evidence in seen.items() if evidence}
    assert certain == {command: classify_duration(Command(command)) for command in certain}
    assert len(certain) > 40


@pytest.mark.parametrize(
    ("command", "reads"),
    [
        ("grep -rn X src --include='*.py' | head -40; ls -la src/orders", False),
        ("git status && git diff --stat", False),
        ("git commit -m 'fix: typo'", False),
        ("git commit", True),
        ("tail -20 app.log", False),
        ("tail -20f app.log", True),
        ("cat README.md", False),
        ("./deploy.sh", True),
        ("sudo -u ann ./deploy.sh", True),
        ("systemd-run --wait ./deploy.sh", True),
        ("X=npm; $X ci", True),
        ('"npm" ci', True),
        ("while x; do y; done", True),
    ],
)
def test_the_first_look_spares_plain_tools_the_parser(command, reads):
    assert may_be_long(command) is reads


PROGRAMS = sorted(program for family in FAMILIES.values() for program in programs_of(family))
WORDS = st.sampled_from(
    ["run", "test", "build", "dev", "up", "exec", "-f", "-i", "-it", "-n", "--", "-", "", "x", "a/b.py", "--watch",
     "-c", "1", "60s", "-x=1", "=", "$X", "'a b'", "| head", "> log", "< in", "<<< y", "&", "-e", "-p", "logs", "start",
     "-t", "~", "/", "*", "run server", "--filter", "list", "switch", "--timeout=5m", "tests/a.py::b", "-Dtest=", "http://x/y.zip"]
)  # fmt: skip


@settings(max_examples=examples(1500), deadline=None)
@given(st.sampled_from(PROGRAMS), st.lists(WORDS, max_size=6))
def test_no_arguments_of_any_program_raise(program, words):
    command = Command(" ".join([program, *words]))
    assert classify_duration(command)[0] in ("force", "suggest", "none")
    assert len(list_classifications(command)) == len(command.calls)


PIECES = st.sampled_from(
    ["npm", "install", "ci", "-D", "--dry-run", "&&", ";", "|", "cd", "x", "A=1", "2>&1", "> log", "pip", "uv", "sync",
     "git", "clone", "sleep 40", "echo", "do", "then", "if", "time", "sudo", "\n", "./a.sh", "docker", "compose",
     "build", "up", "-h"]
)  # fmt: skip


@settings(max_examples=examples(500), deadline=None)
@given(st.lists(PIECES, max_size=9))
def test_the_first_look_at_drawn_commands_never_differs_from_parsing(pieces):
    text = " ".join(pieces)
    evidence = match_certain_command(text)
    if evidence:
        assert classify_duration(Command(text)) == ("force", evidence)
    elif not may_be_long(text):
        assert classify_duration(Command(text))[0] == "none"
