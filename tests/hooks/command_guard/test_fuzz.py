"""Whatever is typed, the guard answers: it never raises, and its quick look never passes over a finding."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from hookwright.hooks.base import World
from hookwright.hooks.command_guard import rule_catalogue
from hookwright.hooks.command_guard.evaluate import judge
from hookwright.hooks.command_guard.hook import CommandGuard
from hookwright.hooks.command_guard.prefilter import may_matter
from hookwright.hooks.command_guard.rule_index import HINTED, INDEX
from hookwright.shell.command import Command
from hookwright.testing.builders import bash, tool_use
from tests.sizes import examples

pytestmark = pytest.mark.slow

ROUNDS = int(os.environ.get("HOOKWRIGHT_FUZZ", "600"))
FUZZ = settings(max_examples=examples(ROUNDS), deadline=None, suppress_health_check=list(HealthCheck))

KNOWN = [command for rule in rule_catalogue.load_rules().values() for command in rule_catalogue.expand_examples(rule)]
KNOWN += [
    json.loads(line)["cmd"]
    for line in (Path(__file__).parents[2] / "corpora/danger_dev.jsonl").read_text(encoding="utf-8").splitlines()
]
PROGRAMS = sorted({*INDEX, *HINTED})
VERBS = sorted({key for table in INDEX.values() if isinstance(table, dict) for key in table})
PIECES = """
-rf -f -R -i -c -e -n -- --force --all --delete --yes / ~ . .. * *.py src .git ~/.ssh/id_rsa .env /etc/passwd main
origin HEAD:main +main $X "$X" $(ls) `ls` '' {} {a,b} x=1 > >> < <<< | & && || ; ( ) { } 2>&1 /dev/sda node_modules
~/.claude/settings.json https://x.example @.env DROP 1 -1 %1 # ! sudo xargs
"""
TEXTS = ["'rm -rf /'", '"rm -rf /"', "'DROP TABLE x'", "<<EOF\nrm -rf /\nEOF\n", "bash -c", "ssh prod", "\n", "\\"]
WORDS = st.sampled_from([*PIECES.split(), *TEXTS])
CALLS = st.builds(
    lambda program, verb, words: " ".join([program, *verb, *words]),
    st.sampled_from(PROGRAMS),
    st.lists(st.sampled_from(VERBS), max_size=1),
    st.lists(WORDS, max_size=6),
)
MUTATED = st.builds(
    lambda text, at, what, cut: text[: at % (len(text) + 1)] + what + text[at % (len(text) + 1) + cut :],
    st.sampled_from(KNOWN),
    st.integers(0, 500),
    st.sampled_from(
        ["'", '"', "\\", "$", "`", " ", "\n", ";", "(", ")", "{", "|", "=", "-", "", "\0", "é", "$IFS", "''"]
    ),
    st.integers(0, 3),
)
COMMANDS = st.one_of(
    CALLS,
    MUTATED,
    st.lists(CALLS, min_size=1, max_size=3).map(" && ".join),
    st.tuples(st.sampled_from(KNOWN), st.sampled_from(KNOWN)).map(" | ".join),
    st.text(max_size=60),
)


@FUZZ
@given(COMMANDS)
def test_no_command_makes_a_rule_raise(text):
    for finding in judge(Command(text, cwd="/home/ann/shop", home="/home/ann")):
        assert finding.verdict in {"deny", "ask"}
        assert finding.reason
        assert finding.rule


@FUZZ
@given(COMMANDS)
def test_the_quick_look_passes_over_nothing(text):
    assert may_matter(text) or not judge(Command(text))


@FUZZ
@given(MUTATED)
def test_an_unreadable_command_is_asked_about_at_most(text):
    command = Command(text)
    findings = judge(command)
    assert command.problem is None or all(finding.verdict == "ask" for finding in findings)


@FUZZ
@given(COMMANDS, st.text(max_size=30), st.sampled_from(["", "/home/ann/shop", "relative"]))
def test_the_hook_answers_whatever_it_is_given(text, path, cwd):
    world = World(home="/home/ann", project="/home/ann/shop")
    options = {
        "rules": ({"program": "*", "subcommand": "", "flags": ("-x",), "paths": ("src/**",), "verdict": "ask",
                   "reason": "", "instead": "", "name": ""},),
        "deny_paths": ("infra/**", "*.lock"),
        "exceptions": ({"rule": "publish", "command": "", "until": "", "reason": ""},),
    }  # fmt: skip
    for event in (bash(text, cwd=cwd), tool_use("Write", {"file_path": path}, cwd=cwd)):
        for hook in (CommandGuard(world), CommandGuard(world, **options)):
            decision = hook.decide(event)
            assert decision is None or decision.permission in {"ask", "deny"}
