"""Every rule keeps its own examples, and all of them together keep the tables of labelled commands."""

import json
from collections import Counter
from pathlib import Path

import pytest

from hookwright import rules
from hookwright.rules import catalogue
from hookwright.rules.index import HINTED, INDEX
from hookwright.rules.worth import may_matter
from hookwright.shell.command import Command

HERE = Path(__file__).parent
RULES = {rule.__name__.rpartition(".")[2]: rule for rule in catalogue.modules().values()}
MODULES = [*RULES]
EXAMPLES = [(name, command, verdict) for name, rule in RULES.items() for command, verdict in rule.EXAMPLES.items()]


def labelled():
    for line in (HERE / "commands.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            label, _, command = line.partition(" ")
            yield label, command.strip().replace(" ⏎ ", "\n")


CORPORA = sorted(file.name for file in (HERE.parent / "corpora").glob("danger_*.jsonl"))


def corpus(name=""):
    for file in [name] if name else CORPORA:
        for line in (HERE.parent / "corpora" / file).read_text(encoding="utf-8").splitlines():
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
    general = {"message_substitution", "fork_bomb", "dynamic_program", "unreadable"}
    hinted = {name for rules, _ in HINTED.values() for name in rules.split()}
    assert set(named(INDEX)) | hinted | general == set(MODULES)


EXPECTED = {"none": {None}, "stop": {"deny", "ask"}, "deny": {"deny"}, "ask": {"ask"}}
ALL = [*(row[1] for row in EXAMPLES), *(row[1] for row in labelled()), *(row[1] for row in corpus())]


def test_labelled_commands_are_answered_as_labelled():
    rows = [*labelled()]
    assert len(rows) > 600
    assert [
        (label, verdict(command), command) for label, command in rows if verdict(command) not in EXPECTED[label]
    ] == []


def test_every_finding_names_a_safer_command_that_passes_our_own_rules():
    findings = [finding for command in ALL for finding in rules.judge(Command(command))]
    assert [finding for finding in findings if not finding.instead] == []
    assert [(finding, finding.instead) for finding in findings if rules.judge(Command(finding.instead))] == []


def test_what_a_rule_speaks_of_is_worth_reading():
    assert [command for command in ALL if rules.judge(Command(command)) and not may_matter(command)] == []


@pytest.mark.parametrize(
    "command",
    [
        "grep -rn \"OrderService\" src --include='*.py' | head -40; ls -la src/orders",
        "cd packages/web && NODE_ENV=production npm install --no-fund && npm run build 2>&1 | tail -20",
        "git status",
        "git log --oneline -5 | cat",
        "git -C repo diff --stat",
        "git add -A && git commit -m 'Fix the cart' && git push origin HEAD",
        "git checkout -b fix/cart",
        "git stash pop",
        "git branch -a",
        "python3 script.py --verbose 2>/dev/null",
        "pytest tests/unit -q",
        "docker ps -a",
        "sed -n '10,20p' src/app.py",
        "find . -name '*.py'",
        "node server.js",
        "make build",
        "cat README.md",
    ],
)
def test_everyday_commands_are_not_read(command):
    assert not may_matter(command)


@pytest.mark.parametrize(
    ("cwd", "home"),
    [(".", ""), ("/home/ann/app", "/home/ann"), ("/srv/work/app", "/root"), ("/tmp/app-1", "/root"),
     ("/Users/ann/code/app", "/Users/ann")],
)  # fmt: skip
@pytest.mark.parametrize("name", CORPORA)
def test_every_corpus_is_within_its_bars_wherever_one_works(name, cwd, home):
    answers = {label: [] for label in ("deny", "ask", "safe")}
    for label, command in corpus(name):
        findings = rules.judge(Command(command, cwd=cwd, home=home))
        answers[label].append(findings[0].verdict if findings else None)
    given = {label: Counter(verdicts) for label, verdicts in answers.items()}
    assert given["deny"]["deny"] >= 0.95 * given["deny"].total()
    assert given["deny"][None] <= 0.01 * given["deny"].total()
    assert given["ask"][None] <= 0.08 * given["ask"].total()
    assert given["safe"][None] >= 0.99 * given["safe"].total()
