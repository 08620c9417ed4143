"""How long a command keeps the foreground: a table of commands, the labelled corpora, and the context of a call."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from hookwright.shell.command import Command
from hookwright.shell.duration import (
    CLASSES,
    classify_duration,
    find_longest,
    find_longest_in_text,
    list_classifications,
)

HERE = Path(__file__).parent


def table():
    """Section → rows of a verdict and a command."""
    sections = {}
    for line in (HERE / "durations.txt").read_text().splitlines():
        verdict, _, command = line.partition(" ")
        if verdict == "##":
            rows = sections.setdefault(command, [])
        elif verdict in ("force", "suggest", "none"):
            rows.append((verdict, command.strip().replace("\\n", "\n")))
    return sections


def corpus(name):
    return [json.loads(line) for line in (HERE.parent / "corpora" / name).read_text().splitlines()]


@pytest.mark.parametrize(("section", "rows"), table().items())
def test_a_command_is_as_long_as_its_longest_foreground_call(section, rows):
    judged = [(classify_duration(Command(command))[0], command) for _, command in rows]
    assert [row for row in judged if row not in rows] == []
    assert rows


@pytest.mark.parametrize("name", ["long_dev.jsonl", "long_more.jsonl"])
def test_the_bars_hold_over_the_labelled_commands(name):
    rows = corpus(name)
    seen = Counter((row["label"], classify_duration(Command(row["cmd"]))[0]) for row in rows)
    of = Counter(row["label"] for row in rows)
    flagged = {label: seen[label, "force"] + seen[label, "suggest"] for label in of}
    assert seen["quick", "force"] == 0
    assert flagged["quick"] <= 0.03 * of["quick"]
    assert seen["force", "force"] >= 0.97 * of["force"]
    assert flagged["force"] + flagged["suggest"] >= 0.97 * (of["force"] + of["suggest"])


@pytest.mark.parametrize(
    ("command", "evidence"),
    [
        ("cd web && npm ci", "`npm ci` installs packages"),
        ("pytest -q | tail -5", "`pytest -q` runs a test suite"),
        ("sleep 30; sleep 60", "`sleep 60` sleeps 90 s in all"),
        ("for i in 1 2 3; do sleep 30; done", "`sleep 30` sleeps 90 s in all"),
        ("until curl -sf x; do sleep 1; done", "`curl -sf x` is in a loop that waits for something"),
        ("watch -n1 date", "`date` runs again and again under watch"),
        ("command -v x || npm ci", "`npm ci` installs packages, if it runs at all"),
        ("for i in 1 2 3 4 5; do pytest; done", "`pytest` runs a test suite, 5 times"),
        ("npm run dev & wait", "`npm run dev` starts something that stays, and is waited for"),
        ("git status", ""),
    ],
)
def test_the_evidence_names_the_call_and_what_it_does(command, evidence):
    assert classify_duration(Command(command))[1] == evidence


def test_a_long_call_is_shortened_in_the_evidence():
    _, evidence = classify_duration(Command("pip install " + " ".join(f"package-{n}" for n in range(40))))
    assert evidence.startswith("`pip install package-0 ")
    assert "…` installs packages" in evidence
    assert len(evidence) < 90


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npm run dev & sleep 3; curl -s localhost", [("quick", "server"), ("quick", "sleep"), ("quick", "")]),
        ("timeout 10 npm run dev", [("quick", "server")]),
        ("npm test && git status", [("test", "test"), ("quick", "")]),
        ("npm ci --help", [("quick", "install")]),
        ("f() { npm ci; }; true", [("quick", ""), ("quick", "install")]),
    ],
)
def test_every_call_has_a_class_and_its_kind_of_work(command, expected):
    assert [(one.class_, one.work) for one in list_classifications(Command(command))] == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npm run dev &", "runs in the background by itself"),
        ("timeout 10 npm run dev", "is bounded by timeout 10 s"),
        ("npm ci --help", "only asks"),
        ("f() { npm ci; }; true", "is only defined, not called"),
        ("pytest tests/test_a.py", "runs one test or file"),
    ],
)
def test_a_quick_call_has_evidence_too(command, expected):
    assert expected in [one.evidence for one in list_classifications(Command(command))]


RULES = [
    {"program": "deploy-tool", "subcommand": "push prod", "flags": (), "class": "infra"},
    {"program": "deploy-tool", "subcommand": "", "flags": ("--wait",), "class": "suggest"},
    {"program": "npm", "subcommand": "ci", "flags": (), "class": "quick"},
]


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("deploy-tool push prod --now", "force"),
        ("deploy-tool push test", "none"),
        ("cd x && deploy-tool status --wait", "suggest"),
        ("npm ci", "none"),
        ("npm install", "force"),
        ("deploy-tool push prod &", "none"),
    ],
)
def test_a_users_own_rule_comes_first_and_only_changes_what_it_names(command, verdict):
    assert classify_duration(Command(command), RULES)[0] == verdict


def test_every_class_has_a_verdict():
    assert set(CLASSES.values()) == {"force", "suggest", "none"}


@pytest.mark.parametrize(
    "command", ["", "   ", "npm install 'unclosed", "if true; then", "$(", "a && && b", "\0", "&& npm"]
)
def test_a_command_with_a_syntax_error_is_judged_by_the_part_before_it(command):
    assert classify_duration(Command(command))[0] in ("force", "suggest", "none")


PACKAGE = {
    "scripts": {
        "build": "vite build",
        "test": 'echo "Error: no test specified" && exit 1',
        "lint": "eslint .",
        "lint:fix": "ruff check --fix && shellcheck run.sh",
        "start": "rm -rf tmp && mkdir tmp",
        "go": "next dev",
        "dev": "my-own-bundler --flag",
        "chain": "npm run go",
    }
}
MAKEFILE = "all: app\napp:\n\tcargo build --release\nhello:\n\techo hello\nlint:\n\tmypy src\n"


@pytest.mark.parametrize(
    ("command", "verdict", "evidence"),
    [
        ("npm run build", "force", "`npm run build` builds"),
        ("npm test", "none", ""),
        ("npm start", "none", ""),
        ("npm run lint", "suggest", "`npm run lint` checks the whole project"),
        ("npm run go", "force", "`next dev` (in `npm run go`) starts a server that does not end"),
        ("npm run chain", "force", "`next dev` (in `npm run go`) starts a server that does not end"),
        ("npm run dev", "force", "`npm run dev` starts something that stays"),
        ("npm run nothing", "none", ""),
        ("cd sub && npm run go", "force", "`next dev` (in `npm run go`) starts a server that does not end"),
        ("make all", "force", "`cargo build --release` (in `make all`) compiles"),
        ("make hello", "none", ""),
        ("make lint", "suggest", "`make lint` checks the whole project"),
        ("npm run lint:fix", "none", ""),
        ("npm ci && npm run build", "force", "`npm ci` installs packages"),
    ],
)
def test_a_task_is_what_the_project_says_it_runs(tmp_path, command, verdict, evidence):
    (tmp_path / "sub").mkdir()
    (tmp_path / "package.json").write_text(json.dumps(PACKAGE))
    (tmp_path / "Makefile").write_text(MAKEFILE)
    _, found = find_longest_in_text(command, str(tmp_path))
    assert (found.verdict, found.reason) == (verdict, evidence) if found else (verdict, evidence) == ("none", "")


def test_without_the_projects_files_a_tasks_name_decides(tmp_path):
    assert find_longest_in_text("npm run build", str(tmp_path))[1].verdict == "force"
    assert find_longest_in_text("make stuff", str(tmp_path))[1].verdict == "suggest"


def loaded_by(command):
    code = (
        "import sys\n"
        "from hookwright.shell.command import Command\n"
        "from hookwright.shell.duration import classify_duration\n"
        f"classify_duration(Command({command!r}))\n"
        "package = 'hookwright.shell.programs.'\n"
        "print(*(name.removeprefix(package) for name in sys.modules if name.startswith(package)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("command", "families"),
    [
        ("grep -rn OrderService src | head -40; ls -la src/orders", set()),
        ("cd x && cat a.txt | sort | uniq -c; echo 'npm install'", set()),
        ("npm install", {"node_table", "node"}),
        ("git log --oneline", {"vcs_table", "vcs"}),
        ("nextflow run x", {"jobs_table"}),
    ],
)
def test_a_family_is_loaded_only_for_its_own_programs(command, families):
    assert loaded_by(command) == families


def test_the_longest_is_none_when_all_are_quick():
    assert find_longest(Command("ls; pwd")) is None
