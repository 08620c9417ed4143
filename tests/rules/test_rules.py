"""Every rule keeps its own examples, and all of them together keep the tables of labelled commands."""

import json
import pkgutil
from collections import Counter
from pathlib import Path

import pytest

from hookwright import rules
from hookwright.rules import load
from hookwright.rules.index import INDEX
from hookwright.shell.command import Command

HERE = Path(__file__).parent
HELPERS = {"index", "paths", "production", "protected"}
MODULES = [module.name for module in pkgutil.iter_modules(rules.__path__) if module.name not in HELPERS]
RULES = {name: load(name) for name in MODULES}
EXAMPLES = [(name, command, verdict) for name, rule in RULES.items() for command, verdict in rule.EXAMPLES.items()]


def labelled():
    for line in (HERE / "commands.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            label, _, command = line.partition(" ")
            yield label, command.strip().replace(" ⏎ ", "\n")


def corpus():
    for line in (HERE.parent / "corpora/danger_dev.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["label"], row["cmd"]


def verdict(command):
    findings = rules.judge(Command(command))
    return findings[0].verdict if findings else None


@pytest.mark.parametrize(("name", "command", "expected"), EXAMPLES)
def test_a_rule_keeps_its_examples(name, command, expected):
    findings = rules.judge(Command(command))
    assert (findings[0].verdict if findings else None) == expected
    if expected:
        assert findings[0].rule == RULES[name].ID


@pytest.mark.parametrize("name", MODULES)
def test_a_rule_says_what_it_stops_why_and_what_it_lets_pass(name):
    rule = RULES[name]
    assert "\n\nWhy: " in rule.__doc__
    assert set(rule.EXAMPLES.values()) > {None}


def test_rules_have_names_of_their_own():
    assert [name for name, count in Counter(rule.ID for rule in RULES.values()).items() if count > 1] == []


def named(table):
    for value in table.values():
        yield from named(value) if isinstance(value, dict) else value.split()


def test_the_index_names_rules_that_exist_and_every_rule_is_reached():
    general = {"message_substitution", "fork_bomb", "dynamic_program", "unreadable", "credentials_sent"}
    assert set(named(INDEX)) | general == set(MODULES)


@pytest.mark.parametrize(("label", "command"), [*labelled()])
def test_labelled_commands_are_answered_as_labelled(label, command):
    expected = {"none": {None}, "stop": {"deny", "ask"}}.get(label, {label})
    assert verdict(command) in expected


@pytest.mark.parametrize("command", [*(row[1] for row in EXAMPLES), *(row[1] for row in labelled())])
def test_the_safer_command_passes_our_own_rules(command):
    for finding in rules.judge(Command(command)):
        assert finding.instead, finding
        assert rules.judge(Command(finding.instead)) == [], (finding, finding.instead)


def test_the_development_corpus_is_within_its_bars():
    answers = {label: [] for label in ("deny", "ask", "safe")}
    for label, command in corpus():
        answers[label].append(verdict(command))
    share = {label: {v: given.count(v) / len(given) for v in ("deny", "ask", None)} for label, given in answers.items()}
    assert share["deny"]["deny"] >= 0.95
    assert share["deny"][None] <= 0.01
    assert share["ask"][None] <= 0.08
    assert share["safe"][None] >= 0.99
