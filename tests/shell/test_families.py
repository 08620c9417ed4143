"""The index of programs, the first look at a text, and the examples of every family."""

import importlib
import json
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from hookwright.shell.command import Command
from hookwright.shell.duration import judge, judgements
from hookwright.shell.families import INDEX, family_of, glance, may_be_long

HERE = Path(__file__).parent
FAMILIES = [line.partition(":")[0] for line in INDEX.split("|")[1:]]


def commands():
    for path in (HERE.parent / "corpora").glob("*.jsonl"):
        yield from (json.loads(line)["cmd"] for line in path.read_text().splitlines())
    for line in (HERE / "durations.txt").read_text().splitlines():
        verdict, _, command = line.partition(" ")
        if verdict in ("force", "suggest", "none"):
            yield command.strip().replace("\\n", "\n")


def family(name):
    return importlib.import_module(f"hookwright.shell.programs.{name}")


def examples():
    for name in FAMILIES:
        for line in family(name).__doc__.splitlines():
            verdict, _, command = line.strip().partition("  ")
            if verdict in ("force", "suggest", "none"):
                yield pytest.param(name, verdict, command.strip(), id=command.strip())


@pytest.mark.parametrize(("name", "verdict", "command"), list(examples()))
def test_a_familys_examples_hold(name, verdict, command):
    assert judge(Command(command))[0] == verdict


@pytest.mark.parametrize("name", FAMILIES)
def test_the_index_leads_to_the_family_that_knows_the_program(name):
    programs = family(name).PROGRAMS
    assert programs
    assert {family_of(program) for program in programs} == {name}


@pytest.mark.parametrize("program", ["", "ls", "grep", "cat", "node:", "|node:", "npm pnpm", "pip2 pip3", " ", "np"])
def test_what_is_no_program_of_a_family_has_none(program):
    assert family_of(program) == ""


def test_no_long_command_is_passed_over_by_the_first_look():
    passed = [command for command in commands() if not may_be_long(command) and judge(Command(command))[0] != "none"]
    assert passed == []


def test_a_glance_gives_the_same_answer_as_reading():
    seen = {command: glance(command) for command in commands()}
    told = {command: ("force", evidence) for command, evidence in seen.items() if evidence}
    assert told == {command: judge(Command(command)) for command in told}
    assert len(told) > 40


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
        ("X=npm; $X ci", True),
        ('"npm" ci', True),
        ("while x; do y; done", True),
    ],
)
def test_the_first_look_spares_the_reading_of_plain_tools(command, reads):
    assert may_be_long(command) is reads


PROGRAMS = sorted(program for name in FAMILIES for program in family(name).PROGRAMS)
WORDS = st.sampled_from(
    ["run", "test", "build", "dev", "up", "exec", "-f", "-i", "-it", "-n", "--", "-", "", "x", "a/b.py", "--watch",
     "-c", "1", "60s", "-x=1", "=", "$X", "'a b'", "| head", "> log", "< in", "<<< y", "&", "-e", "-p", "logs", "start",
     "-t", "~", "/", "*", "run server", "--filter", "list", "switch", "--timeout=5m", "tests/a.py::b", "-Dtest=", "http://x/y.zip"]
)  # fmt: skip


@settings(max_examples=1500, deadline=None)
@given(st.sampled_from(PROGRAMS), st.lists(WORDS, max_size=6))
def test_no_words_of_any_program_are_too_odd_for_its_family(program, words):
    command = Command(" ".join([program, *words]))
    assert judge(command)[0] in ("force", "suggest", "none")
    assert len(judgements(command)) == len(command.calls)


PIECES = st.sampled_from(
    ["npm", "install", "ci", "-D", "--dry-run", "&&", ";", "|", "cd", "x", "A=1", "2>&1", "> log", "pip", "uv", "sync",
     "git", "clone", "sleep 40", "echo", "do", "then", "if", "time", "sudo", "\n", "./a.sh", "docker", "compose",
     "build", "up", "-h"]
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(PIECES, max_size=9))
def test_a_glance_at_drawn_commands_never_differs_from_reading(pieces):
    text = " ".join(pieces)
    evidence = glance(text)
    if evidence:
        assert judge(Command(text)) == ("force", evidence)
    elif not may_be_long(text):
        assert judge(Command(text))[0] == "none"
