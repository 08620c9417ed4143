"""Every rule keeps its own examples, and all of them together keep the tables of labelled commands."""

import json
from collections import Counter
from pathlib import Path

import pytest

from hookwright.hooks.command_guard import rule_catalogue
from hookwright.hooks.command_guard.evaluate import judge
from hookwright.hooks.command_guard.policy import ALLOW, format_reasons
from hookwright.hooks.command_guard.prefilter import may_matter
from hookwright.hooks.command_guard.rule_api import deny
from hookwright.hooks.command_guard.rule_index import HINTED, INDEX
from hookwright.shell.command import Command

HERE = Path(__file__).parent
RULES = {rule.__name__.rpartition(".")[2]: rule for rule in rule_catalogue.load_rules().values()}
MODULES = [*RULES]
EXAMPLES = [
    (name, command, verdict)
    for name, rule in RULES.items()
    for command, verdict in rule_catalogue.expand_examples(rule).items()
]


def labelled():
    for line in (HERE / "commands.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            label, _, command = line.partition(" ")
            yield label, command.strip().replace(" ⏎ ", "\n")


CORPORA = sorted(file.name for file in (HERE.parents[1] / "corpora").glob("danger_*.jsonl"))


def corpus(name=""):
    for file in [name] if name else CORPORA:
        for line in (HERE.parents[1] / "corpora" / file).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield row["label"], row["cmd"]


def verdict(command):
    findings = judge(Command(command))
    return findings[0].verdict if findings else None


@pytest.mark.parametrize("name", MODULES)
def test_a_rule_keeps_its_examples(name):
    differs = []
    for command, expected in rule_catalogue.expand_examples(RULES[name]).items():
        findings = judge(Command(command))
        said = (findings[0].verdict, findings[0].rule) if findings else (None, "")
        if said != ((expected, RULES[name].ID) if expected else (None, "")):
            differs.append((command, expected, said))
    assert differs == []


def test_an_example_may_stand_for_several_commands():
    class rule:  # noqa: N801  as a rule's module
        EXAMPLES = {"«a|b» x «c|d»": "ask", "e": None}  # noqa: RUF012

    assert rule_catalogue.expand_examples(rule) == dict.fromkeys(("a x c", "a x d", "b x c", "b x d"), "ask") | {
        "e": None
    }


@pytest.mark.parametrize("name", MODULES)
def test_a_rule_says_what_it_stops_why_and_what_it_lets_pass(name):
    rule = RULES[name]
    assert "\n\nWhy: " in rule.__doc__
    assert set(rule.EXAMPLES.values()) > {None}


def test_a_rule_is_found_in_the_file_of_its_name():
    assert {name: rule.ID for name, rule in RULES.items() if name.replace("_", "-") != rule.ID} == {}


def named(table):
    for value in table.values():
        yield from named(value) if isinstance(value, dict) else value.split()


def test_the_index_names_rules_that_exist_and_every_rule_is_reached():
    general = {"message_substitution", "fork_bomb", "dynamic_program", "unreadable", "live_key_written"}
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
    findings = [finding for command in ALL for finding in judge(Command(command))]
    assert [finding for finding in findings if not finding.instead] == []
    assert [(finding, finding.instead) for finding in findings if judge(Command(finding.instead))] == []


def test_what_a_rule_speaks_of_is_worth_reading():
    assert [command for command in ALL if judge(Command(command)) and not may_matter(command)] == []


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
        "cat > README.md <<'EOF'\nNever run rm -rf / here.\nEOF",
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
        findings = judge(Command(command, cwd=cwd, home=home))
        answers[label].append(findings[0].verdict if findings else None)
    given = {label: Counter(verdicts) for label, verdicts in answers.items()}
    assert given["deny"]["deny"] >= 0.95 * given["deny"].total()
    assert given["deny"][None] <= 0.01 * given["deny"].total()
    assert given["ask"][None] <= 0.08 * given["ask"].total()
    assert given["safe"][None] >= 0.99 * given["safe"].total()


def shown(tool, text):
    """What the client shows the person of a denial: the first 199 characters, its own words included."""
    return f"PreToolUse:{tool} hook error: {text}"[:199]


def test_a_denial_names_its_rule_and_the_way_on_in_the_characters_that_the_client_shows():
    cut = []
    for name, command, expected in EXAMPLES:
        if expected != "deny":
            continue
        findings = judge(Command(command))
        text = f"[hookwright {findings[0].rule}] {format_reasons(findings)}"
        seen = shown("Bash", text)
        if RULES[name].ID not in seen or ALLOW.strip() not in seen:
            cut.append((command, text))
    assert cut == []


@pytest.mark.parametrize(
    ("reason", "instead"),
    [
        ("`" + "x" * 97 + "…` " + "would delete a lot " * 12, "ls -la " + "y" * 300),
        ("a" * 400, ""),
        ("`" + "x " * 300 + "` deletes it; " + "and nothing asks back " * 9, "z" * 9),
        ("no backtick, " * 40, "ls"),
    ],
)
@pytest.mark.parametrize(("tool", "call"), [("Bash", True), ("NotebookEdit", False)])
def test_however_long_a_reason_is_the_way_on_is_shown_and_nothing_is_lost(reason, instead, tool, call):
    finding = deny(reason, instead)
    finding.rule = "git-rewrite-history"
    if call:
        finding.call = Command("git push").calls[0]
    text = f"[hookwright {finding.rule}] {format_reasons([finding])}"
    assert ALLOW.strip() in shown(tool, text)
    assert instead in text
    assert reason.split()[-1].rstrip(".,") in text
